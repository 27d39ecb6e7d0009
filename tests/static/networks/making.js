/** What tests of a network begin with: a real store, as the network sees it. */

import { createActions } from "../../../static/js/core/actions.js";
import { createServices } from "../../../static/js/core/live.js";
import { networkStore } from "../../../static/js/core/rooms.js";
import { startOf } from "../../../static/js/core/schema.js";
import { initialState } from "../../../static/js/core/state.js";
import { createStore } from "../../../static/js/core/store.js";

/** What makes states and stores of a network, with its usual model. */
export function makers(network, usual) {
  /** The state of a page that shows a model; `patch` may hold keys of the slice. */
  function stateWith(patch = {}, model = usual) {
    const slice = startOf(network.schema(model));
    const shared = { ...initialState(), model, network };
    for (const [key, value] of Object.entries(patch)) {
      if (key in slice) slice[key] = value;
      else shared[key] = value;
    }
    return { ...shared, slices: { [model.id]: slice } };
  }

  function made(patch = {}, model = usual) {
    const store = createStore(stateWith(patch, model));
    const own = networkStore(store, network);
    const shared = createActions(store, async () => network);
    return {
      store,
      own,
      actions: { ...shared, ...network.actions(own) },
      services: createServices(store),
    };
  }

  return { stateWith, made };
}
