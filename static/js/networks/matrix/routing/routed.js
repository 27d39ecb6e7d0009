/**
 * EM routing to the capsules above at one position, as all its pictures read it: the same
 * whether these are classes or the types of a convolutional layer.
 * @import { Tensor } from "../../../types.js"
 * @import { Above, Learned, MatrixModel, MatrixSizes, Place } from "../types.js"
 */
import { memoizeByIndex } from "../../../lib/memoize.js";
import { BELOW, gridOf, numberOf, POSE, placeIn, windowsOf } from "../places.js";

/** λ_t is proportional to 1 - 0.95^(t+1); `HEATING` of `model/matrix/routing.py`. */
const HEATING = 0.95;

/**
 * @typedef {object} Routed
 * @property {Above} above the layer that is routed to
 * @property {string[]} names of the parents: the capsules above at this position
 * @property {number} parents how many there are
 * @property {number} everywhere parents at all positions
 * @property {number} iterations
 * @property {Place[]} children the capsules below in the window, type by type
 * @property {number[]} numbers of the children on their grid
 * @property {Float32Array} presence (children) a_i, how active each child is
 * @property {Float32Array} votes (parents, children, 16)
 * @property {(step: number) => Float32Array} assignments (children, parents) R_ij
 * @property {(step: number, child: number) => Float32Array} row R of a child to the
 *   capsules above at all positions
 * @property {(step: number, parent: number) => Float32Array} means μ_j (16)
 * @property {(step: number, parent: number) => Float32Array} deviations σ_j (16), floor
 *   included
 * @property {(step: number, parent: number) => number} activation
 * @property {(step: number, parent: number) => number} cost
 * @property {(child: number) => Rival[]} rivals all capsules above that see a child
 * @property {(parent: number) => number} betaU
 * @property {(parent: number) => number} betaA
 * @property {(step: number) => number} lambda λ_t
 * @property {number} floor of every variance
 */

/**
 * A capsule above that competes for a child.
 * @typedef {object} Rival
 * @property {number} parent its number among those at this position; -1 elsewhere
 * @property {ArrayLike<number>} vote V_ij
 * @property {(step: number) => Fit} fit
 */

/** @typedef {{ mean: ArrayLike<number>, deviation: ArrayLike<number>, activation: number }} Fit */

/** The tensors of routing to a layer. */
/** @typedef {Record<"presence" | "votes" | "assignments" | "means" | "deviations" | "activations" | "costs", Tensor>} Tensors */

/**
 * @param {Readonly<Partial<Record<string, Tensor>>>} tensors of a trace
 * @param {Above} above
 * @returns {Tensors | null} null while some are on their way
 */
export function tensorsOf(tensors, above) {
  const own = above === "classes" ? "" : `${above}.`;
  const found = {
    presence: tensors[`${BELOW[above]}.activations`],
    votes: tensors[`${own}votes`],
    assignments: tensors[`${own}routing.assignments`],
    means: tensors[`${own}routing.means`],
    deviations: tensors[`${own}routing.deviations`],
    activations: tensors[`${own}routing.activations`],
    costs: tensors[`${own}routing.costs`],
  };
  return Object.values(found).every((each) => each !== undefined)
    ? /** @type {Tensors} */ (found)
    : null;
}

/**
 * @param {Tensors} tensors
 * @param {object} of
 * @param {Above} of.above
 * @param {MatrixModel} of.model
 * @param {Learned} of.learned
 * @param {Pick<Place, "row" | "column">} of.position above; of classes there is one
 * @returns {Routed}
 */
