/**
 * The tour: stop by stop through the chapters. Each sets the state that it speaks of; the
 * reader's own state comes back when the tour is left.
 * @import { AppState } from "../types.js"
 * @import { Store } from "../core/store.js"
 * @import { Services } from "./door.js"
 * @import { Progress } from "./progress.js"
 * @import { Chapter, Stop } from "./types.js"
 */
import { toHash } from "../core/link.js";
import { findElement } from "../ui/dom.js";
import { mountDock } from "./dock.js";
import { mountList } from "./list.js";
import { createRing } from "./ring.js";
import { linkOf, nameOf, readStop, stopNamed, stopsOf, writeStop } from "./stops.js";
import { watchTask } from "./task.js";

/** Where the tab remembers the state that the reader came from. */
const OWN = "guide-own";

/**
 * @param {object} parts
 * @param {HTMLElement} parts.page
 * @param {HTMLElement} parts.start what opens the list of chapters
 * @param {Store<AppState>} parts.store
 * @param {Services} parts.services
 * @param {readonly Chapter[]} parts.chapters
 * @param {Progress} parts.progress
 */
export function createTour({ page, start, store, services, chapters, progress }) {
  const stops = stopsOf(chapters);
  const ring = createRing();
  const dock = mountDock(findElement(page, '[data-part="guide"]'), {
    go,
    leave,
    list: () => list(),
    solve: (name) => progress.solve(name),
    explain: services.explain,
  });
  const chooser = mountList(findElement(page, '[data-dialog="guide"]'), {
    chapters,
    progress,
    choose: (chapter) => open(stopNamed(stops, chapter)),
    resume: () => open(stopNamed(stops, progress.get().at)),
  });
  /** @type {Stop | null} */
  let shown = null;
  /** @type {(() => void) | null} */
  let putBack = null;
  let stopWatching = () => {};
  let wishes = 0;

  function list() {
    chooser.open();
  }

  /** @param {Stop | null} stop null where there is none of that name */
  async function open(stop) {
    if (stop === null) return;
    if (shown === null) keepOwn();
    const wish = ++wishes;
    await services.open(addressOf(nameOf(stop), `#${linkOf(stop)}`));
    if (wish === wishes) show(stop);
  }

  function keepOwn() {
    putBack = services.keepDrawing();
    remember(`#${toHash(store.get())}`);
  }

  /** @param {Stop} stop whose state is on show */
  function show(stop) {
    stopWatching();
    shown = stop;
    const name = nameOf(stop);
    progress.see(name);
    page.classList.add("is-guided");
    dock.show(stop, {
      place: stops.indexOf(stop),
      count: stops.length,
      isDone: progress.get().done.includes(name),
    });
    ring.show(stop.step?.ring ?? null);
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
    if (shown === null) return;
    open(stops[stops.indexOf(shown) + by] ?? null);
  }

  function close() {
    stopWatching();
    stopWatching = () => {};
    shown = null;
    ring.show(null);
    dock.hide();
    page.classList.remove("is-guided");
  }

  async function leave() {
    wishes++; // a stop on its way is wanted no more
    close();
    const own = recall();
    await services.open(addressOf(null, own ?? location.hash));
    putBack?.();
    putBack = null;
    start.focus();
  }

  return {
    list,
    go,
    leave,

    /** Where the reader was last, or at the first stop. */
    begin() {
      open(stopNamed(stops, progress.get().at) ?? stops[0] ?? null);
    },

    /** Show the stop that the address names; the page reads its state from there itself. */
    follow() {
      if (readStop(location.search) === null) {
        if (shown !== null) close();
        return;
      }
      const stop = addressed();
      if (stop !== null) show(stop);
    },

    /** Open the stop that the address names without saying its state. */
    enter() {
      open(addressed());
    },
  };

  /** The stop that the address names; says so where there is none of that name. */
  function addressed() {
    const name = readStop(location.search);
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
  return `${location.pathname}${writeStop(location.search, stop)}${hash}`;
}

/** @param {string} hash */
function remember(hash) {
  try {
    sessionStorage.setItem(OWN, hash);
  } catch {
    // No memory: after a reload, leaving the guide stays where it is.
  }
}

/** @returns {string | null} what was remembered, once */
function recall() {
  try {
    const hash = sessionStorage.getItem(OWN);
    sessionStorage.removeItem(OWN);
    return hash;
  } catch {
    return null;
  }
}
