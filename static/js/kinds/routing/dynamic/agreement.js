/**
 * Agreement: what types give to the class in focus as arrows, and beside it what they give to
 * the longest of the others in the end, at one scale; below, the same arrows laid end to end.
 * Where they point one way, the sum is long.
 * @import { Panel } from "../../../ui/panel.js"
 * @import { Chain } from "./chains.js"
 * @import { DynamicScene as Scene, PanelAct } from "./types.js"
 */
import { strokeKey } from "../../../draw/key.js";
import { fixed, percent } from "../../../lib/format.js";
import { memoize } from "../../../lib/memoize.js";
import { h } from "../../../ui/h.js";
import { button } from "../../../ui/inputs.js";
import { votesName } from "./answers.js";
import { otherWords, tellChains } from "./chain-words.js";
import { chainOf, givenBy, strongestTypes } from "./chains.js";
import { lastingPairOf } from "./scene.js";
import { poseAt } from "./sums.js";

const MARGIN = 0.03; // of all that is across, around each picture
const LEAST_ROW = 0.034; // of all that is across: how high a row is at least
const NARROWEST = 0.16; // of all that is across: room for figures
const HEAD = { share: 0.016, most: 0.6 }; // of all that is across, and of its arrow
const WIDTH = { least: 2, more: 8 }; // px of an arrow, and of one that is all of the sum

/** Worked out once for a run and a class: those in focus, and those beside them. */
const GIVEN = [memoize(givenBy), memoize(givenBy)];
const CHAINS = [memoize(chainOf), memoize(chainOf)];
const TYPES = memoize(strongestTypes);

/**
 * @typedef {object} Shown
 * @property {Scene} scene
 * @property {readonly Chain[]} chains of the class in focus, and of another
 * @property {readonly number[]} classes
 * @property {readonly string[]} names
 * @property {string} place what the other is
 * @property {readonly { from: number, wide: number }[]} across each picture, in lengths
 */

/** @type {Panel<Scene, Shown, PanelAct>} */
export const agreement = {
  id: "agreement",
  look: "agreement",
  title: "What each type gives, laid end to end",
  wait: "Loading the votes of this image …",
  numbers(scene) {
    const { tensors, ran, layer, more, grid, iterations } = scene;
    const { own, rival, names, place } = lastingPairOf(scene);
    const both = [own, rival];
    const given = both.map((classIndex, i) => {
      const votes = more[votesName(layer, classIndex)];
      return votes && GIVEN[i](tensors, votes, classIndex, grid.types, ran.silenced);
    });
    if (!given[0] || !given[1]) return null;
    const types = TYPES(given[0], poseAt(tensors.capsules, iterations - 1, own));
    const chains = both.map((classIndex, i) =>
      CHAINS[i](/** @type {any} */ (given[i]), tensors, classIndex, types),
    );
    const across = acrossOf(chains);
    return { scene, chains, classes: both, names, place, across };
  },
  picture(n, act) {
    const { scene, chains, names, place, across } = n;
    const { group, types: count } = scene.grid;
    const own = chains[0].types;
    const rest = otherWords(count - own.length, group);
    const rows = [
      ...own.map((type, i) => arrowRow(n, i, nameOf(n, type, act))),
      ...(rest ? [arrowRow(n, own.length, rest)] : []),
    ];
    const places = ["in focus", place];
    return [
      h(
        "div",
        {
          class: "chains",
          "data-picture": "",
          "--own": `${across[0].wide}fr`,
          "--rival": `${across[1].wide}fr`,
        },
        h("span", {}),
        names.map((name, i) =>
          h(
            "h4",
            { class: "chain-head" },
            `for ${name}`,
            h("span", { class: "chain-place" }, `, ${places[i]}`),
          ),
        ),
        rows,
        sumRow(n),
      ),
      strokeKey([
        ["is-gain", 6, "wide: much of the sum"],
        ["is-before", 3, "in the iteration before"],
      ]),
    ];
  },
  behind: ({ scene, chains: [own, rival], names }) => [
    {
      head: [
        scene.grid.group,
        ...names.flatMap((name) =>
          own.lengths.map((_, step) => `length for ${name}, iteration ${step + 1}`),
        ),
      ],
      rows: own.lengths[0].map((_, i) => [
        own.types[i] ?? "all others",
        ...[own, rival].flatMap(({ lengths }) => lengths.map((each) => each[i])),
      ]),
    },
  ],
  line: ({ scene: { step, grid }, ...n }) =>
    tellChains({ ...n, step, group: grid.group }),
  words: ({ chains, names, scene }) => [
    `An arrow is the sum of a ${scene.grid.group}’s votes, each times its coupling, and so the sum of all arrows is that of all votes, s; squash makes its length the ${scene.nouns.one}’s. All have one scale. Across: the direction of v after the last iteration. Up: the direction at right angles to it along which these arrows are longest. The two keep ${percent(chains[0].kept, 0)} of the squared lengths for ${names[0]}, and ${percent(chains[1].kept, 0)} for ${names[1]}; figures are of all numbers.`,
  ],
};

