/**
 * Two images in matrix capsules: the activations of each layer, the pose
 * of the class in focus, and what is assigned to it after the last iteration.
 * @import { ComparedState, ComparedStore } from "../../../types.js"
 * @import { LayerName, Matrix } from "../types.js"
 * @import { Reading } from "./figures.js"
 */
import { focusedDigit } from "../../../core/state.js";
import { sequential } from "../../../lib/color.js";
import { findElement, setText } from "../../../ui/dom.js";
import { pictureTriple } from "../../../ui/pictures.js";
import { gridOf } from "../places.js";
import { sizesOf } from "../state.js";
import { readingOf } from "./figures.js";
import { fillTypes } from "./types.js";
import { activationWords, assignmentWords } from "./words.js";

/** @typedef {"primary.activations" | "caps1.activations" | "caps2.activations" | "routing.assignments"} Need */
/** @typedef {ComparedState<Matrix, Need>} State */

const ACROSS = 4; // types in a row
const LAYERS = /** @type {const} */ (["primary", "caps1", "caps2"]);

/** Activations and assignments are in [0, 1], and so are their differences' magnitudes. */
const SHARES = { scale: sequential(0, 1), differenceReach: 1, decimals: 0 };

/**
 * @param {HTMLElement} root
 * @param {ComparedStore<Matrix, Need>} store
 */
export function mount(root, store) {
  const layers = LAYERS.map((layer) => mountLayer(root, layer));
  const assignments = pictureTriple(
    findElement(root, "[data-assignments]"),
    "Assignments of all Caps2 capsules, a tile for each type",
  );

  store.watch(["trace", "keptTrace", "digit", "model"], (state) => {
    const now = /** @type {State} */ (state);
    const digit = focusedDigit(now);
    const name = now.model.class_names[digit];
    const [kept, shown] = [now.keptTrace, now.trace].map((run) =>
      readingOf(run, digit),
    );
    for (const place of root.querySelectorAll("[data-focus]")) setText(place, name);
    for (const show of layers) show(now);
    showAssignments(root, assignments, now, [kept, shown]);
  });
}

/**
 * @param {HTMLElement} root
 * @param {LayerName} layer
 */
function mountLayer(root, layer) {
  const words = findElement(root, `[data-${layer}-words]`);
  const pictures = pictureTriple(
    findElement(root, `[data-${layer}]`),
    `Activations of ${layer}, a tile for each type`,
  );

  /** @param {State} state */
  return ({ model, trace, keptTrace }) => {
    const { shape, data: shown } = trace.tensors[`${layer}.activations`];
    const { data: kept } = keptTrace.tensors[`${layer}.activations`];
    setText(words, activationWords(kept, shown, gridOf(sizesOf(model), layer)));
    pictures.show({
      kept,
      shown,
      layout: tilesOf(shape),
      unit: "activation",
      ...SHARES,
    });
  };
}

/**
 * @param {HTMLElement} root
 * @param {ReturnType<typeof pictureTriple>} pictures
 * @param {State} state
 * @param {readonly Reading[]} readings kept, shown
 */
function showAssignments(root, pictures, { model, trace, digit }, [kept, shown]) {
  const name = model.class_names[focusedDigit({ digit, trace })];
  const grid = gridOf(sizesOf(model), "caps2");
  const [iterations] = trace.tensors["routing.assignments"].shape;
  setText(findElement(root, "[data-iteration]"), `after iteration ${iterations}`);
  setText(
    findElement(root, "[data-assignments-words]"),
    assignmentWords(kept.assignments, shown.assignments, name, grid),
  );
  pictures.show({
    kept: kept.assignments,
    shown: shown.assignments,
    layout: tilesOf([grid.types, grid.side, grid.side]),
    unit: "assignment R",
    ...SHARES,
  });
  fillTypes(findElement(root, "[data-types]"), [kept, shown], grid.types);
}

/** @param {readonly number[]} shape types, rows, columns */
function tilesOf([count, rows, columns]) {
  const gap = Math.max(1, Math.round(rows / 4));
  return { count, across: Math.min(ACROSS, count), rows, columns, gap };
}
