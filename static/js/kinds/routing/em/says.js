/**
 * What the types of capsules below say of a class: the mean of each one's votes, weighted by
 * what they count, R·a, through the decoder. The class's mean μ is the mean of these means.
 * @import { Panel } from "../../../ui/panel.js"
 * @import { EmScene } from "./types.js"
 */
import { named, painted } from "../../../draw/picture.js";
import { sum } from "../../../lib/arithmetic.js";
import { percent } from "../../../lib/format.js";
import { shapeOf } from "../../../lib/pixels.js";
import { paintImage } from "../../../paint/heatmap.js";
import { h, note } from "../../../ui/h.js";
import { POSE } from "../../matrices.js";
import { weightsOf } from "./sums.js";

/** @typedef {{ type: number, share: number, pose: number[] }} Voice share: of the weight of all votes */

/**
 * @param {Pick<EmScene["routed"], "assignments" | "presence" | "parents" | "children" | "votes">} routed
 * @param {number} step @param {number} parent
 * @returns {Voice[]} of the types that count, those first that count most
 */
export function voicesOf(routed, step, parent) {
  const { children, votes } = routed;
  const weights = weightsOf(/** @type {any} */ (routed), step, parent);
  const total = sum(weights);
  const types = [...new Set(children.map(({ type }) => type))];
  return types
    .map((type) => {
      const members = [...children.keys()].filter((i) => children[i].type === type);
      const weight = sum(members.map((i) => weights[i]));
      const pose = Array.from({ length: POSE }, (_, d) =>
        sum(
          members.map(
            (i) => weights[i] * votes[(parent * children.length + i) * POSE + d],
          ),
        ),
      ).map((value) => value / weight);
      return { type, share: weight / total, pose };
    })
    .filter(({ share }) => share > 0)
    .sort((a, b) => b.share - a.share);
}

/** @typedef {EmScene & { voices: readonly Voice[] }} Heard */

/** @type {Panel<EmScene, Heard>} */
export const says = {
  id: "says",
  look: "em-says",
  title: ({ name }) => `What each type says of ${name}`,
  numbers: (scene) => ({
    ...scene,
    voices: isDrawn(scene) ? voicesOf(scene.routed, scene.step, scene.parent) : [],
  }),
  picture(n, act) {
    const { voices, routed, step, parent, name, model } = n;
    if (!isDrawn(n)) return note("The decoder draws classes alone.");
    const [decoded] = act.decoded(model, routed.votes, [
      {
        name: `${parent}/${step}`,
        like: `${parent}`,
        digit: parent,
        types: voices.map(({ type }) => type),
        poses: () => [
          [...routed.means(step, parent)],
          ...voices.map(({ pose }) => pose),
        ],
      },
    ]);
    const size = decoded ? decoded.images.length / (decoded.types.length + 1) : 0;
    const imageAt = (/** @type {number} */ at) =>
      decoded && at >= 0 ? decoded.images.subarray(at * size, (at + 1) * size) : null;
    const drawn = (/** @type {number} */ at, /** @type {string} */ label) => {
      const paint = (
        /** @type {HTMLCanvasElement} */ canvas,
        /** @type {Float32Array} */ image,
      ) => paintImage(canvas, image, shapeOf(model));
      return named(label, painted(imageAt(at), paint), "chain-picture");
    };
    return h(
      "ul",
      { "data-picture": "" },
      h(
        "li",
        {},
        drawn(0, `What the mean of all votes for ${name} draws`),
        h("span", {}, `${name} now`),
      ),
      voices.map(({ type, share }) =>
        h(
          "li",
          {},
          drawn(
            decoded ? placeIn(decoded.types, type) : -1,
            `What type ${type} says of ${name}: the mean of its votes, decoded`,
          ),
          h("span", {}, `type ${type}, ${percent(share, 0)}`),
        ),
      ),
    );
  },
  behind: ({ voices }) => [
    { head: ["type", "share"], rows: voices.map(({ type, share }) => [type, share]) },
  ],
  words: ({ name }) => [
    `A picture is what the decoder draws of the mean of a type’s votes for ${name}, each weighted by R·a; the share is of the weight of all. By these shares, the means add up to μ, which ${name} is now.`,
  ],
};

/** Where its picture is, after that of the class; below 0 where there is none. @param {readonly number[]} types @param {number} type */
function placeIn(types, type) {
  const at = types.indexOf(type);
  return at < 0 ? at : at + 1;
}

/** Whether the decoder draws what is above. @param {Pick<EmScene, "routed" | "model">} scene */
const isDrawn = ({ routed, model }) =>
  routed.isToClasses && model.can?.reconstruct === true;