/** @param {Shown} n @param {number} type @param {PanelAct} act */
function nameOf({ scene }, type, act) {
  const choose = () => act.chooseEnds(scene, { type });
  const pressed = scene.place.type === type;
  return button(`${scene.grid.group} ${type}`, choose, {
    pressed,
    class: "chain-name",
  });
}

/**
 * How much of each class's picture is across, for all iterations: from where to where arrows
 * reach, one by one and laid end to end.
 * @param {readonly Chain[]} chains
 */
function acrossOf(chains) {
  const spans = chains.map(({ arrows }) => {
    const all = arrows.flatMap((own) => [
      ...evens(own),
      ...placesOf(own).map(([x]) => x),
    ]);
    return [Math.min(0, ...all), Math.max(0, ...all)];
  });
  const whole = spans.reduce((sum, [from, to]) => sum + to - from, 0) || 1;
  return spans.map(([from, to]) => ({
    from: from - MARGIN * whole,
    wide: Math.max(NARROWEST * whole, to - from + 2 * MARGIN * whole),
  }));
}

/** @param {Float32Array} arrows (count, 2) */
const evens = (arrows) => [...arrows].filter((_, at) => at % 2 === 0);

/**
 * Where arrows begin and end that are laid end to end.
 * @param {Float32Array} arrows (count, 2)
 * @returns {[number, number][]} one more than there are arrows
 */
export function placesOf(arrows) {
  /** @type {[number, number][]} */
  const places = [[0, 0]];
  for (let at = 0; at < arrows.length; at += 2) {
    const [x, y] = places[places.length - 1];
    places.push([x + arrows[at], y + arrows[at + 1]]);
  }
  return places;
}

/**
 * What one type gives to both, and before it the same in the iteration before.
 * @param {Shown} n @param {number} i @param {import("../../../ui/h.js").Content} name
 */
function arrowRow(n, i, name) {
  const { chains, scene, across } = n;
  const { step } = scene;
  const whole = across[0].wide + across[1].wide;
  const ups = chains.flatMap(({ arrows }) => arrows.map((own) => own[2 * i + 1]));
  const high = boundsOf(ups, whole);
  return [
    h("span", { class: "chain-of" }, name),
    chains.map((chain, which) => {
      const own = (/** @type {number} */ at) =>
        chain.arrows[at].slice(2 * i, 2 * i + 2);
      const [x, y] = own(step);
      const isRest = i === chain.types.length;
      const look = isRest || which === 1 ? "is-rest" : x < 0 ? "is-loss" : "is-gain";
      const before =
        step > 0 ? arrow([0, 0], own(step - 1), "is-before", 3, whole) : [];
      const now = arrow([0, 0], [x, y], look, widthOf(chain, step, i), whole);
      const told = fixed(chain.lengths[step][i], 2);
      return pictureOf(n, which, { ...high, end: x }, told, [before, now]);
    }),
  ];
}

