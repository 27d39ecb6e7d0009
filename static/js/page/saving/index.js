/**
 * Every picture of a view can be had as a file: a small button at it saves it.
 * @import { Picture } from "./figure.js"
 * @import { Actions, AppState, Store } from "../../types.js"
 */

import { focusedClass, OVERVIEW } from "../../core/state.js";
import { fileName, messageOf } from "../../lib/format.js";
import { debounce } from "../../lib/timing.js";
import { download, make } from "../../ui/dom.js";
import { titleOf, toPng } from "./figure.js";

/** Pictures with a meaning of their own; those within buttons are left out. */
const PICTURES =
  "canvas[role], svg.squash-curve, [data-course] svg, [data-course] > svg, svg[data-over]";
const QUIET_MS = 300;

/**
 * @param {HTMLElement} stage holds the views
 * @param {Store<AppState>} store @param {Actions} actions
 */
export function mountSaving(stage, store, actions) {
  /** @type {WeakSet<Element>} */
  const offered = new WeakSet();

  function offer() {
    const view = stage.querySelector(`[data-view="${store.get().view}"]`);
    /** @type {Picture[]} */
    const pictures = [...(view?.querySelectorAll(PICTURES) ?? [])].map(
      (each) => /** @type {Picture} */ (each),
    );
    for (const picture of pictures) {
      if (offered.has(picture) || picture.closest("button")) continue;
      offered.add(picture);
      place(picture, saveButton(picture));
    }
  }
  const offerAtRest = debounce(offer, QUIET_MS);
  store.watch(["view", "model", "trace"], offerAtRest);
  stage.addEventListener("panels", offerAtRest);

  /** @param {Picture} picture */
  function saveButton(picture) {
    const button = make("button", { class: "save-picture", title: "Save as PNG" }, "⤓");
    const name = () =>
      button.setAttribute("aria-label", `Save picture: ${titleOf(picture)}`);
    name();
    button.addEventListener("focus", name);
    button.addEventListener("click", () => void save(picture));
    return button;
  }

  /** @param {Picture} picture */
  async function save(picture) {
    const state = store.get();
    const classIndex = focusedClass(state);
    const name =
      classIndex === null ? "" : (state.model?.class_names[classIndex] ?? "");
    try {
      const words = [titleOfView(state), name, titleOf(picture)];
      download(await toPng(picture), fileName(words, "png"));
    } catch (error) {
      actions.report(messageOf(error));
    }
  }
}

/** @param {Pick<AppState, "network" | "view">} state */
function titleOfView({ network, view }) {
  const own = network?.views.find(({ id }) => id === view)?.title;
  return own ?? (view === OVERVIEW ? "Overview" : "Input");
}

/**
 * Put the button beside the picture, where it moves nothing.
 * @param {Picture} picture @param {HTMLElement} button
 */
function place(picture, button) {
  const holder = /** @type {HTMLElement} */ (
    picture.closest(".overlaid, [data-course]") ?? picture.parentElement
  );
  holder.classList.add("holds-picture");
  holder.append(button);
}
