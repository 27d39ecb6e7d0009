/**
 * What is stored on the machine: networks that were kept, each of which can be removed, and
 * runs and networks whose files cannot be used.
 * @import { AppState, Model, Refusal, Services, Store } from "../types.js"
 */
import { ApiError } from "../core/connection.js";
import { asSentence, messageOf } from "../lib/format.js";
import { findElement, setText } from "../ui/dom.js";
import { fill, h } from "../ui/h.js";
import { button } from "../ui/inputs.js";

/** What cannot be used, and why. @param {string} kind @param {Refusal} refusal */
function refusalWords(kind, { id, reason }) {
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
  const lists = findElement(panel, "[data-lists]");
  const status = findElement(panel, "[data-stored-said]");

  /** @param {() => Promise<unknown>} job @param {string} words */
  async function done(job, words) {
    setText(status, "");
    try {
      await job();
      setText(status, words);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setText(status, asSentence(messageOf(error)));
    }
    await look();
  }

  /** @param {Model} model */
  function keptLine({ id, title }) {
    const remove = async () => {
      await server.removeModel(id);
      await leave(id);
    };
    const act = () => done(remove, `Removed: ${id}.`);
    const name = { "aria-label": `Remove ${id}` };
    const words = title === id ? id : `${id}: ${title}`;
    return h("li", {}, words, " ", button("Remove", act, name));
  }

  /** @param {string} kind @param {(id: string) => Promise<unknown>} remove */
  const refusedLine = (kind, remove) => (/** @type {Refusal} */ refusal) => {
    const { id } = refusal;
    const act = () => done(() => remove(id), `Thrown away: ${id}.`);
    const name = { "aria-label": `Throw away ${kind} ${id}` };
    return h(
      "li",
      {},
      refusalWords(kind, refusal),
      " ",
      button("Throw away", act, name),
    );
  };

  async function look() {
    try {
      const { runs, models } = await server.fetchRefusals();
      const kept = store.get().models.filter((model) => model.kept);
      const refused = [
        ...runs.map(refusedLine("run", server.deleteRun)),
        ...models.map(refusedLine("network", server.removeModel)),
      ];
      fill(lists, h("ul", {}, kept.map(keptLine)), h("ul", {}, refused));
      panel.hidden = kept.length + refused.length === 0;
    } catch (error) {
      failed(error);
    }
  }
  return { look };
}
