/**
 * Joins the layers of a network that are made of kinds with views of its own, until all are
 * made of kinds.
 * @import { AnyComparison, AnyNetwork, AnyView } from "../types.js"
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
    routing: made.routing ?? rest.routing,
    notice: made.notice,
    comparison: bothCompared(made.comparison, rest.comparison),
    tasks: async () => ({
      tasks: { ...(await rest.tasks?.())?.tasks, ...(await made.tasks?.())?.tasks },
    }),
    start(store, services) {
      made.start?.(store, services);
      rest.start?.(store, services);
    },
  };
}

/**
 * @param {AnyComparison | undefined} made
 * @param {AnyComparison | undefined} rest
 * @returns {AnyComparison | undefined}
 */
function bothCompared(made, rest) {
  if (made === undefined || rest === undefined) return made ?? rest;
  return {
    needs: [...made.needs, ...rest.needs],
    async load() {
      const parts = await Promise.all([made.load(), rest.load()]);
      return {
        mount: (root, store) => {
          for (const { mount } of parts) mount(root, store);
        },
      };
    },
  };
}
