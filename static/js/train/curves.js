/**
 * The curves of a run, and of one beside it: test digits misread and the loss.
 * @import { Recipes, Run } from "../types.js"
 * @import { History } from "./history.js"
 */
import {
  capitalized,
  counted,
  fixed,
  grouped,
  percent,
  sentences,
} from "../lib/format.js";
import { make, setText } from "../ui/dom.js";
import { fill, h } from "../ui/h.js";
import { choices } from "../ui/inputs.js";
import { fold, valuesTable } from "../ui/values.js";
import { chart, MISREAD } from "./chart.js";
import { lastUntil, rightOf } from "./history.js";
import {
  aheadWords,
  brief,
  differenceWords,
  lossWords,
  mindWords,
  secondsWords,
  testedOn,
} from "./words.js";

/** What the axis is called. */
const AXES = /** @type {const} */ (["images", "seconds"]);

/** @typedef {typeof AXES[number]} Over */

/** @typedef {{ run: Run, name: string, history: History }} Drawn */

const LEAST_LOSS = 1e-4;
const LOOKS = ["", "is-beside"];
const ABOUT =
  "Both vertical axes are logarithmic: each grid line is about three times the one below. Training images are counted as the network reads them just before it learns from them, and changed as the settings say. Click a curve to go to that moment.";

/**
 * @param {HTMLElement} root filled
 * @param {(value: number, over: Over) => void} goTo
 * @param {(over: Over) => void} turn asked for another axis
 */
export function mountCurves(root, goTo, turn) {
  const pointed = make("p", "readout");

  return {
    /**
     * @param {readonly Drawn[]} drawn one or two
     * @param {Over} over @param {number | null} at the moment on show
     * @param {Recipes | null} recipes
     */
    show(drawn, over, at, recipes) {
      const [first, second] = drawn;
      const end = Math.max(1, ...drawn.map(({ history }) => history.now[over]));
      const axis = {
        over,
        at,
        end,
        choose: (/** @type {number} */ value) => goTo(value, over),
        point: (/** @type {number | null} */ value) =>
          setText(pointed, value === null ? "" : pointedWords(drawn, value, over)),
      };
      const training = {
        points: first.history.points.map((point) => ({
          x: point[over],
          y: 1 - point.accuracy,
        })),
        look: "is-training",
        name: "of training images",
      };
      const errors = drawn.map(({ history, name }, i) => ({
        points: history.counts.map((count) => ({ x: count[over], y: count.error })),
        look: LOOKS[i],
        name: second ? name : `of ${testedOn(first.run)}s`,
        hasDots: true,
      }));
      const losses = drawn.map(({ history, name }, i) => ({
        points: history.points.map((point) => ({ x: point[over], y: point.loss })),
        look: LOOKS[i],
        name: second ? name : "loss",
      }));
      const caption = (/** @type {(each: Drawn) => string} */ words) =>
        drawn.map((curve) => `${capitalized(curve.name)}: ${words(curve)}`).join(" ");
      const settings =
        recipes?.architectures.find(({ name }) => name === first.run.architecture)
          ?.settings ?? [];
      const named = drawn.map(({ name, history }) => ({
        name,
        counts: history.counts,
      }));
      const ahead = second && [
        differenceWords(first.run, second.run),
        aheadWords(named[0], named[1], over, testedOn(first.run)),
        mindWords(first.run, second.run, over, settings, testedOn(first.run)),
      ];
      const look = { "aria-label": "Drawn over" };
      fill(
        root,
        h(
          "div",
          { class: "tools" },
          h("h3", { id: "train-curves-title" }, "Learning"),
          choices("Over", AXES, AXES.indexOf(over), (i) => turn(AXES[i]), look),
        ),
        h("p", { class: "train-ahead" }, ahead && sentences(ahead)),
        h("h4", {}, "Share misread"),
        h(
          "div",
          { "data-errors": "" },
          chart({
            ...axis,
            ...MISREAD,
            lines: second ? errors : [...errors, training],
            label: caption(({ run, history }) => errorWords(history, testedOn(run))),
          }),
        ),
        h("h4", {}, "Loss on training images"),
        chart({
          ...axis,
          lines: losses,
          least: LEAST_LOSS,
          tick: brief,
          label: caption(({ history }) => lossWords(history.points)),
        }),
        pointed,
        h("p", {}, !second && lossWords(first.history.points)),
        h("p", { class: "fine" }, ABOUT),
        fold("Numbers", () => numbersOf(drawn), { class: "numbers" }),
      );
    },
  };
}

/** @param {History} history @param {string} tested see `testedOn` */
function errorWords({ counts }, tested) {
  const [first, last] = [counts[0], counts.at(-1)];
  if (first === undefined || last === undefined) return "not counted yet.";
  return `${percent(first.error, 1)} of the ${tested}s misread at first, ${percent(last.error, 1)} at last.`;
}

/**
 * What the curves say at a place.
 * @param {readonly Drawn[]} drawn @param {number} value @param {Over} over
 */
function pointedWords(drawn, value, over) {
  return drawn
    .map(({ history }) => {
      const point = lastUntil(history.points, value, over) ?? history.points[0];
      const count = lastUntil(history.counts, value, over);
      if (point === undefined) return "";
      const misread = count === null ? "" : `, ${percent(count.error, 1)} misread`;
      return `${counted(point.images, "image")}, ${secondsWords(point.seconds)}: loss ${brief(point.loss)}${misread}`;
    })
    .filter(Boolean)
    .join(" | ");
}

/** What was counted, run by run. @param {readonly Drawn[]} drawn */
function numbersOf(drawn) {
  const all = drawn.flatMap(({ history }, i) =>
    history.counts.map((count) => ({ ...count, run: i === 0 ? "first" : "second" })),
  );
  const whose = /** @type {const} */ (["run", all.map(({ run }) => run)]);
  return valuesTable({
    of: "images",
    names: all.map(({ images }) => grouped(images)),
    columns: [
      ...(drawn.length > 1 ? [whose] : []),
      ["seconds", all.map(({ seconds }) => fixed(seconds, 1))],
      ["misread", all.map((count) => grouped(count.tested - rightOf(count)))],
    ],
  });
}
