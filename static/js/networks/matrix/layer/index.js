/**
 * A layer of matrix capsules: the activations of all, the pose of one, what it sees, and
 * what it votes for.
 * @import { Tensor, TraceOf, ViewStore } from "../../../types.js"
 * @import { Actions, LayerName, Learned, Matrix, MatrixModel, MatrixSizes, Place } from "../types.js"
 */
import { focusedDigit } from "../../../core/state.js";
import { memoize } from "../../../lib/memoize.js";
import { inkOf } from "../../../lib/pixels.js";
import { find, findElement, setText } from "../../../ui/dom.js";
import { tableByType } from "../../../ui/tables.js";
import { ABOVE, fieldOf, gridOf, numberOf, POSE, placeIn } from "../places.js";
import { sizesOf } from "../state.js";
import { mountAbove } from "./above.js";
import { mountCapsule } from "./capsule.js";
import { mountTypes } from "./types.js";
import { meantAbove, voteOf } from "./vote.js";
import { mountVote, nameAbove } from "./votes.js";

/**
 * The layer as it read one image.
 * @typedef {object} Layer
 * @property {LayerName} name
 * @property {MatrixSizes} sizes
 * @property {Float64Array} ink (side, side), the image that the capsules are of
 * @property {Tensor} activations (types, rows, columns)
 * @property {(place: Place) => Capsule} capsule
 */

/**
 * @typedef {object} Capsule
 * @property {LayerName} name
 * @property {MatrixSizes} sizes
 * @property {number} activation in 0..1
 * @property {Float32Array} pose 16 numbers, row by row
 */

/**
 * @typedef {object} Shown what one view shows, whichever layer it is of
 * @property {TraceOf<string>} trace
 * @property {MatrixModel} model
 * @property {number} capsule in focus
 * @property {Place} above in focus
 * @property {Learned} learned by the layer above
 * @property {number} entry
 */

/**
 * @template {LayerName} Name
 * @param {Name} name
 * @param {HTMLElement} root
 * @param {Actions} actions
 */
export function mountLayer(name, root, actions) {
  const above = ABOVE[name];
  /** @type {Shown | null} */
  let shown = null;

  /** @param {Place} place */
  function choose(place) {
    if (shown === null) return;
    const grid = gridOf(sizesOf(shown.model), name);
    actions.chooseCapsule(name, numberOf(grid, place));
  }
  /** @param {Place | null} place */
  function hover(place) {
    if (shown === null) return;
    actions.lookAt(place && fieldOf(sizesOf(shown.model), name, place));
  }
  const types = mountTypes(root, { choose, hover });
  const capsule = mountCapsule(root, actions.chooseEntry);
  const vote = mountVote(root, actions.chooseEntry);
  const target = mountAbove(root, above, (to) => {
    if (above === "classes") actions.focusDigit(to.type);
    else if (shown !== null)
      actions.chooseCapsule(above, numberOf(gridOf(sizesOf(shown.model), above), to));
  });
  const unseen = findElement(root, "[data-unseen-above]");
  const votes = findElement(root, "[data-vote]");
  const folder = find(root, "details.numbers", HTMLDetailsElement);
  const table = findElement(folder, "[data-table]");
  const fill = memoize((/** @type {Layer} */ layer) =>
    table.replaceChildren(tableByType(layer.activations)),
  );
  const read = memoize(
    (/** @type {TraceOf<string>} */ trace, /** @type {MatrixModel} */ model) =>
      layerOf(name, trace, sizesOf(model)),
  );

  function draw() {
    if (shown === null) return;
    const { trace, model, learned, entry } = shown;
    const layer = read(trace, model);
    const from = placeIn(gridOf(layer.sizes, name), shown.capsule);
    types.show(layer, from);
    capsule.show(layer, from, entry);
    const to = meantAbove(layer.sizes, above, from, shown.above);
    unseen.hidden = to !== null;
    votes.hidden = to === null;
    if (to !== null) {
      const { pose } = layer.capsule(from);
      const worked = voteOf({ sizes: layer.sizes, above, learned, pose, from, to });
      target.show(model, from, to);
      vote.show({ pose, vote: worked, entry, whose: nameAbove(model, above, to) });
    }
    const [count, rows] = layer.activations.shape;
    setText(
      findElement(root, "[data-shape]"),
      `${count} types on ${rows}×${rows} places, each a 4×4 pose and an activation`,
    );
    if (folder.open) fill(layer);
  }
  folder.addEventListener("toggle", draw);

  return {
    /** @param {Shown} shownNow */
    show(shownNow) {
      shown = shownNow;
      draw();
    },
    lookAt: capsule.lookAt,
  };
}

/**
 * @param {LayerName} name
 * @param {TraceOf<string>} trace
 * @param {MatrixSizes} sizes
 * @returns {Layer}
 */
export function layerOf(name, { tensors, pixels }, sizes) {
  const activations = tensors[`${name}.activations`];
  const poses = tensors[`${name}.poses`].data;
  const grid = gridOf(sizes, name);
  return {
    name,
    sizes,
    ink: inkOf(pixels),
    activations,
    capsule(place) {
      const at = numberOf(grid, place);
      return {
        name,
        sizes,
        activation: activations.data[at],
        pose: poses.subarray(at * POSE, (at + 1) * POSE),
      };
    },
  };
}

/**
 * The class in focus as a capsule above.
 * @param {Parameters<typeof focusedDigit>[0]} state
 * @returns {Place}
 */
export function classInFocus(state) {
  return { type: focusedDigit(state) ?? 0, row: 0, column: 0 };
}
