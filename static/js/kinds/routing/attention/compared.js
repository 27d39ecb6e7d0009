/**
 * Attention routing in a comparison: the couplings of two images, and what each capsule
 * gives to the class in focus.
 * @import { AttentionState } from "./types.js"
 * @import { ComparisonMount } from "../../types.js"
 */
import { focusedClass } from "../../../core/state.js";
import { reach } from "../../../lib/arithmetic.js";
import { diverging } from "../../../lib/color.js";
import { findElement, setText } from "../../../ui/dom.js";
import { pictureTriple } from "../../../ui/pictures.js";
import { placeWords } from "../../capsules/places.js";
import { fillTypes } from "../compared.js";
import { figuresOf, ofClass } from "./numbers.js";

const WORDS = {
  share: "c",
  given: "gives to ‖s‖",
  all: "all: mean c, ‖s‖",
  isMeanTold: true,
  corner: "capsule",
};

/** @type {ComparisonMount<AttentionState>} */
export function mount(root, store) {
  const words = findElement(root, "[data-couplings-words]");
  const pictures = pictureTriple(
    findElement(root, "[data-couplings]"),
    "Couplings, a row for each capsule and a column for each class",
  );
  store.watch(["trace", "keptTrace", "classIndex", "model"], (state) => {
    const { trace, keptTrace, model } = state;
    const classIndex = focusedClass(state);
    const readings = [keptTrace, trace].map((run) => readingOf(run, classIndex));
    const [kept, shown] = [keptTrace, trace].map((run) => run.tensors.couplings.data);
    const [rows, columns] = trace.tensors.couplings.shape;
    for (const place of root.querySelectorAll("[data-focus]"))
      setText(place, model.class_names[classIndex]);
    setText(
      words,
      placeWords(readings[0].shares, readings[1].shares, "The coupling", [rows]),
    );
    const most = Math.max(reach(kept), reach(shown)) || 1;
    pictures.show({
      ...{ kept, shown },
      layout: { count: 1, across: 1, rows, columns, gap: 0 },
      scale: diverging(most),
      unit: "coupling c",
      decimals: 2,
      differenceReach: most,
    });
    fillTypes(findElement(root, "[data-types]"), readings, rows, WORDS);
  });
}

/**
 * @param {Pick<AttentionState["trace"], "tensors">} trace @param {number} classIndex
 * @returns {import("../compared.js").Reading}
 */
export function readingOf({ tensors }, classIndex) {
  return {
    shares: ofClass(tensors.couplings, classIndex),
    given: Float32Array.from(figuresOf(tensors).evidence(classIndex)),
  };
}
