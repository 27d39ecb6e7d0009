/**
 * What the decoder draws in the Overview: of the class in focus after an iteration, and of
 * what parts say. The picture of the trace is of its verdict in the last iteration.
 * @import { Decoded, Wish } from "../core/decoding.js"
 * @import { NetworkState, Services } from "../types.js"
 * @import { Scene } from "./types.js"
 */
import { createDecoding, saidPoses } from "../core/decoding.js";

const IN_HASTE_MS = 250; // from one request to the next while readings come fast

/**
 * @typedef {object} Drawing
 * @property {readonly (Float32Array | null)[]} drawn of each class that is asked for; none
 *   where nothing is drawn
 * @property {ReadonlyMap<number, Decoded>} said by class, what its parts say
 */

/**
 * @typedef {object} Asked
 * @property {Scene} scene
 * @property {readonly number[]} wanted classes to be drawn
 * @property {readonly number[]} answers classes that parts speak for
 * @property {number} step
 * @property {readonly number[]} types those that speak
 * @property {boolean} [isHasty] the next reading comes at once
 */

/**
 * @param {{ get: () => NetworkState | null }} open
 * @param {Services} services @param {() => void} draw called once there is more to show
 * @returns {(asked: Asked) => Drawing} until more comes, what was drawn of the image before
 */
export function createDrawn(open, services, draw) {
  const decoded = createDecoding(services, draw);
  return (asked) => {
    const { scene, wanted, answers, step } = asked;
    const { model } = open.get() ?? {};
    const { drawn, classes, prediction, steps, isEmpty } = scene;
    if (drawn === null || isEmpty || !model) return { drawn: [], said: new Map() };
    const isKnown = (/** @type {number} */ each) =>
      each === prediction && step === steps - 1;
    const others = classes?.pose ? wanted.filter((each) => !isKnown(each)) : [];
    const voices = asked.types.length > 0 ? answers : [];
    const wishes = [
      ...others.map((each) => drawnWish(scene, each, step)),
      ...voices.map((each) => saidWish(asked, each)),
    ];
    const pace = asked.isHasty ? IN_HASTE_MS : undefined;
    const found = decoded(model, scene.rivers, wishes, pace);
    return {
      drawn: wanted.map((each) =>
        isKnown(each) ? drawn.values : (found[others.indexOf(each)]?.images ?? null),
      ),
      said: new Map(
        voices.flatMap((each, at) => {
          const one = found[others.length + at];
          return one ? [[each, one]] : [];
        }),
      ),
    };
  };
}

/** @param {Scene} scene @param {number} digit @param {number} step @returns {Wish} */
function drawnWish({ classes }, digit, step) {
  const name = `drawn/${digit}/${step}`;
  return {
    name,
    like: name,
    digit,
    poses: () => [[...(classes?.pose?.(step, digit) ?? [])]],
  };
}

/** @param {Asked} asked @param {number} digit @returns {Wish} */
function saidWish({ scene, step, types }, digit) {
  return {
    name: ["said", digit, step, ...types].join("/"),
    like: `said/${digit}`,
    digit,
    types,
    poses: () => posesOf({ scene, step, types }, digit),
  };
}

/**
 * The votes of each type alone: their sum as long as the class's pose, or their mean.
 * @param {Pick<Asked, "scene" | "step" | "types">} asked @param {number} classIndex
 * @returns {number[][]}
 */
export function posesOf({ scene, step, types }, classIndex) {
  const river = scene.rivers.find(({ given }) => given);
  const pose = scene.classes?.pose;
  if (!river?.given || !pose) return [];
  const { given, steps, parts, isOfMeans } = river;
  const classes = scene.names.length;
  const numbers = given.length / (steps * parts * classes);
  const now = Math.min(step, steps - 1);
  const votes = types.map((type) => {
    const from = ((now * parts + type) * classes + classIndex) * numbers;
    return given.subarray(from, from + numbers);
  });
  return isOfMeans
    ? votes.map((own) => [...own])
    : saidPoses(votes, pose(step, classIndex));
}
