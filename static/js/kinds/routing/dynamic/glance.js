/**
 * Routing by agreement in the picture of the whole network: coupling times the vote along a
 * sum s. Over all capsules that adds up to the length of s.
 * @import { LayerGlance, Tensor } from "../../types.js"
 */
import { lengthsOf } from "../../../lib/arithmetic.js";
import { madeBy, nounsOf } from "./ends.js";

/** Where the network does not answer with what each adds, it follows from these. */
const PARTS = ["couplings", "agreement", "capsules"];

/** @type {LayerGlance} */
export const glance = {
  needs: ({ tensors }) => [
    ...("contributions" in tensors ? ["contributions"] : PARTS),
    ...("given" in tensors ? ["given"] : []),
  ],
  of({ tensors }, layer) {
    /** @type {Tensor | null} */
    const contributions = tensors.contributions ?? contributionsOf(tensors);
    if (contributions === null) return null;
    const [steps, parts, ...axes] = contributions.shape;
    const places = axes.slice(0, -1).reduce((product, size) => product * size, 1);
    const { singular, plural } = nounsOf(layer);
    return {
      form: "rivers",
      rivers: [
        {
          below: layer.below ?? "",
          above: madeBy(layer)?.id ?? null,
          steps,
          parts,
          places,
          by: "capsules",
          amounts: contributions.data,
          given: tensors.given?.data ?? null,
          isSigned: true,
          unit: 1,
          adds: (amount) => `adds ${amount} to a ${singular}’s sum`,
          total: "its sum",
          than: "",
          even: `each capsule gives all ${plural} an equal share`,
        },
      ],
    };
  },
};

/**
 * A capsule v points where its sum s does, so the vote along s is the agreement û·v over
 * the length of v.
 * @param {Partial<Record<string, Tensor>>} tensors
 * @returns {Tensor | null}
 */
function contributionsOf({ couplings, agreement, capsules }) {
  if (!couplings || !agreement || !capsules) return null;
  const [steps, above, numbers] = capsules.shape;
  const lengths = lengthsOf(capsules.data, numbers);
  const size = couplings.data.length / steps;
  return {
    shape: couplings.shape,
    data: couplings.data.map((coupling, at) => {
      const length = lengths[Math.floor(at / size) * above + (at % above)];
      return length > 0 ? (coupling * agreement.data[at]) / length : 0;
    }),
  };
}
