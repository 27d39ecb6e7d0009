/**
 * Opens every view of a network over images, iterations and classes in focus, and tells all
 * that the page says there.
 */
import { register } from "node:module";
import { areTimersWaiting, FakeElement, putUp, stringsIn } from "./page.js";
import { createRoomsBeside } from "./rooms.js";

register("./hooks.js", import.meta.url);

/**
 * @param {{ address: string, visits: Visit[] }} asked
 * @typedef {object} Visit
 * @property {string} model
 * @property {number[][] | number[][][]} image rows of ink, or those of each channel
 * @property {number} iterations
 * @property {number | null} focus
 * @property {object} [surgery] what is changed in the network; nothing when absent
 * @property {string[]} [views] ids; all when absent
 * @property {{ name: string, options?: object }[]} [rooms] what lies beside the views
 * @property {object} [source]
 */
export async function walk({ address, visits }) {
  putUp(address);
  const page = await open();
  const pages = [];
  for (const visit of visits) pages.push(await page.visit(visit));
  return pages;
}

/** @param {any} model @param {Visit["image"]} image */
function pixelsOf({ input_shape: [channels, rows, columns] }, image) {
  const bytes = Uint8Array.from(image.flat(2), (ink) => Math.round(255 * ink));
  return { channels, rows, columns, bytes };
}

async function open() {
  const js = new URL("../../static/js/", import.meta.url);
  const get = (path) => import(new URL(path, js).href);
  const { createSteps } = await get("core/steps.js");
  const { createStore } = await get("core/store.js");
  const { createActions } = await get("core/actions.js");
  const { createServices, keepLive } = await get("core/live.js");
  const { createRooms } = await get("core/rooms.js");
  const { initialState, withFittingImages } = await get("core/state.js");
  const { complete, fetchModels, fetchSamples } = await get("core/api.js");
  const { networkOf } = await get("kinds/described.js");
  const { mountVerdict, mountUnlike } = await get("bench/verdict.js");
  const { mountOverview } = await get("overview/index.js");
  const { keepCompared } = await get("core/comparison.js");
  const { keepIntact } = await get("core/intact.js");
  const { EXPERIMENTS } = await get("lab/registry.js");
  const { NO_SURGERY } = await get("kinds/routing/surgery/changes.js");
  const [{ models }, samples] = await Promise.all([fetchModels(), fetchSamples()]);
  await complete(models);
  const loadNetwork = async (model) => networkOf(model);
  const state = { ...initialState(), models, samples, experiments: EXPERIMENTS };
  const store = createStore(state, withFittingImages);
  const actions = createActions(store, loadNetwork);
  let isBusy = false;
  const services = createServices(store, (now) => {
    isBusy = now;
  });
  keepLive(store, services);
  keepCompared(store, services);
  keepIntact(store, services);
  const roomOf = createRooms(store, actions, services);
  const header = new FakeElement();
  mountVerdict(header, store, actions);
  mountUnlike(header, store);
  const overview = new FakeElement();
  mountOverview(overview, store, roomOf, services, createSteps(store));
  /** @type {Map<object, FakeElement>} */
  const panels = new Map();

  const turn = () => new Promise((resolve) => setImmediate(resolve));
  async function settled() {
    for (let still = 0; still < 3; still++) {
      await turn();
      if (!isBusy && !areTimersWaiting()) continue;
      still = 0;
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
  }
  const saidIn = createRoomsBeside({
    ...{ get, store, actions, services, roomOf, loadNetwork, settled },
  });

  /** @param {string} id */
  async function showView(id) {
    const { network } = store.get();
    const room = roomOf(network);
    if (id === "overview") {
      store.set({ mode: "explore", view: id });
      await settled();
      return [...stringsIn(overview)];
    }
    const view = network.views.find((view) => view.id === id);
    store.set({ mode: "explore", view: id });
    let panel = panels.get(view);
    if (panel === undefined) {
      panel = new FakeElement();
      panels.set(view, panel);
      const { mount } = await view.load();
      mount(panel, room.storeOf(view), room.actions, services);
    }
    await settled();
    if (room.storeOf(view).get() === null)
      throw new Error(
        `${store.get().model.id}: ${id} lacks what it is drawn from: ${store.get().problem}`,
      );
    return [...stringsIn(panel)];
  }

  return {
    /** @param {Visit} visit */
    async visit({
      model: id,
      image,
      iterations,
      focus,
      surgery = NO_SURGERY,
      views,
      rooms = [],
      source = { kind: "link" },
    }) {
      const model = models.find((model) => model.id === id);
      if (store.get().model !== model) await actions.useModel(model);
      const { network } = store.get();
      const room = roomOf(network);
      const pixels = pixelsOf(model, image);
      const routed = model.layers.find(
        ({ kind, form }) => kind === "routing" && form !== "attention",
      );
      const step = routed ? { iterations, step: iterations } : {};
      room.store.set({ ...step, pixels, source, classIndex: focus, surgery });
      await settled();
      const strings = {};
      for (const view of views ?? ["overview", ...network.views.map(({ id }) => id)])
        strings[view] = await showView(view);
      /** @type {Record<string, Record<string, string>>} */
      const verdicts = {};
      /** @type {Record<string, Record<string, string>>} */
      const cards = {};
      for (const { name, key = name, options = {} } of rooms) {
        const kept = options.kept && { source, pixels: pixelsOf(model, options.kept) };
        const found = await saidIn(name, kept ? { ...options, kept } : options);
        strings[key] = found.strings;
        verdicts[key] = found.verdicts;
        cards[key] = found.cards;
      }
      strings.header = [...stringsIn(header)];
      const { trace, problem } = store.get();
      if (problem) throw new Error(problem);
      const [head] = overview.querySelector("[data-told]").described;
      return {
        ...{ texts: strings, verdicts, cards },
        scores: [...trace.tensors.scores.data],
        head: head?.content.join("") ?? "",
      };
    },
  };
}
