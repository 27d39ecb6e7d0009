/**
 * Capsules in a comparison: the activations of a layer for two images, a tile for each type;
 * of capsules alone all their numbers.
 * @import { CapsulesState } from "./types.js"
 * @import { ComparisonMount } from "../types.js"
 */
import { angleBetween, largestOf, mostDifferent, reach } from "../../lib/arithmetic.js";
import { diverging, sequential } from "../../lib/color.js";
import { fixed } from "../../lib/format.js";
import { findElement, setText } from "../../ui/dom.js";
import { pictureTriple } from "../../ui/pictures.js";
import { isAlone } from "./index.js";
import { placeWords } from "./places.js";

const ACROSS = 4; // types in a row

/** Degrees: two equal vectors are so far apart by rounding. */
const SAME_ANGLE = 0.01;

/** A capsule that is more active than this is said to be active. */
const ACTIVE = 0.5;

/** @type {ComparisonMount<CapsulesState>} */
export function mount(root, store, layer) {
  const { id } = layer;
  const section = findElement(root, `[data-compared="${id}"]`);
  const words = findElement(section, "[data-activation-words]");
  const place = findElement(section, "[data-activations]");
  if (isAlone(layer)) return mountNumbers(place, words, store);
  const pictures = pictureTriple(place, `Activations of ${id}, a tile for each type`);
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

/**
 * All numbers of capsules alone, a row for each capsule.
 * @param {HTMLElement} place @param {HTMLElement} words
 * @param {Parameters<ComparisonMount<CapsulesState>>[1]} store
 */
function mountNumbers(place, words, store) {
  const pictures = pictureTriple(place, "Numbers of all capsules, a row for each");
  store.watch(["trace", "keptTrace"], ({ trace, keptTrace }) => {
    const [kept, shown] = [keptTrace, trace].map(({ tensors }) => tensors.compared);
    const [rows, columns] = shown.shape;
    const lengths = [keptTrace, trace].map(({ tensors }) => tensors.activation.data);
    setText(words, turnedWords([kept.data, shown.data], lengths));
    const most = Math.max(reach(kept.data), reach(shown.data)) || 1;
    pictures.show({
      kept: kept.data,
      shown: shown.data,
      layout: { count: 1, across: 1, rows, columns, gap: 0 },
      unit: "number in a capsule",
      scale: diverging(most),
      differenceReach: most,
    });
  });
}

/**
 * How far capsules turned between two images, and which changed its length the most.
 * @param {readonly Float32Array[]} poses of the kept image and of the shown one, capsule by
 *   capsule
 * @param {readonly Float32Array[]} lengths of both
 */
export function turnedWords([kept, shown], [was, is]) {
  const size = kept.length / was.length;
  const angles = Array.from(was, (_, i) => {
    const own = [kept, shown].map((all) => all.subarray(i * size, (i + 1) * size));
    return angleBetween(own[0], own[1]) ?? 0;
  });
  const [most, least] = [largestOf(angles), largestOf(angles.map((angle) => -angle))];
  const longer = mostDifferent(was, is);
  if (longer === null && angles[most] < SAME_ANGLE)
    return `All ${was.length} capsules are the same for both images.`;
  const turned =
    angles[most] < 0.5
      ? "No capsule turns by half a degree or more."
      : `Capsule ${most} turns the most, by ${fixed(angles[most], 0)}°, and capsule ${least} the least, by ${fixed(angles[least], 0)}°.`;
  return longer === null
    ? `${turned} No length differs.`
    : `${turned} The length of capsule ${longer} differs the most: it is ${fixed(was[longer])} for the kept image and ${fixed(is[longer])} for the shown one.`;
}

/** @param {readonly number[]} shape types, rows, columns */
export function tilesOf([count, rows, columns]) {
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
