/**
 * Every picture of a view can be had as a file: a small button at it opens one menu.
 * @import { Picture } from "./figure.js"
 * @import { Actions, AppState, Source, Store } from "../../types.js"
 */

import { focusedClass, OVERVIEW } from "../../core/state.js";
import { fileName, messageOf } from "../../lib/format.js";
import { debounce } from "../../lib/timing.js";
import { download, make } from "../../ui/dom.js";
import { figureOf, hasLines, titleOf } from "./figure.js";
import { toPng, toSvg } from "./sheet.js";

/** Pictures with a meaning of their own; those within buttons are left out. */
const PICTURES =
  "canvas[role], svg.squash-curve, [data-course] svg, [data-course] > svg, svg[data-over]";
const QUIET_MS = 300;

/**
 * @param {HTMLElement} stage holds the views
 * @param {Store<AppState>} store @param {Actions} actions
 */
export function mountSaving(stage, store, actions) {
  const menu = createMenu(/** @type {HTMLElement} */ (stage.parentElement));
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
    const button = make(
      "button",
      {
        class: "save-picture",
        title: "Save picture",
        "aria-haspopup": "menu",
        "aria-expanded": "false",
      },
      "⤓",
    );
    const name = () =>
      button.setAttribute("aria-label", `Save picture: ${titleOf(picture).name}`);
    name();
    button.addEventListener("focus", name);
    button.addEventListener("click", () => {
      const png = { text: "Save as PNG", choose: () => void save(picture, "png") };
      const svg = { text: "Save as SVG", choose: () => void save(picture, "svg") };
      menu.open(button, hasLines(picture) ? [png, svg] : [png]);
    });
    return button;
  }

  /** @param {Picture} picture @param {"png" | "svg"} format */
  async function save(picture, format) {
    const state = store.get();
    const figure = figureOf(picture);
    const note = noteOf(state);
    const { model } = state;
    const title = titleOfView(state);
    const classIndex = focusedClass(state);
    const name = classIndex === null ? "" : (model?.class_names[classIndex] ?? "");
    try {
      const heading = `${title}: ${figure.name}`;
      const words = { heading, note: [figure.more, note].filter(Boolean).join(" · ") };
      const blob = await (format === "png" ? toPng : toSvg)(figure, words);
      download(blob, fileName([title, name, figure.name], format));
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
 * @param {Pick<AppState, "model" | "source" | "classIndex" | "trace">} state
 * @returns {string} network, image and digit in focus
 */
function noteOf(state) {
  const { model, source } = state;
  const classIndex = focusedClass(state);
  const focus =
    classIndex === null ? "" : `in focus: ${model?.class_names[classIndex]}`;
  return [model?.title ?? "", originOf(source), focus]
    .filter((part) => part !== "")
    .join(" · ");
}

/** @param {Source} source */
function originOf(source) {
  switch (source.kind) {
    case "sample":
      return `example “${source.title}”`;
    case "dataset":
      return source.label === null
        ? `image ${source.index}`
        : `test image ${source.index}, label ${source.label}`;
    case "toy":
      return `the ${source.category} of seed ${source.seed}, turned by ${source.azimuth}°`;
    case "upload":
      return `picture “${source.name}”`;
    default:
      return source.kind === "drawing" ? "a drawing" : "an image from a link";
  }
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

/**
 * @typedef {object} Item
 * @property {string} text
 * @property {() => void} choose
 */

/**
 * One small menu for all pictures: which kind of file to save.
 * @param {HTMLElement} parent the menu becomes a part of it
 */
function createMenu(parent) {
  const menu = make("div", "save-menu");
  menu.id = "save-menu";
  menu.popover = "auto";
  menu.setAttribute("role", "menu");
  menu.setAttribute("aria-label", "Save picture");
  parent.append(menu);
  /** @type {HTMLElement | null} */
  let opener = null;

  menu.addEventListener("toggle", (event) => {
    if (/** @type {ToggleEvent} */ (event).newState === "open") return;
    opener?.setAttribute("aria-expanded", "false");
  });
  menu.addEventListener("keydown", (event) => {
    const items = /** @type {HTMLElement[]} */ ([...menu.children]);
    const at = items.indexOf(/** @type {HTMLElement} */ (document.activeElement));
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) items.at((at + step) % items.length)?.focus();
    else if (event.key === "Escape" || event.key === "Tab") {
      menu.hidePopover();
      opener?.focus();
      if (event.key === "Tab") return; // on from there
    } else return;
    event.preventDefault();
    event.stopPropagation();
  });

  return {
    /**
     * @param {HTMLElement} at the button that opens it
     * @param {readonly Item[]} items
     */
    open(at, items) {
      opener = at;
      menu.replaceChildren(
        ...items.map(({ text, choose }) => {
          const item = make("button", { role: "menuitem" }, text);
          item.addEventListener("click", () => {
            menu.hidePopover();
            at.focus();
            choose();
          });
          return item;
        }),
      );
      menu.showPopover();
      const { right, bottom } = at.getBoundingClientRect();
      const { width, height } = menu.getBoundingClientRect();
      menu.style.left = `${Math.max(8, right - width)}px`;
      menu.style.top = `${Math.min(bottom + 4, innerHeight - height - 8)}px`;
      at.setAttribute("aria-expanded", "true");
      /** @type {HTMLElement} */ (menu.firstElementChild).focus();
    },
  };
}
