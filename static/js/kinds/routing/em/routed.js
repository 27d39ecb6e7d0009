/**
 * EM routing to the capsules above at one position, as all its pictures read it: the same
 * whether these are classes or the types of a convolutional layer.
 * @import { Layer, Model, Reach, Tensor } from "../../types.js"
 * @import { Grid, Place, RoutingModel } from "../types.js"
 * @import { LearnedRole, Route, RouteRole } from "./types.js"
 */

import { bothOf, fieldAt } from "../../../geometry/windows.js";
import { numbered } from "../../../lib/format.js";
import { memoizeByIndex } from "../../../lib/memoize.js";
import { numberOf, placeIn } from "../../capsules/places.js";
import { POSE } from "../../matrices.js";

/** λ_t is proportional to 1 - 0.95^(t+1); `HEATING` of `model/layers/em.py`. */
const HEATING = 0.95;

/**
 * @typedef {object} Routed
 * @property {Route} route
 * @property {boolean} isToClasses
 * @property {Grid} grid of the capsules above
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

/** @typedef {Record<RouteRole, Tensor>} Tensors of one route */

/** @typedef {Record<LearnedRole, Tensor>} Learned what a layer above has learned */

/** The window through which a position sees the capsules below. @typedef {Pick<Reach, "size" | "step" | "first">} Window */

/**
 * What a route needs, by its roles without their prefix.
 * @template {string} Role
 * @param {Readonly<Partial<Record<string, Tensor>>>} all
 * @param {readonly Role[]} roles
 * @param {Route} route
 * @returns {Record<Role, Tensor> | null} null while some are on their way
 */
export function ofRoute(all, roles, { prefix }) {
  const tensors = roles.map((role) => [role, all[prefix + role]]);
  return tensors.every(([, tensor]) => tensor !== undefined)
    ? Object.fromEntries(tensors)
    : null;
}

/**
 * @param {Layer} layer that routes
 * @param {Route} route @param {Model} model
 * @returns {Grid} of the capsules above; classes have one position
 */
export function gridAbove(layer, { prefix }, model) {
  const [, types, rows = 1, columns = 1] = layer.shapeOf(model, `${prefix}activations`);
  return { types, rows, columns };
}

/**
 * @param {Layer} layer that routes
 * @param {Route} route @param {Model} model
 * @returns {Reach | null} null: the capsules above see all of the grid below, as classes do
 */
function windowOf({ network }, { to }, model) {
  return network.find(({ id }) => id === to)?.window?.(model) ?? null;
}

/**
 * @param {Tensors} tensors @param {object} of
 * @param {Layer} of.layer
 * @param {Route} of.route
 * @param {RoutingModel} of.model
 * @param {Learned} of.learned
 * @param {Pick<Place, "row" | "column">} of.position above; of classes there is one
 * @returns {Routed}
 */
