/**
 * The ways to a teacher's questions: a link that carries some, and the button that asks
 * some. What they need is loaded when it is wanted.
 * @import { AppState, Store } from "../../types.js"
 * @import { Services } from "../door.js"
 */
import { memoize } from "../../lib/memoize.js";
import { findElement } from "../../ui/dom.js";
import { readQuestions } from "./questions.js";

/**
 * @param {HTMLElement} page holds the questions' place, the dialog and the button
 * @param {Store<AppState>} store
 * @param {Pick<Services, "open" | "roomOf" | "report" | "progress" | "atRest">} services
 */
export function mountAsking(page, store, services) {
  const strip = memoize(async () => {
    const { mountPupil: mountAsked } = await import("./pupil.js");
    return mountAsked(findElement(page, '[data-part="asked"]'), store, services);
  });
  const teacher = memoize(async () => {
    const { mountTeacher } = await import("./teacher.js");
    return mountTeacher(findElement(page, '[data-dialog="ask"]'), store);
  });

  /** @template Found @param {() => Promise<Found>} load @param {(found: Found) => void} use */
  async function withLoaded(load, use) {
    try {
      use(await load());
    } catch (error) {
      services.report(error instanceof Error ? error.message : String(error));
    }
  }

  let isAsking = false;
  function follow() {
    const { questions, problem } = readQuestions(location.search);
    if (problem !== null) services.report(problem);
    if (questions.length === 0 && !isAsking) return;
    isAsking = true;
    withLoaded(strip, ({ show }) => show());
  }

  const ask = findElement(page, "[data-ask]");
  ask.addEventListener("click", () => {
    ask.closest("dialog")?.close();
    withLoaded(teacher, ({ open }) => open());
  });
  addEventListener("popstate", follow);
  services.atRest.then(follow);
}
