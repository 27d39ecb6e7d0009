/**
 * The tour: stop by stop through the chapters. Each sets the state that it speaks of;
 * the reader's own state comes back when the tour is left.
 * @import { Store } from "../core/store.js"
 * @import { Services } from "./door.js"
 * @import { Progress } from "./stops.js"
 * @import { Chapter, Guide, Stop } from "./types.js"
 * @import { AppState } from "../types.js"
 */

import { toHash } from "../core/link.js";
import { search } from "../lib/place.js";
import { find, findElement, make } from "../ui/dom.js";
import { mountDock } from "./dock.js";
import { createRing } from "./ring.js";
import {
  doneOf,
  linkOf,
  nameOf,
  readStop,
  ringOf,
  stopNamed,
  stopsOf,
  writeStop,
} from "./stops.js";
import { watchTask } from "./tasks.js";

/** Where the tab remembers the state that the reader came from. */
const OWN = "guide-own";

/**
 * @param {object} parts
 * @param {HTMLElement} parts.page
 * @param {HTMLElement} parts.start what opens the list of chapters
 * @param {Store<AppState>} parts.store
 * @param {Services} parts.services
 * @param {Guide} parts.guide
 * @param {Progress} parts.progress
 */
export function createTour({ page, start, store, services, guide, progress }) {
  const { chapters, ending } = guide;
  const stops = stopsOf(chapters);
  const ring = createRing();
  const dock = mountDock(findElement(page, '[data-part="guide"]'), {
    go,
    leave,
    list: () => chooser.open(),
    solve: (name) => progress.solve(name),
    predict(stop, answer) {
      progress.predict(nameOf(stop), answer);
      open(stop);
    },
    explain: services.explain,
    ending,
  });
  const chooser = mountList(findElement(page, '[data-dialog="guide"]'), {
    chapters,
    progress,
    choose: (chapter) => open(stopNamed(stops, chapter)),
    resume: () => open(stopNamed(stops, progress.get().at)),
  });
  /** @type {Stop | null} */
  let current = null;
  /** The one on its way, or else on show. @type {Stop | null} */
  let wanted = null;
  const userState = ownState(store, services);
  let stopWatching = () => {};
  let wishes = 0;

  /** @param {Stop | null} stop null where there is none of that name */
  async function open(stop) {
    if (stop === null) return;
    if (wanted === null) userState.keep();
    const wish = ++wishes;
    wanted = stop;
    await services.open(addressOf(nameOf(stop), `#${linkOf(stop, progress.get())}`));
    if (wish === wishes) show(stop);
  }

  /** @param {Stop} stop whose state is on show */
  function show(stop) {
    stopWatching();
    current = stop;
    wanted = stop;
    const name = nameOf(stop);
    progress.see(name);
    page.classList.add("is-guided");
    const { done, predicted } = progress.get();
    const { ring: selector, rings } = ringOf(stop, progress.get());
    dock.show(stop, {
      index: stops.indexOf(stop),
      count: stops.length,
      isDone: done.includes(name),
      predicted: predicted[name] ?? null,
      rings,
    });
    ring.show(selector);
    const { step } = stop;
    stopWatching =
      step?.task == null
        ? () => {}
        : watchTask(step.task.check, store, services.roomOf, () => {
            progress.solve(name);
            dock.solved();
          });
  }

  /** @param {number} by */
  function go(by) {
    if (wanted !== null) open(stops[stops.indexOf(wanted) + by] ?? null);
  }

  function close() {
    stopWatching();
    stopWatching = () => {};
    current = null;
    wanted = null;
    ring.show(null);
    dock.hide();
    page.classList.remove("is-guided");
  }

  async function leave() {
    wishes++; // a stop on its way is wanted no more
    close();
    await userState.bringBack();
    start.focus();
  }

  return {
    list: chooser.open,
    go,
    leave,

    /** @param {string} name of a stop, or of a chapter */
    openAt: (name) => void open(stopNamed(stops, name)),

    /** Where the reader was last, or at the first stop. */
    begin() {
      open(stopNamed(stops, progress.get().at) ?? stops[0] ?? null);
    },

    /** Show the stop that the address names; the page reads its state from there itself. */
    follow() {
      if (readStop(search()) === null) {
        if (current !== null) close();
        return;
      }
      const stop = addressedStop();
      if (stop === null || (stop === wanted && stop !== current)) return; // it is on its way
      wishes++; // the address is newer than any that is
      show(stop);
    },

    /** Open the stop that the address names without saying its state. */
    enter() {
      open(addressedStop());
    },
  };

  /** The stop that the address names; says so where there is none of that name. */
  function addressedStop() {
    const name = readStop(search());
    const stop = stopNamed(stops, name);
    if (stop === null) services.report(`The guide has no stop “${name}”.`);
    return stop;
  }
}

/**
 * @param {string | null} stop null outside of the guide
 * @param {string} hash with the #
 */
function addressOf(stop, hash) {
  return `${location.pathname}${writeStop(search(), stop)}${hash}`;
}

/**
 * The state that the reader came from, and the drawing.
 * @param {Store<AppState>} store
 * @param {Services} services
 */
function ownState(store, services) {
  /** @type {(() => void) | null} */
  let putBack = null;

  return {
    keep() {
      putBack = services.keepDrawing();
      try {
        sessionStorage.setItem(OWN, `#${toHash(store.get())}`);
      } catch {
        // No memory: after a reload, leaving the guide stays where it is.
      }
    },

    async bringBack() {
      await services.open(addressOf(null, recall() ?? location.hash));
      putBack?.();
      putBack = null;
    },
  };
}

/** @returns {string | null} the state that was kept, once */
function recall() {
  try {
    const hash = sessionStorage.getItem(OWN);
    sessionStorage.removeItem(OWN);
    return hash;
  } catch {
    return null;
  }
}

/**
 * The list of chapters, with what is done of each.
 * @param {HTMLElement} root a dialog
 * @param {object} from
 * @param {readonly Chapter[]} from.chapters
 * @param {Progress} from.progress
 * @param {(chapter: string) => void} from.choose called with the id of a chapter
 * @param {() => void} from.resume
 */
function mountList(root, { chapters, progress, choose, resume }) {
  const dialog = /** @type {HTMLDialogElement} */ (root);
  const rows = findElement(root, "[data-chapters-list]");
  const none = findElement(root, "[data-none]");
  const on = find(root, "[data-resume]", HTMLButtonElement);
  on.addEventListener("click", () => {
    dialog.close();
    resume();
  });

  return {
    open() {
      const kept = progress.get();
      none.hidden = chapters.length > 0;
      rows.replaceChildren(
        ...chapters.map((chapter) => {
          const item = make("li", chapter.number === 0 ? "guide-short" : "");
          item.value = chapter.number;
          const button = make("button", "quiet", chapter.title);
          button.addEventListener("click", () => {
            dialog.close();
            choose(chapter.id);
          });
          const { words, isDone } = doneOf(chapter, kept);
          const done = isDone
            ? make("span", "fine is-done", `✓ ${words}`)
            : make("span", "fine", words);
          item.append(button, done);
          return item;
        }),
      );
      const last = chapters.find(({ id }) => kept.at?.startsWith(`${id}/`));
      on.hidden = last === undefined;
      on.textContent = `Continue with “${last?.title}”`;
      dialog.showModal();
      const first = last === undefined ? rows.querySelector("button") : on;
      first?.focus();
    },
  };
}
