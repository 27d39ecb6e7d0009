/**
 * The flow from types to digits in words.
 * @import { Scene } from "../scene.js"
 */
import { sum } from "../../../../lib/arithmetic.js";
import { fixed, percent, signed } from "../../../../lib/format.js";

/** Of lengths: what half precision leaves where all is even. */
export const ROUNDING = 1e-3;

/**
 * @param {Scene} scene
 * @returns {string} what all ribbons together show
 */
export function describeFlow({ figures, step, digit, name }) {
  const { types, classes, data } = figures.flow(step);
  const total = sum(data) || 1;
  let mine = 0;
  let strongest = 0;
  for (let type = 0; type < types; type++) {
    const amount = data[type * classes + digit];
    mine += amount;
    if (amount > data[strongest * classes + digit]) strongest = type;
  }
  return `${percent(mine / total, 1)} of all capsule length goes to ${name}; an even share would be ${percent(1 / classes, 0)}. Type ${strongest} sends it the most.`;
}

/**
 * @param {Scene} scene
 * @returns {string} what routing has moved
 */
export function describeMoved({ figures, step, digit, name }) {
  const { types, classes, data } = figures.moved(step);
  const { data: flow } = figures.flow(step);
  const total = sum(flow) || 1;
  let moved = 0;
  let [mine, best, worst] = [0, 0, 0];
  for (let i = 0; i < data.length; i++) moved += Math.max(0, data[i]);
  for (let type = 0; type < types; type++) {
    const amount = data[type * classes + digit];
    mine += amount;
    if (amount > data[best * classes + digit]) best = type;
    if (amount < data[worst * classes + digit]) worst = type;
  }
  if (figures.uneven(step) === 0)
    return step === 0
      ? "In the first iteration every capsule splits evenly: nothing has been moved yet."
      : "Every capsule splits evenly: nothing has been moved.";
  if (moved < ROUNDING)
    return `Routing has moved a capsule length of less than ${ROUNDING} in all.`;
  const net = percent(Math.abs(mine) / total, 2);
  const balance =
    net === percent(0, 2)
      ? `What ${name} gains and loses cancels out.`
      : mine > 0
        ? `On balance ${name} has gained ${net}, the most from type ${best}.`
        : `On balance ${name} has lost ${net}, the most from type ${worst}.`;
  return `Routing has moved ${percent(moved / total, 2)} of all capsule length. ${balance} The ribbons are drawn ${enlargement({ figures })} times as wide as under “all that flows”.`;
}

/**
 * How many times as wide as in the picture of all that flows ribbons are drawn that show
 * what was moved: at its scale, the most that is moved would be thinner than a hair.
 * @param {Pick<Scene, "figures">} scene
 */
export function enlargement({ figures }) {
  const total = sum(figures.flow(0).data);
  return Math.round(total / figures.mostMoved());
}

/**
 * @param {Scene} scene
 * @param {number} type
 * @param {number} digit
 * @returns {string} one ribbon's numbers
 */
export function readRibbon({ figures, step, model }, type, digit) {
  const { classes, data } = figures.flow(step);
  const at = type * classes + digit;
  const share = figures.shares(step).data[at] + 1 / classes;
  const moved = figures.moved(step).data[at];
  return `type ${type} → ${model.class_names[digit]}: Σ c·‖u‖ = ${fixed(data[at], 3)}, ${percent(share, 1)} of the type; ${signed(moved, 3)} beyond even`;
}
