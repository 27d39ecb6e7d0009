/**
 * The panels of the chosen network's views: in the document while it is chosen, and
 * only the open one shown. They are made of the kinds' templates when it is first
 * chosen; their scripts come later. What is folded within them opens as the state says.
 * @import { Room } from "../core/rooms.js"
 * @import { AppState, Network, Store, View } from "../types.js"
 */

import {
  EXPLORE,
  isSameNetwork,
  isUnfolded,
  panelId,
  shownView,
} from "../core/state.js";
import { whyUnloaded } from "../core/transport.js";
import { stand, stayAt } from "../ui/controls.js";
import { find, make } from "../ui/dom.js";
import { filled } from "../ui/markup.js";

/**
 * @typedef {object} Panels
 * @property {HTMLElement[]} views in the strip's order
 * @property {HTMLElement[]} others what belongs elsewhere: `data-place` says where
 */

/**
 * @param {HTMLElement} stage holds the panels; that of Input is there already
 * @param {(name: string) => HTMLElement} placeOf a part of the page, by its name
 * @param {Store<AppState>} store @param {(network: Network) => Room} roomOf
 * @returns {(view: { id: string }) => HTMLElement} the panel of a view
 */
export function mountPanels(stage, placeOf, store, roomOf) {
  /** @type {Map<Network, Panels>} */
  const panelsByNetwork = new Map();
  /** @type {Map<{ id: string }, HTMLElement>} */
  const panels = new Map();
  /** @type {Panels | null} */
  let current = null;
  const moveFocus = focusMover();

  /** @param {Network} network */
  function panelsOf(network) {
    const networkPanels = panelsFrom(network);
    const room = roomOf(network);
    const notice = networkPanels.others.find(
      ({ dataset }) => dataset.place === "notices",
    );
    if (notice) network.notice?.(notice, room.store, room.actions);
    network.views.forEach((view, i) => {
      panels.set(view, networkPanels.views[i]);
      followState(networkPanels.views[i], store, room.storeOf(view), view);
    });
    return networkPanels;
  }

  store.watch(["network", "model", "mode", "view"], (state) => {
    const { network, model } = state;
    if (network === null || model === null) return;
    const networkPanels = panelsByNetwork.get(network) ?? panelsOf(network);
    panelsByNetwork.set(network, networkPanels);
    if (networkPanels !== current) {
      for (const panel of [...(current?.views ?? []), ...(current?.others ?? [])])
        panel.remove();
      stage.append(...networkPanels.views);
      for (const part of networkPanels.others)
        placeOf(part.dataset.place ?? "").append(part);
      current = networkPanels;
    }
    const focused = document.activeElement;
    for (const panel of /** @type {Iterable<HTMLElement>} */ (stage.children))
      panel.hidden = panel.dataset.view !== shownView(state);
    moveFocus(focused, stage.querySelector(":scope > :not([hidden])"));
  });

  return (/** @type {{ id: string }} */ view) => {
    return panels.get(view) ?? find(stage, `[data-view="${view.id}"]`, HTMLElement);
  };
}

/**
 * Focus does not stay in a view that has closed: it goes to the heading of the one that has
 * opened; on the way back, to what it was on before.
 */
function focusMover() {
  /** @type {{ focused: Element, closed: Element, opened: Element } | null} */
  let last = null;
  return (
    /** @type {Element | null} */ focused,
    /** @type {Element | null} */ opened,
  ) => {
    const closed = focused?.closest("#stage > [hidden]");
    if (!focused || !closed || !opened) return;
    const isBack = last?.closed === opened && last.opened === closed;
    stand(isBack ? last?.focused : opened.querySelector("h2"));
    last = { focused, closed, opened };
  };
}

/**
 * @param {Pick<Network, "views">} network
 * @returns {Panels}
 */
function panelsFrom({ views }) {
  /** @type {HTMLElement[]} */
  const others = [];
  const viewPanels = views.map(({ id, title, markup }) => {
    const content = filled(markup);
    const root = content.querySelector("[data-view]");
    const panel = root instanceof HTMLElement ? root : emptyPanel(title);
    panel.classList.add("view");
    panel.id = `view-${id}`;
    panel.dataset.view = id;
    panel.setAttribute("role", "tabpanel");
    panel.setAttribute("aria-labelledby", `tab-${id}`);
    panel.hidden = true;
    others.push(
      .../** @type {NodeListOf<HTMLElement>} */ (
        content.querySelectorAll("[data-place]")
      ),
    );
    return panel;
  });
  return { views: viewPanels, others };
}

/** @param {string} title */
function emptyPanel(title) {
  const panel = make("section");
  const header = make("header");
  const heading = make("h2", "", title);
  header.append(heading);
  panel.append(header);
  return panel;
}

/**
 * Dim a view's picture while it is of the image before, and hide it while there is none.
 * @param {HTMLElement} panel @param {Store<AppState>} store
 * @param {ReturnType<Room["storeOf"]>} viewStore @param {View} view
 */