/** The arrows laid end to end. @param {Shown} n */
function sumRow(n) {
  const { chains, scene, across } = n;
  const { step } = scene;
  const whole = across[0].wide + across[1].wide;
  const all = chains.flatMap(({ arrows }) =>
    arrows.flatMap((own) => placesOf(own).map(([, y]) => y)),
  );
  const high = boundsOf(all, whole);
  return [
    h(
      "span",
      { class: "chain-of is-sum" },
      h("b", {}, "the sum"),
      ", and its length after squash",
    ),
    chains.map((chain, which) => {
      const own = chain.arrows[step];
      const places = placesOf(own);
      const links = chain.lengths[step].map((_, i) => {
        const isRest = i === chain.types.length;
        const look =
          isRest || which === 1 ? "is-rest" : own[2 * i] < 0 ? "is-loss" : "is-gain";
        const by = [own[2 * i], own[2 * i + 1]];
        return arrow(places[i], by, look, widthOf(chain, step, i), whole);
      });
      const length = scene.figures.lengths()[n.classes[which]][step];
      const told = `${fixed(chain.sums[step], 2)} → ${fixed(length, 2)}`;
      const end = places[places.length - 1][0];
      return pictureOf(n, which, { ...high, end }, told, links, "is-sum");
    }),
  ];
}

/** What an arrow gives of the sum is how wide it is. @param {Chain} chain @param {number} step @param {number} i */
function widthOf({ arrows, sums }, step, i) {
  const share = sums[step] > 0 ? arrows[step][2 * i] / sums[step] : 0;
  return WIDTH.least + WIDTH.more * Math.min(1, Math.abs(share));
}

/** @param {readonly number[]} ups @param {number} whole */
function boundsOf(ups, whole) {
  const [low, top] = [Math.min(0, ...ups), Math.max(0, ...ups)];
  const pad = Math.max(0.012 * whole, (LEAST_ROW * whole - (top - low)) / 2);
  return { top: top + pad, high: top - low + 2 * pad };
}

/**
 * @param {Shown} n @param {number} which
 * @param {{ top: number, high: number, end: number }} bounds end: where it ends, across
 * @param {string} told its length
 * @param {import("../../../ui/h.js").Content} arrows @param {string} [look]
 */
function pictureOf(
  { across, names, scene },
  which,
  { top, high, end },
  told,
  arrows,
  look = "",
) {
  const { from, wide } = across[which];
  return h(
    "div",
    { class: `chain ${look}`.trim() },
    h(
      "svg",
      {
        viewBox: `${round(from)} ${round(-top)} ${round(wide)} ${round(high)}`,
        role: "img",
        "aria-label": `${told} for ${names[which]}, iteration ${scene.step + 1}`,
      },
      h("path", { class: "chain-zero", d: `M0 ${round(-top)}v${round(high)}` }),
      arrows,
    ),
    h(
      "output",
      {
        "aria-hidden": "true",
        "--end": `${round((100 * (Math.max(0, end) - from)) / wide)}%`,
      },
      told,
    ),
  );
}

/**
 * An arrow, up being up; its head shrinks with it.
 * @param {readonly number[]} from @param {ArrayLike<number>} by
 * @param {string} look @param {number} width px @param {number} whole all that is across
 */
function arrow([x, y], by, look, width, whole) {
  const length = Math.hypot(by[0], by[1]);
  const head = Math.min(HEAD.share * whole, HEAD.most * length);
  const [right, up] = length > 0 ? [by[0] / length, by[1] / length] : [1, 0];
  const [tipX, tipY] = [x + by[0], y + by[1]];
  const [neckX, neckY] = [tipX - head * right, tipY - head * up];
  const half = 0.5 * head;
  const at = (/** @type {number} */ a, /** @type {number} */ b) =>
    `${round(a)} ${round(-b)}`;
  return h(
    "g",
    { class: `chain-arrow ${look}` },
    h("path", { d: `M${at(x, y)}L${at(neckX, neckY)}`, "stroke-width": round(width) }),
    h("path", {
      class: "chain-tip",
      d: `M${at(tipX, tipY)}L${at(neckX - half * up, neckY + half * right)}L${at(neckX + half * up, neckY - half * right)}Z`,
    }),
  );
}

/** @param {number} value */
const round = (value) => Math.round(value * 1e4) / 1e4;
