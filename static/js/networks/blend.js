/**
 * Joins the layers of a network that are made of kinds with views of its own, until all are
 * made of kinds.
 * @import { AnyNetwork, AnyView } from "../types.js"
 */

/**
 * @param {AnyNetwork} made by `createNetwork`
 * @param {AnyNetwork} rest what is still the network's own
 * @param {readonly string[]} order ids of all views
 * @returns {AnyNetwork}
 */
export function blend(made, rest, order) {
  const views = /** @type {AnyView[]} */ (
    order.map((id) => [...made.views, ...rest.views].find((view) => view.id === id))
  );
  return {
    ...rest,
    views,
    slice: (model, before) => ({
      ...rest.slice(model, before),
      ...made.slice(model, before),
    }),
    options: (state) => ({ ...rest.options?.(state), ...made.options?.(state) }),
    wants: (state) => [...(rest.wants?.(state) ?? []), ...(made.wants?.(state) ?? [])],
    link: {
      write(link, slice, model) {
        made.link?.write(link, slice, model);
        rest.link?.write(link, slice, model);
      },
      read: (link, model) => ({
        ...rest.link?.read(link, model),
        ...made.link?.read(link, model),
      }),
    },
    start(store, services) {
      made.start?.(store, services);
      rest.start?.(store, services);
    },
  };
}