function followState(panel, store, viewStore, { id }) {
  const waiting = panel.querySelector("[data-waiting]");
  store.watch(["view", "model", "trace", "slices"], ({ view, model, trace }) => {
    if (view !== id) return;
    const isComplete = viewStore.get() !== null;
    const isOwn = trace !== null && isSameNetwork(viewStore.shown()?.model, model);
    panel.classList.toggle("is-old", !isComplete && isOwn);
    panel.classList.toggle("is-unread", !isComplete && !isOwn);
    if (waiting instanceof HTMLElement)
      waiting.hidden = isComplete || isOwn || trace === null;
  });
}

/** Where the browser remembers which folded panels a hand has left open. */
const KEY = "opened";

/** @param {Pick<Storage, "getItem">} memory @returns {string[]} their ids */
export function rememberedPanels(memory) {
  try {
    const stored = JSON.parse(memory.getItem(KEY) ?? "[]");
    return Array.isArray(stored) ? stored.filter((id) => typeof id === "string") : [];
  } catch {
    return []; // no memory, or not ours
  }
}

/**
 * Panels that are folded until they are opened: each a `<details data-panel>`, whose
 * summary says in a line what was found. Hands, links within the page, the tour and the
 * browser's search open them as they open any such element; the state hears of it.
 * @param {HTMLElement} stage @param {Store<AppState>} store
 * @param {Pick<Storage, "getItem" | "setItem">} memory
 */
export function mountFolds(stage, store, memory) {
  /** @param {EventTarget | null} target @returns {target is HTMLDetailsElement} */
  const isFold = (target) =>
    target instanceof HTMLDetailsElement && target.dataset.panel !== undefined;
  const idOf = (/** @type {HTMLElement} */ fold) => {
    const view = fold.closest("[data-view]")?.getAttribute("data-view") ?? "";
    return panelId(view, fold.dataset.panel ?? "");
  };

  const unfold = () => {
    for (const fold of stage.querySelectorAll("details"))
      if (isFold(fold)) fold.open = isUnfolded(store.get(), idOf(fold));
  };
  store.watch(["opened", "network"], unfold);
  stage.addEventListener("panels", unfold); // a view has made its own
  // It does not bubble.
  stage.addEventListener(
    "toggle",
    ({ target }) => {
      const { opened } = store.get();
      if (!isFold(target)) return;
      const id = idOf(target);
      if (target.open !== opened.includes(id))
        store.set({ opened: withOrWithout(opened, id, target.open) });
    },
    true,
  );
  stage.addEventListener("click", ({ target }) => {
    const summary = target instanceof Element && target.closest("summary");
    const fold = summary ? summary.parentElement : null;
    if (!isFold(fold)) return;
    const willOpen = !fold.open;
    const ids = withOrWithout(rememberedPanels(memory), idOf(fold), willOpen);
    try {
      memory.setItem(KEY, JSON.stringify(ids));
    } catch {
      // The browser refuses to keep anything.
    }
  });
}

/**
 * Begin at a panel that a link opens. Pictures above it come one by one, so it is kept in
 * place until the reader moves the page. A page that is loaded again stays where it was.
 * @param {HTMLElement} stage @param {Store<AppState>} store
 * @param {string} panel
 */
export function beginAt(stage, store, panel) {
  const [entry] = performance.getEntriesByType("navigation");
  if (/** @type {PerformanceNavigationTiming} */ (entry)?.type !== "navigate") return;
  const { mode, view } = store.get();
  const root = stage.querySelector(`[data-view="${view}"]`);
  const fold = root?.querySelector(`details[data-panel="${CSS.escape(panel)}"]`);
  if (mode !== EXPLORE || root == null || fold == null) return;
  stayAt(fold, [root], true);
}

/** @param {readonly string[]} ids @param {string} id @param {boolean} isIn */
function withOrWithout(ids, id, isIn) {
  const others = ids.filter((otherId) => otherId !== id);
  return isIn ? [...others, id] : others;
}

/**
 * Fetch what an import() will need.
 * @param {string} module its path below js/, such as "kinds/dense/panels.js"
 */
export function preload(module) {
  const start = find(document, "script[data-start]", HTMLScriptElement);
  if (start.src === "") return; // all scripts are here: the page is one file
  const [viewModule, shared] = [new URL(module, start.src).href, start.dataset.shared];
  for (const address of shared ? [shared, viewModule] : [viewModule]) {
    if (document.querySelector(`link[href="${address}"]`)) continue;
    const link = make("link");
    link.rel = "modulepreload";
    link.href = address;
    document.head.append(link);
  }
}

/**
 * Say that the scripts of a part of the page could not be loaded.
 * @param {HTMLElement} root @param {string} script its path below js/
 */
export async function showMissing(root, script) {
  const notice = make("p", { class: "problem", role: "alert" });
  notice.textContent = `This part of the page could not be loaded. ${await whyUnloaded(script)}`;
  root.prepend(notice);
}
