/**
 * How many weights make votes, and why each pair of a capsule and a class has its own.
 * @import { Model } from "../../../../types.js"
 */
import { grouped, percent } from "../../../../lib/format.js";

/**
 * @param {Pick<Model, "weights" | "parameters">} model
 * @param {{ capsules: number, classes: number, noun: string }} votes `noun`: what a class is called
 * @returns {string} empty where the network has no matrix for each pair
 */
export function weightsWords({ weights, parameters }, { capsules, classes, noun }) {
  const matrices = weights.find(
    ({ shape }) => shape.length === 4 && shape[0] === capsules && shape[1] === classes,
  );
  if (matrices === undefined) return "";
  const [, , to, from] = matrices.shape;
  const all = matrices.shape.reduce((so, side) => so * side, 1);
  return `A vote is û = W·u. Each of the ${grouped(capsules)}×${classes} pairs of a capsule and a ${noun} has a W of its own, ${to}×${from} = ${grouped(to * from)} weights: how a part stands to the whole differs from part to part and from ${noun} to ${noun}. All of them are ${grouped(all)} weights, ${percent(all / parameters, 0)} of the network’s ${grouped(parameters)}.`;
}
