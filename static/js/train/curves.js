/**
 * The curves of a run, and of one beside it: test digits misread and the loss.
 * @import { Recipes, Run } from "../types.js"
 * @import { History } from "./history.js"
 */
import { capitalized, fixed, grouped, percent } from "../lib/format.js";
import { findElement, setText } from "../ui/dom.js";
import { numberTable } from "../ui/tables.js";
import { createChart } from "./chart.js";
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

/** What the axis is called. @typedef {"images" | "seconds"} Over */

/** @typedef {{ run: Run, name: string, history: History }} Drawn */

const LEAST_ERROR = 0.001;
const LEAST_LOSS = 1e-4;

/**
 * @param {HTMLElement} root
 * @param {(value: number, over: Over) => void} goTo
 */
export function mountCurves(root, goTo) {
  /** @type {{ drawn: readonly Drawn[], over: Over } | null} */
  let now = null;
  const choose = (/** @type {number} */ value) => now && goTo(value, now.over);
  const point = (/** @type {number | null} */ value) =>
    setText(
      pointed,
      value === null || now === null ? "" : pointedWords(now.drawn, value, now.over),
    );
  const pointed = findElement(root, "[data-pointed]");
  const errors = createChart(findElement(root, "[data-errors]"), choose, point);
  const losses = createChart(findElement(root, "[data-losses]"), choose, point);
  const numbers = numberTable();
  findElement(root, "[data-numbers]").append(numbers.element);

  return {
    /**
     * @param {readonly Drawn[]} drawn one or two
     * @param {Over} over @param {number | null} at the moment on show
     * @param {Recipes | null} recipes
     */
    show(drawn, over, at, recipes) {
      now = { drawn, over };
      const [one, other] = drawn;
      const looks = ["", "is-beside"];
      const end = Math.max(1, ...drawn.map(({ history }) => history.now[over]));
      const training = {
        points: one.history.points.map((each) => ({
          x: each[over],
          y: 1 - each.accuracy,
        })),
        look: "is-training",
        name: "of training images",
      };
      errors.show({
        lines: [
          ...drawn.map(({ history, name }, i) => ({
            points: history.counts.map((each) => ({ x: each[over], y: each.error })),
            look: looks[i],
            name: other ? name : `of ${testedOn(one.run)}s`,
            hasDots: true,
          })),
          ...(other ? [] : [training]),
        ],
        ...{ end, over, least: LEAST_ERROR },
        tick: (share) => percent(share, share < 0.01 ? 1 : 0),
        words: drawn
          .map(
            ({ run, name, history }) =>
              `${capitalized(name)}: ${errorWords(history, testedOn(run))}`,
          )
          .join(" "),
      });
      losses.show({
        lines: drawn.map(({ history, name }, i) => ({
          points: history.points.map((each) => ({ x: each[over], y: each.loss })),
          look: looks[i],
          name: other ? name : "loss",
        })),
        ...{ end, over, least: LEAST_LOSS, tick: brief },
        words: drawn
          .map(
            ({ name, history }) => `${capitalized(name)}: ${lossWords(history.points)}`,
          )
          .join(" "),
      });
      errors.mark(at);
      losses.mark(at);
      const settings =
        recipes?.architectures.find(({ name }) => name === one.run.architecture)
          ?.settings ?? [];
      const ahead = other
        ? [
            differenceWords(one.run, other.run),
            aheadWords(
              { name: one.name, counts: one.history.counts },
              { name: other.name, counts: other.history.counts },
              over,
            ),
            mindWords(one.run, other.run, over, settings),
          ]
        : [];
      setText(findElement(root, "[data-ahead]"), ahead.filter(Boolean).join(" "));
      setText(
        findElement(root, "[data-loss-words]"),
        other ? "" : lossWords(one.history.points),
      );
      numbers.show(() => numbersOf(drawn));
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
export function pointedWords(drawn, value, over) {
  return drawn
    .map(({ history }) => {
      const point = lastUntil(history.points, value, over) ?? history.points[0];
      const count = lastUntil(history.counts, value, over);
      if (point === undefined) return "";
      const misread = count === null ? "" : `, ${percent(count.error, 1)} misread`;
      return `${grouped(point.images)} images, ${secondsWords(point.seconds)}: loss ${brief(point.loss)}${misread}`;
    })
    .filter(Boolean)
    .join(" | ");
}

/**
 * @param {readonly Drawn[]} drawn
 * @returns {import("../ui/tables.js").Numbers}
 */
export function numbersOf(drawn) {
  const rows = drawn.flatMap(({ history }, i) =>
    history.counts.map((count) => [
      ...(drawn.length > 1 ? [i === 0 ? "first" : "second"] : []),
      grouped(count.images),
      fixed(count.seconds, 1),
      grouped(count.tested - rightOf(count)),
      String(count.gained.length),
      String(count.lost.length),
    ]),
  );
  const heads = ["images", "seconds", "misread", "won", "lost"];
  return { heads: [...(drawn.length > 1 ? ["run"] : []), ...heads], rows };
}
