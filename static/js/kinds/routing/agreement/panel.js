/**
 * The stage of routing: what the strongest parts saw and say, what each gives to the class in
 * focus as an arrow, and beside it what it gives to another at one scale; below, the same
 * arrows laid end to end. Where they point one way, the sum is long. At the right, what the
 * decoder draws of the class in the iteration on show.
 * @import { Decoded, Wish } from "../../../core/decoding.js"
 * @import { Field, Model, Pixels } from "../../../types.js"
 * @import { Content } from "../../../ui/h.js"
 * @import { Panel } from "../../../ui/panel.js"
 * @import { Chain, Given } from "./chains.js"
 */
import { saidPoses } from "../../../core/decoding.js";
import { strokeKey } from "../../../draw/key.js";
import { named, painted } from "../../../draw/picture.js";
import { presence, ticksTo } from "../../../lib/decimals.js";
import { brief, fixed, percent } from "../../../lib/format.js";
import { memoize, memoizeByObject } from "../../../lib/memoize.js";
import { pieceOf, shapeOf } from "../../../lib/pixels.js";
import { paintImage, paintPixels } from "../../../paint/heatmap.js";
import { h, note } from "../../../ui/h.js";
import { button } from "../../../ui/inputs.js";
import { chainOf, strongestTypes } from "./chains.js";
import { otherWords, tellChains } from "./words.js";

const MARGIN = 0.03; // of all that is across, around each picture
const LEAST_ROW = 0.034; // of all that is across: how high a row is at least
const NARROWEST = 0.16; // of all that is across: room for figures
const HEAD = { share: 0.016, most: 0.6 }; // of all that is across, and of its arrow
const WIDTH = { least: 2, more: 8 }; // px of an arrow, and of one that is all of the sum

/** Worked out once for a run and a class: those in focus, and those beside them. */
const CHAINS = [memoize(chainOf), memoize(chainOf)];
const TYPES = memoize(strongestTypes);

/**
 * What a routing brings of a run; of one class, or of the class in focus and another.
 * @typedef {object} Summed
 * @property {Model} model
 * @property {object} run another where any of these is
 * @property {readonly number[]} classes
 * @property {readonly string[]} names of these
 * @property {readonly string[]} places what each is called, such as "the runner-up"; empty of
 *   the class in focus
 * @property {readonly Given[]} given what each type gives to these
 * @property {readonly (readonly Float32Array[])[]} poses v of these, by iteration
 * @property {number} step 0 first
 * @property {string} group what has an arrow, such as "type"
 * @property {string} one what is above, such as "class"
 * @property {number} chosen the type in focus
 * @property {Pixels} pixels
 * @property {boolean} isDrawn whether the decoder draws what is above
 * @property {(type: number) => Field | null} seenBy what the capsule of a type sees that gives
 *   most to the class in focus; null where that is not known, or all
 */

/** @typedef {Summed & { chains: readonly Chain[], across: readonly { from: number, wide: number }[] }} Shown across each picture, in lengths */

/**
 * @typedef {object} Act
 * @property {(scene: any, type: number) => void} chooseType
 * @property {(model: Model, run: object, wishes: readonly Wish[]) => (Decoded | null)[]} decoded
 */

/**
 * @template {object} Scene
 * @param {object} routing
 * @param {(scene: Scene) => Summed | null} routing.summed null while votes are on their way
 * @param {readonly string[]} routing.lines the algorithm
 * @param {boolean} [routing.isOnce] nothing is repeated
 * @returns {Panel<Scene, Shown & { scene: Scene }, Act>}
 */
