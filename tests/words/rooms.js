/**
 * What lies beside a network's views: the Lab's experiments, Compare, the Atlas and Train, put
 * up as the page does. Each is mounted when it is first asked for.
 */
import { cardsIn, FakeElement, stringsIn, verdictsIn } from "./page.js";

/**
 * @param {object} page
 * @param {(path: string) => Promise<any>} page.get a module of the page
 * @param {any} page.store @param {any} page.actions @param {any} page.services
 * @param {(network: any) => any} page.roomOf
 * @param {(model: any) => Promise<any>} page.loadNetwork
 * @param {() => Promise<void>} page.settled
 */
export function createRoomsBeside(page) {
  const { get, store, actions, services, roomOf, loadNetwork, settled } = page;
  /** @type {Map<string, FakeElement>} */
  const roots = new Map();

  /** @param {string} name @param {(root: FakeElement) => Promise<void>} mount */
  async function rootOf(name, mount) {
    const known = roots.get(name);
    if (known) return known;
    const root = new FakeElement();
    roots.set(name, root);
    await mount(root);
    return root;
  }

  const lab = async (/** @type {FakeElement} */ root) => {
    const { mountLab } = await get("lab/index.js");
    const does = {
      ...{ useModel: actions.useModel, switchNetwork: actions.switchNetwork },
      ...{ openInExplore() {}, loadNetwork },
    };
    const fail = () => {
      throw new Error("an experiment’s scripts could not be had");
    };
    const own = { ...services, ...does };
    mountLab(root, store, actions, own, { showMissing: fail, offer() {} });
  };
  const compare = async (/** @type {FakeElement} */ root) => {
    const { mountCompare } = await get("compare/index.js");
    root.dataset.view = "compare";
    mountCompare(root, store, actions, roomOf);
  };
  const atlas = async (/** @type {FakeElement} */ root) => {
    const { mountAtlas } = await get("atlas/index.js");
    mountAtlas(root, store, actions, services);
  };
  const train = async (/** @type {FakeElement} */ root) => {
    const { mountTrain } = await get("train/index.js");
    mountTrain(root, store, actions, services, loadNetwork, () => {});
  };

  /** @type {Record<string, (options: any) => Promise<FakeElement>>} */
  const openers = {
    async lab({ experiment, slice }) {
      const root = await rootOf("lab", lab);
      const { experimentSlice } = await get("core/state.js");
      const { experiments } = store.get();
      const open = experiments.find(({ id }) => id === experiment);
      await open.load();
      actions.openExperiment(experiment);
      const panel = root.querySelector(`[data-experiment="${experiment}"]`);
      while (panel.getAttribute("aria-busy") !== "false") await settled();
      const { lab: now } = store.get();
      const opened = experimentSlice(store.get(), open);
      const settings = { ...opened.settings, ...slice?.settings };
      const chosen = { ...opened, ...slice, ...(opened.settings && { settings }) };
      store.set({ lab: { ...now, slices: { ...now.slices, [experiment]: chosen } } });
      return panel;
    },
    async compare({ kept }) {
      const root = await rootOf("compare", compare);
      store.set({ mode: "explore", view: "compare", kept, keptTrace: null });
      return root;
    },
    async atlas({ selection, point = null, map = "" }) {
      const root = await rootOf("atlas", atlas);
      store.set({ mode: "atlas" });
      const now = store.get().atlas;
      store.set({
        atlas: { ...now, selection: selection ?? now.selection, point, map },
      });
      return root;
    },
    async train() {
      const root = await rootOf("train", train);
      store.set({ mode: "train" });
      return root;
    },
  };

  /**
   * @param {string} name @param {object} [options]
   * @returns {Promise<{ strings: string[], verdicts: Record<string, string>, cards: Record<string, string> }>}
   *   all that it says, and in the Lab what each network reads and all that its card says
   */
  return async function stringsOf(name, options = {}) {
    const root = await openers[name](options);
    await settled();
    const { problem } = store.get();
    if (problem) throw new Error(problem);
    const filled = root.querySelector("[data-verdicts]");
    const [verdicts, cards] = [verdictsIn(filled), cardsIn(filled)];
    return { strings: [...stringsIn(root)], verdicts, cards };
  };
}
