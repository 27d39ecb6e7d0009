/**
 * What is stored on the machine: networks that were kept, each of which can be removed, and
 * runs and networks whose files cannot be used.
 * @import { AppState, Model, Refusal, Services, Store } from "../types.js"
 */
import { ApiError } from "../core/connection.js";
import { asSentence, messageOf } from "../lib/format.js";
import { findElement, make, setText } from "../ui/dom.js";

/** What cannot be used, and why. @param {string} kind @param {Refusal} refusal */
export function refusalWords(kind, { id, reason }) {
  return asSentence(`The ${kind} ${id} cannot be used: ${reason}`);
}

/**
 * @param {HTMLElement} root
 * @param {object} page
 * @param {Pick<Services["server"], "fetchRefusals" | "removeModel" | "deleteRun">} page.server
 * @param {Store<AppState>} page.store
 * @param {(id: string) => Promise<void>} page.leave the page goes on without a model
 * @param {(error: unknown) => void} page.failed
 */
export function mountStored(root, { server, store, leave, failed }) {
  const panel = findElement(root, "[data-stored]");
  const kept = findElement(panel, "[data-stored-kept]");
  const refused = findElement(panel, "[data-stored-refused]");
  const said = findElement(panel, "[data-stored-said]");

  /** @param {() => Promise<unknown>} job @param {string} words */
  async function done(job, words) {
    setText(said, "");
    try {
      await job();
      setText(said, words);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setText(said, asSentence(messageOf(error)));
    }
    await look();
  }

  /**
   * @param {string} words @param {string} action @param {string} name of the button
   * @param {() => void} act
   */
  function line(words, action, name, act) {
    const button = make("button", { label: name }, action);
    button.addEventListener("click", act);
    return make("li", "", words, " ", button);
  }

  /** @param {Model} model */
  const keptLine = ({ id, title }) =>
    line(title === id ? id : `${id}: ${title}`, "Remove", `Remove ${id}`, () =>
      done(async () => {
        await server.removeModel(id);
        await leave(id);
      }, `Removed: ${id}.`),
    );

  /** @param {string} kind @param {(id: string) => Promise<unknown>} remove */
  const refusedLine = (kind, remove) => (/** @type {Refusal} */ refusal) =>
    line(
      refusalWords(kind, refusal),
      "Throw away",
      `Throw away ${kind} ${refusal.id}`,
      () => done(() => remove(refusal.id), `Thrown away: ${refusal.id}.`),
    );

  async function look() {
    try {
      const { runs, models } = await server.fetchRefusals();
      const own = store.get().models.filter((each) => each.kept);
      kept.replaceChildren(...own.map(keptLine));
      refused.replaceChildren(
        ...runs.map(refusedLine("run", server.deleteRun)),
        ...models.map(refusedLine("network", server.removeModel)),
      );
      panel.hidden = own.length + runs.length + models.length === 0;
    } catch (error) {
      failed(error);
    }
  }
  return { look };
}