export const agreementPanel = ({ summed, lines, isOnce }) => ({
  id: "agreement",
  look: "agreement",
  title: "What each part gives, laid end to end",
  wait: "Loading the votes of this image …",
  numbers(scene) {
    const sums = summed(scene);
    if (sums === null) return null;
    const { given, poses } = sums;
    const types = TYPES(given[0], lastOf(poses[0]));
    const chains = given.map((vectors, i) =>
      CHAINS[i](vectors, lastOf(poses[i]), types),
    );
    return { ...sums, scene, chains, across: acrossOf(chains) };
  },
  picture(n, act) {
    const { chains, across } = n;
    const { types } = chains[0];
    const looks = looksOf(n, act);
    const count = n.given[0][0].length - types.length;
    const rest = otherWords(count, n.group);
    const rows = [
      ...types.map((type, i) => arrowRow(n, i, partOf(n, type, looks, act))),
      ...(rest ? [arrowRow(n, types.length, h("span", {}, rest))] : []),
    ];
    return [
      h(
        "div",
        { class: "chains-stage", "data-picture": "" },
        h(
          "div",
          {
            class: "chains",
            "--columns": columnsOf(across).join(" "),
            "--columns-apart": columnsOf(across).join(" 2rem ").concat(" 2rem"),
            "--height": types.length,
          },
          headRow(n),
          rows,
          sumRow(n),
        ),
        classColumn(n, looks),
      ),
      h(
        "div",
        { class: "chain-key" },
        strokeKey([
          ["is-gain", 6, "wide: much of the sum"],
          ...(isOnce
            ? []
            : [/** @type {const} */ (["is-before", 3, "in the iteration before"])]),
        ]),
        note(flatWords(n)),
        h(
          "details",
          { class: "more fine", "data-lines": "" },
          h("summary", {}, "The algorithm, line by line"),
          h(
            "ol",
            {},
            lines.map((line) => h("li", {}, line)),
          ),
        ),
      ),
    ];
  },
  behind: ({ group, names, chains }) => [
    {
      head: [
        group,
        ...names.flatMap((name) =>
          chains[0].lengths.map(
            (_, step) => `length for ${name}${when(step, chains[0].lengths.length)}`,
          ),
        ),
      ],
      rows: chains[0].lengths[0].map((_, i) => [
        chains[0].types[i] ?? "all others",
        ...chains.flatMap(({ lengths }) => lengths.map((step) => step[i])),
      ]),
    },
  ],
  line: (n) => tellChains({ ...n, isOnce }),
  words: ({ group, one: noun, poses }) => [
    `Saw: what the ${group}’s capsule sees of the image that gives most. Says: its votes alone, decoded. An arrow is the sum of these votes, each times its coupling, and so the sum of all arrows is that of all votes, s; squash makes its length the ${noun}’s.`,
    `All arrows of an image have one scale. Across: the direction of v${poses[0].length > 1 ? " after the last iteration" : ""}. Up: the direction at right angles to it along which these arrows are longest. What drawing them flat keeps is a share of their squared lengths; figures are of all numbers of a vector.`,
  ],
});

/** @template Value @param {readonly Value[]} all */
const lastOf = (all) => all[all.length - 1];

/** How much of the arrows two axes keep. @param {Shown} n */
function flatWords({ chains, names }) {
  const kept = chains.map((chain, i) => `${percent(chain.kept, 0)} for ${names[i]}`);
  return `drawn flat, which keeps ${kept.join(", ")}`;
}

/**
 * What the decoder draws, by types; of the class itself under -1.
 * @param {Shown} n @param {Act} act
 * @returns {(type: number) => Float32Array | null}
 */
function looksOf(n, { decoded }) {
  if (!n.isDrawn) return () => null;
  const { model, run, given, poses, step, chains } = n;
  const [digit] = n.classes;
  const { types } = chains[0];
  const name = [digit, step, ...types].join("/");
  const pose = poses[0][step];
  const votes = types.map((type) => given[0][step][type]);
  const [picture] = decoded(model, run, [
    {
      ...{ name, digit, types: [-1, ...types] },
      like: `${digit}`,
      poses: () => [[...pose], ...saidPoses(votes, pose)],
    },
  ]);
  if (picture === null) return () => null;
  const images = imagesIn(picture);
  return (type) => images[picture.types.indexOf(type)] ?? null;
}

