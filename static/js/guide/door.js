/**
 * The ways into the guide: the header's button, links to its stops, and the offer at
 * the first visit. The tour itself is loaded when it is wanted.
 * @import { Network, AppState } from "../types.js"
 * @import { Room } from "../core/rooms.js"
 * @import { Store } from "../core/store.js"
 * @import { Progress } from "./stops.js"
 * @import { Guide } from "./types.js"
 */

import { memoize } from "../lib/memoize.js";
import { search } from "../lib/place.js";
import { listenToTurning } from "../ui/controls.js";
import { find, findElement } from "../ui/dom.js";
import { readStop } from "./stops.js";

const SHORT_PATH = "00-matter";

/**
 * @typedef {object} Services
 * @property {() => Promise<Guide>} fetchGuide
 * @property {(address: string) => Promise<void>} open a link to a state of the page, such
 *   as `?guide=…#view=…`
 * @property {() => () => void} keepDrawing returns what puts the drawing back as it is now
 * @property {(network: Network) => Room} roomOf
 * @property {(problem: string) => void} report
 * @property {Progress} progress
 * @property {(root: HTMLElement, before: string) => void} explain mark the terms of the
 *   glossary in a text, but for those that stood in what was read before it
 * @property {Promise<void>} atRest when the page has come to rest for the first time: the
 *   tour waits for that
 */

/**
 * @param {HTMLElement} page holds the dock, the list of chapters, the offer, and the button
 * @param {Store<AppState>} store
 * @param {Services} services
 */
export function mountGuide(page, store, services) {
  const start = findElement(page, "[data-guide]");
  const { progress } = services;
  const isOn = () => readStop(search()) !== null;

  const tour = memoize(async () => {
    const [{ createTour }, guide] = await Promise.all([
      import("./tour.js"),
      services.fetchGuide(),
    ]);
    return createTour({ page, start, store, services, guide, progress });
  });
  /** @typedef {Awaited<ReturnType<typeof tour>>} Tour */
  /** @param {(tour: Tour) => void} use */
  async function withTour(use) {
    try {
      use(await tour());
    } catch (error) {
      services.report(error instanceof Error ? error.message : String(error));
    }
  }

  // The link leads to the article where there is no script.
  start.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    withTour((tour) => tour.list());
  });
  listenToTurning({
    isOn,
    go: (by) => withTour((tour) => tour.go(by)),
    leave: () => withTour((tour) => tour.leave()),
  });
  addEventListener("popstate", () => {
    if (isOn() || page.classList.contains("is-guided"))
      withTour((tour) => tour.follow());
  });
  // A link shows what somebody else wants to be seen: nothing is offered beside it.
  const isBare = location.hash === "";
  if (isBare && search() === "") {
    mountOffer(findElement(page, '[data-part="guide-offer"]'), {
      page,
      progress,
      start,
      accept: () => services.atRest.then(() => withTour((tour) => tour.begin())),
      list: () => withTour((tour) => tour.list()),
    });
  }
  services.atRest.then(() => {
    if (isOn()) withTour((tour) => (isBare ? tour.enter() : tour.follow()));
  });

  return {
    isOn,
    /** @param {number} by */
    go: (by) => void withTour((tour) => tour.go(by)),
    /** The short path, which a lecture leads along. */
    openPath: () => void withTour((tour) => tour.openAt(SHORT_PATH)),
  };
}

/**
 * The offer of the first visit, which stands there while the page is filled.
 * @param {HTMLElement} root
 * @param {object} does
 * @param {HTMLElement} does.page says whether there is one, before anything is drawn
 * @param {Progress} does.progress
 * @param {HTMLElement} does.start where the keyboard goes on once the offer has gone
 * @param {() => void} does.accept
 * @param {() => void} does.list
 */
function mountOffer(root, { page, progress, start, accept, list }) {
  const isThere = () => page.classList.contains("is-new");
  const hide = () => {
    if (root.contains(document.activeElement)) start.focus({ preventScroll: true });
    page.classList.remove("is-new");
    progress.dismiss();
  };
  const answers = { "[data-accept]": accept, "[data-list]": list };
  for (const [name, answer] of Object.entries(answers))
    find(root, name, HTMLButtonElement).addEventListener("click", () => {
      hide();
      answer();
    });
  find(root, "[data-dismiss]", HTMLButtonElement).addEventListener("click", hide);
  document.addEventListener(
    "keydown",
    (event) => {
      if (!isThere() || event.key !== "Escape" || event.defaultPrevented) return;
      if (document.querySelector("dialog[open], :popover-open")) return;
      event.preventDefault();
      hide();
    },
    true, // before the page goes a level up
  );
  page.classList.toggle("is-new", !progress.get().isDismissed);
}
