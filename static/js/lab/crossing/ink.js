/**
 * What a network's two answers claim of the image, all along a sweep: each image's two
 * highest classes are decoded, whatever its labels are.
 * @import { Sweep } from "../shared/ask.js"
 * @import { Code, Services } from "../../types.js"
 */
import { SCORES } from "../../core/scores.js";
import { ranked, rowsOf } from "../../lib/arithmetic.js";
import { givenRight, matchOf } from "../../lib/overlap.js";

/** Each digit alone, and its label. @typedef {{ alone: readonly Float64Array[], labels: readonly (number | null)[] }} Truth */

/** The network's answer to one image of a sweep. @typedef {{ image: number, classIndex: number, pose: number[] }} Answer */

/**
 * The two classes with the highest scores of each image, with their poses.
 * @param {Pick<Sweep, "tensors">} sweep @param {Pick<Code, "tensor">} code
 * @returns {Answer[]} two for each image, the highest first
 */
export function answersIn({ tensors }, { tensor }) {
  const poses = rowsOf(tensors[tensor]);
  return rowsOf(tensors[SCORES]).flatMap((scores, image) => {
    const size = poses[image].length / scores.length;
    return ranked(scores)
      .slice(0, 2)
      .map((classIndex) => {
        const from = classIndex * size;
        const pose = Array.from(poses[image].subarray(from, from + size));
        return { image, classIndex, pose };
      });
  });
}

/**
 * Decode answers, all of one class in one request.
 * @param {Services["server"]} server @param {Sweep["model"]} model
 * @param {readonly Answer[]} answers
 * @returns {Promise<Float32Array[]>} what each draws
 */
export async function decodeAnswers(server, model, answers) {
  const drawn = /** @type {Float32Array[]} */ (new Array(answers.length));
  const classes = [...new Set(answers.map(({ classIndex }) => classIndex))];
  await Promise.all(
    classes.map(async (digit) => {
      const indices = [...answers.keys()].filter(
        (i) => answers[i].classIndex === digit,
      );
      const poses = indices.map((i) => answers[i].pose);
      const { images } = await server.computeTensors(model, "reconstruct", {
        digit,
        poses,
      });
      const size = images.data.length / indices.length;
      indices.forEach((index, i) => {
        drawn[index] = images.data.slice(i * size, (i + 1) * size);
      });
    }),
  );
  return drawn;
}

/**
 * What both answers to an image claim of it.
 * @typedef {object} Claims
 * @property {[number, number]} classes for the first digit and for the second
 * @property {[Float32Array, Float32Array]} drawn what their capsules draw
 * @property {number | null} share of ink given right; null where no pixel has ink of one
 *   digit alone
 */

/**
 * @param {readonly Answer[]} answers as `answersIn` lists them
 * @param {readonly Float32Array[]} drawn one for each
 * @param {readonly Truth[]} truths one for each image
 * @returns {Claims[]} one for each image
 */
export function claimsIn(answers, drawn, truths) {
  return truths.map((truth, image) => {
    const pictures = [2 * image, 2 * image + 1].map((i) => ({
      classIndex: answers[i].classIndex,
      data: drawn[i],
    }));
    if (matchOf(truth, pictures).isTurned) pictures.reverse();
    const [first, second] = pictures;
    return {
      classes: [first.classIndex, second.classIndex],
      drawn: [first.data, second.data],
      share: givenRight(truth.alone, [first.data, second.data]),
    };
  });
}
