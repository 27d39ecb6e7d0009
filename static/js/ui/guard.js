/**
 * Keeps a failure within its panel: one sentence stands in place of what cannot be shown, and
 * all else goes on. The mistake itself is reported as any other.
 */
import { make } from "./dom.js";

const PANEL =
  "This panel cannot be shown: its part of the page fails on these numbers. All else goes on.";
const VIEW =
  "A part of this view cannot be shown: it fails on these numbers. All else goes on.";

/** What a failure is kept within. */
const PANELS = ".panel, details[data-panel]";
const VIEWS = "[data-view], [data-experiment]";

/** What fails just now, by the panel in which it says so. @type {WeakMap<Element, Set<object>>} */
const failing = new WeakMap();

/** @param {Element} element */
const panelOf = (element) =>
  element.closest(PANELS) ?? element.closest(VIEWS) ?? element;

/**
 * @template {unknown[]} What
 * @template Made
 * @param {Element} element that the job fills
 * @param {(...what: What) => Made} job
 * @returns {(...what: What) => Made | undefined} the same; undefined where it fails, which its
 *   panel says until the job succeeds
 */
export function kept(element, job) {
  return (...what) => {
    try {
      const result = job(...what);
      recover(element, job);
      return result;
    } catch (error) {
      fail(element, job, error);
      return undefined;
    }
  };
}

/** Do what may fail within a panel. @param {Element} element @param {() => void} job */
export const attempt = (element, job) => kept(element, job)();

/**
 * A store whose watchers fail within a view.
 * @template {{ watch: Function, subscribe: (check: () => void) => () => void }} Watched
 * @param {Element} view @param {Watched} store
 * @returns {Watched}
 */
export function keptWithin(view, store) {
  return {
    ...store,
    subscribe: (/** @type {() => void} */ check) => store.subscribe(kept(view, check)),
    watch: (
      /** @type {unknown} */ keys,
      /** @type {(...seen: unknown[]) => void} */ render,
    ) => store.watch(keys, kept(view, render)),
  };
}

/**
 * Say that something cannot be shown.
 * @param {Element} element @param {object} job that failed @param {unknown} error
 */
export function fail(element, job, error) {
  reportError(error);
  const panel = panelOf(element);
  const jobs = failing.get(panel) ?? new Set();
  const isSaid = jobs.size > 0;
  failing.set(panel, jobs.add(job));
  if (isSaid) return;
  const isPanel = panel.matches(PANELS);
  const words = make("p", { class: "failure", role: "status" });
  words.textContent = isPanel ? PANEL : VIEW;
  const [first] = panel.children;
  if (first?.matches("h2, h3, h4, header, summary")) first.after(words);
  else panel.prepend(words);
  panel.classList.toggle("is-failed", isPanel);
}

/** @param {Element} element @param {object} job that succeeded */
function recover(element, job) {
  const panel = panelOf(element);
  const jobs = failing.get(panel);
  if (!jobs?.delete(job) || jobs.size > 0) return;
  panel.classList.remove("is-failed");
  panel.querySelector(":scope > .failure")?.remove();
}
