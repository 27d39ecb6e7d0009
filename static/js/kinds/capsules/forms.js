/**
 * What a layer of capsules is made of, as its description says.
 * @import { Layer } from "../types.js"
 * @import { CapsulesState } from "./types.js"
 */
import { choosing } from "./places.js";
import { hasPlaces } from "./source.js";

/** Whether its poses are vectors. @param {Pick<Layer, "form">} layer */
export const isVector = ({ form }) => form !== "matrices";

/** Whether its capsules stand in no place. @param {Layer} layer */
export const isAlone = (layer) => !hasPlaces(layer);

/** Whether each number is one map times one kernel. @param {Layer} layer */
export const isDepthwise = ({ form, order }) => form === "alone" && order === undefined;

/** Whether these kernels are known. @param {Layer} layer */
export const isWorked = (layer) =>
  isDepthwise(layer) && layer.weights?.kernels !== undefined;

/** Whether a convolution's maps are cut into them. @param {Layer} layer */
export const isCut = (layer) =>
  isVector(layer) && !isDepthwise(layer) && "below" in layer.tensors;

/**
 * What choosing a capsule changes.
 * @param {Pick<Layer, "form">} layer @param {number} capsule
 * @returns {Partial<CapsulesState>}
 */
export const chosen = (layer, capsule) =>
  isVector(layer) ? choosing(capsule) : { capsule };
