/**
 * What each type below assigns to whom in the iteration on show, as ribbons.
 * @import { Routed } from "./routed.js"
 * @import { Panel } from "../../../ui/panel.js"
 * @import { EmRoom, EmScene } from "./types.js"
 */

import { ribbons } from "../../../draw/ribbons.js";
import { clamp, sum } from "../../../lib/arithmetic.js";
import { fixed, percent } from "../../../lib/format.js";
import { memoize } from "../../../lib/memoize.js";
import { h } from "../../../ui/h.js";
import { chooseChild, moveParent } from "./scene.js";

/** Names find room beside capsules that get next to nothing. */
const ROOM = { bottom: 17, gap: 26 };
const ELSEWHERE = "else";

const now = memoize(flowOf);
const first = memoize(flowOf);

/** @type {Panel<EmScene>} */
export const flow = {
  id: "flow",
  isFolded: true,
  title: "What is assigned to whom",
  line: (scene) => describe(scene, now(scene.routed, scene.step)),
  picture(scene, /** @type {EmRoom} */ room) {
    const { routed, step, parent, place } = scene;
    const flow = now(routed, step);
    const activations = routed.names.map((_, each) =>
      fixed(routed.activation(step, each), 3),
    );
    return [
      ribbons({
        label:
          "Ribbons from the capsule types below, left, to the capsules above, right. Up and down arrow keys choose a type, left and right a capsule above.",
        ...{ look: "em-flow", room: ROOM },
        ...flow,
        tints: tintsOf(flow, first(routed, 0)),
        full: sum(routed.presence),
        isEven: false,
        ...{ type: place.type, target: parent, choosable: routed.parents },
        names: [...routed.names, ELSEWHERE].slice(0, flow.targets),
        notes: [...activations, ""],
        group: groupOf(flow.amounts.length),
        words(type, target) {
          const at = type * flow.targets + target;
          const name = routed.names[target] ?? "capsules at other places";
          return `type ${type} → ${name}: Σ R·a = ${fixed(flow.amounts[at], 3)}, ${percent(flow.shares[at], 1)} of the type`;
        },
        choose({ type, target }) {
          if (type !== undefined) chooseChild(room, scene, childOfType(scene, type));
          if (target !== undefined) moveParent(room, { type: target });
        },
      }),
      h("p", { class: "fine", "data-flow-text": "" }, describe(scene, flow)),
      h(
        "p",
        { class: "fine flow-signs" },
        "Left: the types of capsules below; right: the capsules above, with the activation of each. Width: assignment × activation, Σ R·a over the type’s capsules. ",
        h("span", { class: "swatch is-gain" }),
        " more than even ",
        h("span", { class: "swatch is-loss" }),
        " less",
      ),
    ];
  },
};

/** All amounts of one size flow into each other. */
const groupOf = memoize((/** @type {number} */ size) => ({ size }));

/**
 * The child of another type that stands where the chosen one does.
 * @param {EmScene} scene @param {number} type
 * @returns {number} -1 where there is none
 */
function childOfType({ place, routed }, type) {
  return routed.children.findIndex(
    (each) =>
      each.type === type && each.row === place.row && each.column === place.column,
  );
}

/**
 * What flows in one iteration.
 * @typedef {object} Flow
 * @property {number} types below
 * @property {number} targets the parents, and those elsewhere where there are any
 * @property {Float32Array} amounts (types, targets) Σ R a
 * @property {Float32Array} shares (types, targets) of what the type has, in 0..1
 */

/** @param {Routed} routed @param {number} step @returns {Flow} */
export function flowOf(routed, step) {
  const { children, parents, presence, assignments } = routed;
  const types = 1 + Math.max(...children.map(({ type }) => type));
  const targets = parents + Number(routed.everywhere > parents);
  const amounts = new Float32Array(types * targets);
  const totals = new Float32Array(types);
  const shares = assignments(step);
  children.forEach(({ type }, child) => {
    let rest = 1;
    for (let parent = 0; parent < parents; parent++) {
      const share = shares[child * parents + parent];
      amounts[type * targets + parent] += share * presence[child];
      rest -= share;
    }
    if (targets > parents)
      amounts[(type + 1) * targets - 1] += Math.max(0, rest) * presence[child];
    totals[type] += presence[child];
  });
  return {
    types,
    targets,
    amounts,
    shares: amounts.map((amount, i) => amount / (totals[Math.floor(i / targets)] || 1)),
  };
}

/**
 * @param {Flow} flow
 * @param {Flow} first that of the first iteration, which is even
 * @returns {Float32Array} -1..1: less than even, even, more
 */
function tintsOf({ shares }, first) {
  return shares.map((share, i) =>
    clamp((share - first.shares[i]) / (1 - first.shares[i] || 1), -1, 1),
  );
}

/** @param {EmScene} scene @param {Pick<Flow, "types" | "targets" | "amounts">} flow */
function describe({ routed, parent, name }, { amounts, targets, types }) {
  const total = sum(amounts);
  if (total === 0) return "No capsule below is active: nothing flows.";
  let mine = 0;
  let strongest = 0;
  for (let type = 0; type < types; type++) {
    const amount = amounts[type * targets + parent];
    mine += amount;
    if (amount > amounts[strongest * targets + parent]) strongest = type;
  }
  const above = routed.isToClasses ? "" : " here";
  return `${percent(mine / total, 1)} of all activation below goes to ${name}${above}, the most from type ${strongest}.`;
}
