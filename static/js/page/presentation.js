/**
 * Presenting: what is open, as large as the screen allows, and nothing beside it but a bar
 * that leads to the next view, iteration and image. The address keeps it, so that a link
 * opens a page that presents.
 * @import { AppState, Network, Store } from "../types.js"
 * @import { Room } from "../core/rooms.js"
 */

import { asSeenBy } from "../core/rooms.js";
import { EXPLORE } from "../core/state.js";
import { latinOf } from "../lib/keys.js";
import { withParameter } from "../lib/links.js";
import { put, search } from "../lib/place.js";
import { hasModifier, listenToClicks, listenToTurning, stand } from "../ui/controls.js";
import { find, findElement, setText } from "../ui/dom.js";

/** Keys that turn views wherever the focus is; remote controls send them. */
const ANYWHERE = /** @type {Record<string, number>} */ ({ PageDown: 1, PageUp: -1 });

/**
 * What is presented of a mode of the page.
 * @typedef {object} Deck
 * @property {readonly { id: string, title: string }[]} views in order
 * @property {string} open the one on show
 * @property {(id: string) => void} turnTo another
 */

/**
 * @param {object} parts
 * @param {HTMLElement} parts.bar with the presentation's buttons
 * @param {HTMLElement} parts.start the button that begins it
 * @param {Store<AppState>} store
 * @param {object} does
 * @param {(state: AppState) => Deck} does.deckOf
 * @param {(network: Network) => Room} does.roomOf
 * @param {(by: number) => void} does.turnImage to the example before or after, by -1 or 1
 * @param {() => ReturnType<typeof import("../guide/door.js").mountGuide>} does.guideOf whose
 *   stops are turned while it is open
 */
export function mountPresentation(
  { bar, start },
  store,
  { deckOf, roomOf, turnImage, guideOf },
) {
  const [back, next, step] = ["back", "next", "iterate"].map((name) =>
    find(bar, `[data-${name}]`, HTMLButtonElement),
  );
  const heading = findElement(bar, "[data-place-words]");
  const page = document.documentElement;
  const isOn = () => store.get().isPresenting;

  function begin() {
    write(true);
    page.classList.add("is-presenting");
    store.set({ isPresenting: true });
    bar.hidden = false;
    scrollTo(0, 0);
    show(store.get());
  }

  function leave() {
    write(false);
    page.classList.remove("is-presenting");
    store.set({ isPresenting: false });
    bar.hidden = true;
    if (document.fullscreenElement !== null) void document.exitFullscreen();
    start.focus();
  }

  /** @param {AppState} state */
  function show(state) {
    if (!state.isPresenting || state.network === null) return;
    const { views, open } = deckOf(state);
    const at = views.findIndex(({ id }) => id === open);
    const title = views[at]?.title ?? "";
    const count = views.length;
    setText(heading, count > 1 ? `${title}: ${at + 1} of ${count}` : title);
    back.disabled = at <= 0;
    next.disabled = at === count - 1;
    const current = stepIn(state);
    step.hidden = current === null;
    if (current !== null)
      setText(
        findElement(step, "[data-word]"),
        `Iteration ${current.at + 1} of ${current.count}`,
      );
  }

  /** @param {number} by */
  function go(by) {
    if (guideOf().isOn()) return guideOf().go(by);
    const { views, open, turnTo } = deckOf(store.get());
    const view = views[views.findIndex(({ id }) => id === open) + by];
    if (view === undefined) return;
    turnTo(view.id);
    scrollTo(0, 0);
  }

  /** From the last iteration to the first. @param {number} by */
  function turnStep(by) {
    const state = store.get();
    const current = stepIn(state);
    if (state.network === null || current === null) return;
    const { at, count } = current;
    const { stepTo } = state.network.overview;
    roomOf(state.network).store.set(stepTo((at + by + count) % count));
  }

  start.addEventListener("click", () => {
    begin();
    stand(heading); // so that the space bar steps
    // The whole screen, where the browser gives it; Escape, which is the browser's then, ends both.
    page.requestFullscreen?.().catch(() => {});
  });
  document.addEventListener("fullscreenchange", () => {
    if (isOn() && document.fullscreenElement === null) leave();
  });
  listenToClicks(bar, {
    back: () => go(-1),
    next: () => go(1),
    iterate: () => turnStep(1),
    image: () => turnImage(1),
    path: () => guideOf().openPath(),
    leave,
  });
  // After all others: a view steps through its iterations, and a field has its own keys.
  addEventListener("keydown", (event) => {
    if (!isOn() || event.defaultPrevented || hasModifier(event)) return;
    const { target } = event;
    if (target instanceof Element && target.matches(WRITTEN)) return;
    const key = latinOf(event);
    if (key === "." || key === ",") turnStep(key === "." ? 1 : -1);
    else if (key === "e") turnImage(event.shiftKey ? -1 : 1);
    else return;
    event.preventDefault();
  });
  listenToTurning({ isOn, go, leave }, ANYWHERE);
  const fields = /** @type {const} */ (["mode", "lab", "kept", "trace", "slices"]);
  store.watch(["isPresenting", "network", "view", ...fields], () => show(store.get()));
  function follow() {
    if (isPresented(search()) !== isOn()) (isOn() ? leave : begin)();
  }
  addEventListener("popstate", follow);
  follow();
}

/** The iteration of routing on show. @param {AppState} state */
function stepIn(state) {
  const { mode, network } = state;
  if (mode !== EXPLORE || network === null) return null;
  const networkState = asSeenBy(network, state);
  return networkState && network.overview.stepOf(networkState);
}

/** What letters are typed into. */
const WRITTEN = "input:not([type=range], [type=checkbox]), select, textarea";

/** @param {boolean} isOn */
function write(isOn) {
  const { pathname, hash } = location;
  put(`${pathname}${writePresented(search(), isOn)}${hash}`);
}

const NAME = "present";

/**
 * Whether a link presents: `?present` stands before the #.
 * @param {string} search of the address, with or without the ?
 */
function isPresented(search) {
  return new URLSearchParams(search).has(NAME);
}

/**
 * @param {string} search of the address, with or without the ?
 * @param {boolean} isOn
 * @returns {string} with the ?, or empty; what else it says is kept
 */
function writePresented(search, isOn) {
  return withParameter(search, NAME, isOn ? "" : null);
}
