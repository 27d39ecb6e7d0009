/**
 * EM routing in the picture of the whole network: who supplies what the classes get. Shares
 * of what is assigned are multiplied from the classes down, so every layer passes on
 * exactly the activation of each class.
 * @import { LayerGlance, Tensor } from "../../types.js"
 * @import { River } from "../../../overview/types.js"
 * @import { Route } from "./types.js"
 */

/** @type {LayerGlance} */
export const glance = {
  needs: ({ tensors }) =>
    Object.keys(tensors).filter(
      (role) => role === "spoken" || role === "given" || role.endsWith("flow"),
    ),
  of({ tensors }, layer) {
    /** @type {Route[]} */
    const routes = layer.words.routes;
    const rivers = routes.flatMap(({ to, from, prefix }, at) => {
      const flow = tensors[`${prefix}flow`];
      const isLowest = routes.every((route) => route.to !== from);
      const above = at === 0 ? null : to;
      return flow === undefined
        ? []
        : [
            {
              ...riverOf(flow, isLowest ? tensors.spoken : undefined),
              below: from,
              above,
              ...(above === null && { given: tensors.given?.data, isOfMeans: true }),
            },
          ];
    });
    return rivers.length < routes.length ? null : { form: "rivers", rivers };
  },
};

/**
 * @param {Tensor} flow between types
 * @param {Tensor | undefined} spoken what each capsule gives; in the lowest layer
 * @returns {Omit<River, "below" | "above">}
 */
function riverOf({ shape, data: amounts }, spoken) {
  const [steps, parts] = shape;
  const [, , rows, columns] = spoken?.shape ?? [steps, parts, 1, 1];
  return {
    steps,
    parts,
    places: rows * columns,
    by: "types",
    amounts,
    spoken: spoken?.data,
    isSigned: false,
    unit: 0.25,
    adds: (amount) => `gives ${amount} of a class’s activation`,
    total: "its activation",
    than: "",
    even: "each capsule gives all that it reaches an equal share",
  };
}
