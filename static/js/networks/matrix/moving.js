/**
 * What a moved stroke changes in matrix capsules: the poses of the primary capsules.
 * @import { MovingForm } from "../../types.js"
 */

/** @type {MovingForm<"primary.poses">} */
export const form = {
  needs: ["primary.poses"],
  layersOf({ tensors }) {
    const { shape, data } = tensors["primary.poses"];
    const size = shape[shape.length - 2] * shape[shape.length - 1];
    return [{ id: "primary", title: "Primary", many: "poses", size, data }];
  },
};