export function routedOf(tensors, { layer, route, model, learned, position }) {
  const [types, rows, columns] = tensors.presence.shape;
  const below = { types, rows, columns };
  const grid = gridAbove(layer, route, model);
  const { types: parents } = grid;
  const everywhere = parents * grid.rows * grid.columns;
  const [iterations] = tensors.costs.shape;
  const window = windowOf(layer, route, model) ?? { size: [rows, columns], step: 1 };
  const isToClasses = windowOf(layer, route, model) === null;
  const children = childrenOf(below, window, position);
  const numbers = children.map((child) => numberOf(below, child));
  const all = types * rows * columns;
  const at = (/** @type {number} */ type) => numberOf(grid, { type, ...position });
  const votesOf = votesReader(tensors.votes, { isToClasses, grid, window, children });
  const row = (/** @type {number} */ step, /** @type {number} */ child) => {
    const from = (step * all + numbers[child]) * everywhere;
    return tensors.assignments.data.subarray(from, from + everywhere);
  };
  const sixteen = (/** @type {Tensor} */ { data }) => {
    return (/** @type {number} */ step, /** @type {number} */ capsule) => {
      const from = (step * everywhere + capsule) * POSE;
      return data.subarray(from, from + POSE);
    };
  };
  const scalar = (/** @type {Tensor} */ { data }) => {
    return (/** @type {number} */ step, /** @type {number} */ capsule) =>
      data[step * everywhere + capsule];
  };
  const [means, deviations] = [sixteen(tensors.means), sixteen(tensors.deviations)];
  const [activations, costs] = [scalar(tensors.activations), scalar(tensors.costs)];
  const names = isToClasses ? model.class_names : numbered(parents);

  return {
    route,
    isToClasses,
    grid,
    names,
    parents,
    everywhere,
    iterations,
    children,
    numbers,
    row,
    presence: Float32Array.from(numbers, (number) => tensors.presence.data[number]),
    votes: gathered(children.length, parents, (child, parent) =>
      votesOf(child, { type: parent, ...position }),
    ),
    assignments: memoizeByIndex((step) =>
      Float32Array.from(
        { length: children.length * parents },
        (_, i) => row(step, Math.floor(i / parents))[at(i % parents)],
      ),
    ),
    means: (step, parent) => means(step, at(parent)),
    deviations: (step, parent) => deviations(step, at(parent)),
    activation: (step, parent) => activations(step, at(parent)),
    cost: (step, parent) => costs(step, at(parent)),
    rivals: (child) =>
      Array.from({ length: everywhere }, (_, capsule) => capsule).flatMap((capsule) => {
        const stand = placeIn(grid, capsule);
        const vote = votesOf(child, stand);
        if (vote === null) return [];
        const isHere = stand.row === position.row && stand.column === position.column;
        /** @param {number} step @returns {Fit} */
        const fit = (step) => ({
          mean: means(step, capsule),
          deviation: deviations(step, capsule),
          activation: activations(step, capsule),
        });
        return [{ parent: isHere ? stand.type : -1, vote, fit }];
      }),
    betaU: (parent) => learned.betaU.data[parent],
    betaA: (parent) => learned.betaA.data[parent],
    lambda: (step) =>
      learned.lambda.data[0] *
      ((1 - HEATING ** (step + 1)) / (1 - HEATING ** model.routing_iterations)),
    floor: floorOf(model),
  };
}

/** @param {Model} model @returns {number} of every variance; its card tells it */
function floorOf({ card }) {
  const { variance_floor } = /** @type {{ variance_floor?: number }} */ (card.config);
  return variance_floor ?? 0;
}

/**
 * The capsules below that a position sees, type by type, row by row.
 * @param {Grid} below @param {Window} window
 * @param {Pick<Place, "row" | "column">} position
 * @returns {Place[]}
 */
function childrenOf({ types }, window, position) {
  const [rows, columns] = bothOf(window.size);
  const first = fieldAt(window, position);
  return Array.from({ length: types * rows * columns }, (_, slot) => {
    const { type, row, column } = placeIn({ rows, columns }, slot);
    return { type, row: first.row + row, column: first.column + column };
  });
}

/**
 * How the votes of the children are found: for classes they stand child by child, for
 * convolutional layers window by window.
 * @param {Tensor} votes
 * @param {{ isToClasses: boolean, grid: Grid, window: Window, children: Place[] }} of
 * @returns {(child: number, to: Place) => Float32Array | null} null: its window does not
 *   hold the child
 */
function votesReader({ data }, { isToClasses, grid, window, children }) {
  const [rows, columns] = bothOf(window.size);
  const everywhere = grid.types * grid.rows * grid.columns;
  const slots = data.length / (everywhere * POSE);
  return (child, to) => {
    const { type, row, column } = children[child];
    const first = fieldAt(window, to);
    const slot = { type, row: row - first.row, column: column - first.column };
    const isSeen =
      slot.row >= 0 && slot.row < rows && slot.column >= 0 && slot.column < columns;
    if (!isSeen) return null;
    const number = numberOf({ rows, columns }, slot);
    const at = isToClasses
      ? number * grid.types + to.type
      : numberOf(grid, to) * slots + number;
    return data.subarray(at * POSE, (at + 1) * POSE);
  };
}

/**
 * @param {number} children @param {number} parents
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

/**
 * What a capsule above is called in a sentence.
 * @param {Pick<Routed, "isToClasses" | "names">} routed @param {number} parent
 */
export function nameOf({ isToClasses, names }, parent) {
  return isToClasses ? names[parent] : `type ${names[parent]}`;
}
