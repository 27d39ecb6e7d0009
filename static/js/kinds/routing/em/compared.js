/**
 * EM routing in a comparison: what the capsules below assign to the class in focus for two
 * images, after the last iteration.
 * @import { EmState } from "./types.js"
 * @import { ComparisonMount } from "../../types.js"
 */
import { focusedClass } from "../../../core/state.js";
import { sum } from "../../../lib/arithmetic.js";
import { sequential } from "../../../lib/color.js";
import { percent } from "../../../lib/format.js";
import { findElement, setText } from "../../../ui/dom.js";
import { pictureTriple } from "../../../ui/pictures.js";
import { tilesOf } from "../../capsules/compared.js";
import { placeWords } from "../../capsules/places.js";
import { fillTypes } from "../compared.js";

const WORDS = { share: "mean R", given: "Σ R·a", all: "all", isMeanTold: true };

/** @type {ComparisonMount<EmState>} */
export function mount(root, store) {
  const words = findElement(root, "[data-assignments-words]");
  const pictures = pictureTriple(
    findElement(root, "[data-assignments]"),
    "Assignments of all Caps2 capsules, a tile for each type",
  );
  store.watch(["trace", "keptTrace", "classIndex", "model"], (state) => {
    const { trace, keptTrace, model } = state;
    const classIndex = focusedClass(state);
    const name = model.class_names[classIndex];
    const readings = [keptTrace, trace].map((run) => readingOf(run, classIndex));
    const [kept, shown] = readings.map(({ shares }) => shares);
    const [iterations] = trace.tensors.assignments.shape;
    const grid = trace.tensors.presence.shape;
    for (const place of root.querySelectorAll("[data-focus]")) setText(place, name);
    setText(findElement(root, "[data-iteration]"), `after iteration ${iterations}`);
    setText(words, assignmentWords(kept, shown, name, grid));
    pictures.show({
      kept,
      shown,
      layout: tilesOf(grid),
      unit: "assignment R",
      scale: sequential(0, 1),
      differenceReach: 1,
      decimals: 0,
    });
    fillTypes(findElement(root, "[data-types]"), readings, grid[0], WORDS);
  });
}

/**
 * What one image has of a class after the last iteration.
 * @param {Pick<EmState["trace"], "tensors">} trace @param {number} classIndex
 * @returns {import("../compared.js").Reading} R of each capsule below to the class, and R·a,
 *   what its vote counts
 */
export function readingOf({ tensors }, classIndex) {
  const { data: presence } = tensors.presence;
  const { shape, data } = tensors.assignments;
  const [iterations] = shape;
  const classes = shape[shape.length - 1];
  const first = (iterations - 1) * presence.length * classes;
  const shares = presence.map((_, child) => data[first + child * classes + classIndex]);
  return { shares, given: presence.map((each, child) => each * shares[child]) };
}

/**
 * @param {ArrayLike<number>} kept assignments of every capsule to the class
 * @param {ArrayLike<number>} shown
 * @param {string} name of the class
 * @param {readonly number[]} grid types, rows, columns
 */
export function assignmentWords(kept, shown, name, grid) {
  const [was, is] = [kept, shown].map((shares) =>
    percent(sum(shares) / shares.length, 0),
  );
  const share =
    was === is
      ? `${name} gets ${is} of the votes for both images.`
      : `${name} gets ${was} of the votes for the kept image and ${is} for the shown one.`;
  return `${share} ${placeWords(kept, shown, "The assignment", grid)}`;
}