export function routedOf(tensors, { above, model, learned, position }) {
  const sizes = model.card.config;
  const grid = gridOf(sizes, above);
  const { types: parents } = grid;
  const everywhere = parents * grid.side ** 2;
  const [iterations] = tensors.costs.shape;
  const children = childrenOf(sizes, above, position);
  const below = gridOf(sizes, BELOW[above]);
  const numbers = children.map((child) => numberOf(below, child));
  const all = below.types * below.side ** 2;
  const at = (/** @type {number} */ type) => numberOf(grid, { type, ...position });
  const votesOf = votesReader(tensors.votes, { above, sizes, children });
  const rows = (/** @type {number} */ step, /** @type {number} */ child) => {
    const from = (step * all + numbers[child]) * everywhere;
    return tensors.assignments.data.subarray(from, from + everywhere);
  };
  const sixteen = (/** @type {Tensor} */ { data }) => {
    return (/** @type {number} */ step, /** @type {number} */ capsule) => {
      const from = (step * everywhere + capsule) * POSE;
      return data.subarray(from, from + POSE);
    };
  };
  const one = (/** @type {Tensor} */ { data }) => {
    return (/** @type {number} */ step, /** @type {number} */ capsule) =>
      data[step * everywhere + capsule];
  };
  const [means, deviations] = [sixteen(tensors.means), sixteen(tensors.deviations)];
  const [activations, costs] = [one(tensors.activations), one(tensors.costs)];

  return {
    above,
    names: above === "classes" ? model.class_names : countedNames(parents),
    parents,
    everywhere,
    iterations,
    children,
    numbers,
    presence: Float32Array.from(numbers, (number) => tensors.presence.data[number]),
    votes: gathered(children.length, parents, (child, parent) =>
      votesOf(child, { type: parent, ...position }),
    ),
    assignments: memoizeByIndex((step) =>
      Float32Array.from(
        { length: children.length * parents },
        (_, i) => rows(step, Math.floor(i / parents))[at(i % parents)],
      ),
    ),
    row: rows,
    means: (step, parent) => means(step, at(parent)),
    deviations: (step, parent) => deviations(step, at(parent)),
    activation: (step, parent) => activations(step, at(parent)),
    cost: (step, parent) => costs(step, at(parent)),
    rivals: (child) =>
      Array.from({ length: everywhere }, (_, capsule) => capsule).flatMap((capsule) => {
        const place = placeIn(grid, capsule);
        const vote = votesOf(child, place);
        if (vote === null) return [];
        const isHere = place.row === position.row && place.column === position.column;
        return [
          {
            parent: isHere ? place.type : -1,
            vote,
            fit: (step) => ({
              mean: means(step, capsule),
              deviation: deviations(step, capsule),
              activation: activations(step, capsule),
            }),
          },
        ];
      }),
    betaU: (parent) => learned.betaU[parent],
    betaA: (parent) => learned.betaA[parent],
    lambda: (step) =>
      learned.lambda *
      ((1 - HEATING ** (step + 1)) / (1 - HEATING ** model.routing_iterations)),
    floor: sizes.variance_floor,
  };
}

/**
 * The capsules below that a position sees, type by type, row by row.
 * @param {MatrixSizes} sizes
 * @param {Above} above
 * @param {Pick<Place, "row" | "column">} position
 * @returns {Place[]}
 */
export function childrenOf(sizes, above, position) {
  const { types } = gridOf(sizes, BELOW[above]);
  const { size, stride } = windowsOf(sizes, above);
  return Array.from({ length: types * size ** 2 }, (_, slot) => {
    const { type, row, column } = placeIn({ types, side: size }, slot);
    return {
      type,
      row: row + stride * position.row,
      column: column + stride * position.column,
    };
  });
}

/**
 * How the votes of the children are found: for classes they stand child by child, for
 * convolutional layers window by window.
 * @param {Tensor} votes
 * @param {{ above: Above, sizes: MatrixSizes, children: Place[] }} of
 * @returns {(child: number, to: Place) => Float32Array | null} null: its window does not
 *   hold the child
 */
function votesReader({ data }, { above, sizes, children }) {
  const grid = gridOf(sizes, above);
  const { size, stride } = windowsOf(sizes, above);
  const { types } = gridOf(sizes, BELOW[above]);
  const slots = types * size ** 2;
  return (child, to) => {
    const { type, row, column } = children[child];
    const slot = {
      type,
      row: row - stride * to.row,
      column: column - stride * to.column,
    };
    const isSeen = [slot.row, slot.column].every((each) => each >= 0 && each < size);
    if (!isSeen) return null;
    const number = numberOf({ types, side: size }, slot);
    const at =
      above === "classes"
        ? number * grid.types + to.type
        : numberOf(grid, to) * slots + number;
    return data.subarray(at * POSE, (at + 1) * POSE);
  };
}

/**
 * @param {number} children
 * @param {number} parents
 * @param {(child: number, parent: number) => Float32Array | null} voteOf
 * @returns {Float32Array} (parents, children, 16)
 */
function gathered(children, parents, voteOf) {
  const votes = new Float32Array(parents * children * POSE);
  for (let parent = 0, to = 0; parent < parents; parent++) {
    for (let child = 0; child < children; child++, to += POSE) {
      const vote = voteOf(child, parent);
      if (vote !== null) votes.set(vote, to);
    }
  }
  return votes;
}

/** @param {number} count */
function countedNames(count) {
  return Array.from({ length: count }, (_, type) => String(type));
}
