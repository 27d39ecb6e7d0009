/**
 * Capsules in a comparison: the activations of a layer for two images, a tile for each type.
 * @import { CapsulesState } from "./types.js"
 * @import { ComparisonMount } from "../types.js"
 */
import { sequential } from "../../lib/color.js";
import { findElement, setText } from "../../ui/dom.js";
import { pictureTriple } from "../../ui/pictures.js";
import { placeWords } from "./places.js";

const ACROSS = 4; // types in a row

/** A capsule that is more active than this is said to be active. */
const ACTIVE = 0.5;

/** @type {ComparisonMount<CapsulesState>} */
export function mount(root, store, { id }) {
  const section = findElement(root, `[data-compared="${id}"]`);
  const words = findElement(section, "[data-activation-words]");
  const pictures = pictureTriple(
    findElement(section, "[data-activations]"),
    `Activations of ${id}, a tile for each type`,
  );
  store.watch(["trace", "keptTrace"], ({ trace, keptTrace }) => {
    const { shape, data: shown } = trace.tensors.activation;
    const { data: kept } = keptTrace.tensors.activation;
    setText(words, activationWords(kept, shown, shape));
    pictures.show({
      kept,
      shown,
      layout: tilesOf(shape),
      unit: "activation",
      scale: sequential(0, 1),
      differenceReach: 1,
      decimals: 0,
    });
  });
}

/** @param {readonly number[]} shape types, rows, columns */
export function tilesOf([count, rows = 1, columns = 1]) {
  const gap = Math.max(1, Math.round(rows / 4));
  return { count, across: Math.min(ACROSS, count), rows, columns, gap };
}

/**
 * @param {ArrayLike<number>} kept activations
 * @param {ArrayLike<number>} shown
 * @param {readonly number[]} grid types, rows, columns
 */
export function activationWords(kept, shown, grid) {
  const counts = { both: 0, kept: 0, shown: 0, none: 0 };
  for (let i = 0; i < kept.length; i++) {
    const [was, is] = [kept[i] > ACTIVE, shown[i] > ACTIVE];
    counts[was && is ? "both" : was ? "kept" : is ? "shown" : "none"]++;
  }
  return `Above ${ACTIVE}, of ${kept.length} capsules: ${counts.both} for both images, ${counts.kept} for the kept image only, ${counts.shown} for the shown one only, ${counts.none} for neither. ${placeWords(kept, shown, "The activation", grid)}`;
}