const imagesIn = memoizeByObject(
  (/** @type {Decoded} */ decoded) => decoded,
  ({ types, images }) => {
    const size = images.length / types.length;
    return types.map((_, at) => images.subarray(at * size, (at + 1) * size));
  },
);

/** @typedef {ReturnType<typeof looksOf>} Looks */

/**
 * What a part saw and says, and its name.
 * @param {Shown & { scene: object }} n @param {number} type @param {Looks} looks @param {Act} act
 */
function partOf(n, type, looks, act) {
  const { scene, group, chosen, pixels, chains, names, step } = n;
  const field = n.seenBy(type);
  const says = chains[0].arrows[step][2 * chains[0].types.indexOf(type)] > 0;
  const piece = field && painted({ pixels, field }, paintPiece);
  const label = says
    ? `What ${group} ${type} says: its votes for ${names[0]}, decoded`
    : `${group} ${type} speaks against ${names[0]}`;
  const look = `chain-picture ${says ? "" : "is-against"}`;
  return [
    piece && named(`What ${group} ${type} saw`, piece, "chain-picture"),
    n.isDrawn && named(label, says ? painted(looks(type), imageOn(n)) : "−", look),
    button([h("span", {}, `${group} `), `${type}`], () => act.chooseType(scene, type), {
      pressed: chosen === type,
      class: "chain-name",
    }),
  ];
}

/** As wide as what they show is long. @param {Shown["across"]} across */
const columnsOf = (across) => across.map(({ wide }) => `minmax(0, ${wide}fr)`);

/** @param {HTMLCanvasElement} canvas @param {{ pixels: Pixels, field: Field }} seen */
const paintPiece = (canvas, { pixels, field }) =>
  paintPixels(canvas, pieceOf(pixels, field));

/** @param {Shown} n @returns {(canvas: HTMLCanvasElement, image: Float32Array) => void} */
const imageOn =
  ({ model }) =>
  (canvas, image) =>
    paintImage(canvas, image, shapeOf(model));

/** What the pictures are, whose arrows these are, and how long 1 is. @param {Shown} n */
function headRow({ names, places, across, isDrawn, seenBy, chains }) {
  const hasSeen = chains[0].types.some((type) => seenBy(type));
  const scale = lastOf(ticksTo(across[0].wide / 6, 1)) || 1;
  return [
    h(
      "span",
      { class: "chain-of fine", "aria-hidden": "true" },
      hasSeen && h("span", { class: "chain-picture" }, "saw"),
      isDrawn && h("span", { class: "chain-picture" }, "says"),
    ),
    names.map((name, i) =>
      h(
        "h4",
        { class: "chain-head" },
        h(
          "span",
          {},
          `for ${brief(name)}`,
          places[i] && h("span", { class: "chain-place" }, `, ${places[i]}`),
        ),
        i === 0 &&
          h(
            "span",
            {
              class: "chain-scale fine",
              "--wide": `${round((100 * scale) / across[0].wide)}%`,
            },
            `length ${scale}`,
          ),
      ),
    ),
  ];
}

/** Which iteration it is, where there is more than one. @param {number} step @param {number} steps */
const when = (step, steps) => (steps === 1 ? "" : `, iteration ${step + 1}`);

/** What the class is now. @param {Shown} n @param {Looks} looks */
function classColumn(n, looks) {
  const { names, poses, step, one } = n;
  const at = step > 0 ? step - 1 : null;
  const lengthAt = (/** @type {number} */ which, /** @type {number} */ when) =>
    Math.hypot(...poses[which][when]);
  return h(
    "div",
    { class: "chain-class" },
    h("h4", {}, `${names[0]} now`),
    n.isDrawn &&
      named(
        `What the vector of ${names[0]} draws${when(step, poses[0].length)}`,
        painted(looks(-1), imageOn(n)),
        "chain-now",
      ),
    names.map((name, i) =>
      h(
        "p",
        { class: "chain-length" },
        h("b", { dir: "auto" }, name),
        h(
          "span",
          {
            class: "chain-bar",
            "aria-hidden": "true",
            "--now": `${round(100 * lengthAt(i, step))}%`,
            "--before": at === null ? null : `${round(100 * lengthAt(i, at))}%`,
          },
          h("span", {}),
          at !== null && h("span", {}),
        ),
        h("output", { "aria-label": `Length of ${name}` }, presence(lengthAt(i, step))),
      ),
    ),
    note(`length of the ${one}: its sum’s, squashed below 1`),
  );
}

