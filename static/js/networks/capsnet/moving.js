/**
 * What a moved stroke changes in the CapsNet: the poses of its primary capsules.
 * @import { MovingForm } from "../../types.js"
 */

/** @type {MovingForm<"primary.capsules">} */
export const form = {
  needs: ["primary.capsules"],
  layersOf({ tensors }) {
    const { shape, data } = tensors["primary.capsules"];
    const size = shape[shape.length - 1];
    return [{ id: "primary", title: "PrimaryCaps", many: "poses", size, data }];
  },
};