/**
 * How much of each class's picture is across, for all iterations: from where to where arrows
 * reach, one by one and laid end to end.
 * @param {readonly Chain[]} chains
 */
function acrossOf(chains) {
  const spans = chains.map(({ arrows }) => {
    const all = arrows.flatMap((points) => [
      ...evens(points),
      ...placesOf(points).map(([x]) => x),
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
 * What one type gives to these, and before it the same in the iteration before.
 * @param {Shown} n @param {number} i @param {Content} name
 */
function arrowRow(n, i, name) {
  const { chains, across, step } = n;
  const whole = wholeOf(across);
  const ups = chains.flatMap(({ arrows }) => arrows.map((points) => points[2 * i + 1]));
  const high = boundsOf(ups, whole);
  return [
    h("span", { class: "chain-of" }, name),
    chains.map((chain, which) => {
      const arrowAt = (/** @type {number} */ at) =>
        chain.arrows[at].slice(2 * i, 2 * i + 2);
      const [x, y] = arrowAt(step);
      const before =
        step > 0 ? arrow([0, 0], arrowAt(step - 1), "is-before", 3, whole) : [];
      const width = widthOf(chain, step, i);
      const now = arrow([0, 0], [x, y], lookOf(chain, which, i, x), width, whole);
      const length = fixed(chain.lengths[step][i], 2);
      return pictureOf(n, which, { ...high, end: x }, length, [before, now]);
    }),
  ];
}

/** @param {Chain} chain @param {number} which @param {number} i @param {number} x */
const lookOf = ({ types }, which, i, x) =>
  i === types.length || which === 1 ? "is-rest" : x < 0 ? "is-loss" : "is-gain";

/** @param {Shown["across"]} across */
const wholeOf = (across) => across.reduce((sum, { wide }) => sum + wide, 0);

/** The arrows laid end to end. @param {Shown} n */
function sumRow(n) {
  const { chains, across, step } = n;
  const whole = wholeOf(across);
  const all = chains.flatMap(({ arrows }) =>
    arrows.flatMap((points) => placesOf(points).map(([, y]) => y)),
  );
  const high = boundsOf(all, whole);
  return [
    h("span", { class: "chain-of is-sum" }, "laid end to end: ", h("b", {}, "the sum")),
    chains.map((chain, which) => {
      const points = chain.arrows[step];
      const places = placesOf(points);
      const links = chain.lengths[step].map((_, i) => {
        const by = [points[2 * i], points[2 * i + 1]];
        const look = lookOf(chain, which, i, by[0]);
        return arrow(places[i], by, look, widthOf(chain, step, i), whole);
      });
      const [end] = lastOf(places);
      const length = fixed(chain.sums[step], 2);
      return pictureOf(n, which, { ...high, end }, length, links, "is-sum");
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
 * @param {string} length its length
 * @param {Content} arrows @param {string} [look]
 */
function pictureOf(
  { across, names, poses, step },
  which,
  { top, high, end },
  length,
  arrows,
  look = "",
) {
  const { from, wide } = across[which];
  const last = which === across.length - 1 ? "is-last" : "";
  return h(
    "div",
    { class: `chain ${last} ${look}` },
    h(
      "svg",
      {
        viewBox: `${round(from)} ${round(-top)} ${round(wide)} ${round(high)}`,
        role: "img",
        "aria-label": `${length} for ${names[which]}${when(step, poses[0].length)}`,
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
      length,
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
