/**
 * Every picture of a view can be had as a file: a small button at it opens a dialog that saves
 * it as SVG or PNG, and its numbers as CSV.
 * @import { Table } from "../../lib/numbers.js"
 * @import { Actions, AppState, Store } from "../../types.js"
 */
import { toHash } from "../../core/link.js";
import { COMPARE, focusedClass, OVERVIEW } from "../../core/state.js";
import { fileName, messageOf } from "../../lib/format.js";
import { csv, numbersOf } from "../../lib/numbers.js";
import { debounce } from "../../lib/timing.js";
import { listenToClicks } from "../../ui/controls.js";
import { download, find, findElement, make, setText, toPngFile } from "../../ui/dom.js";
import { drawnFigure, figureOf, PICTURES, picturesIn, titleOf } from "./figure.js";
import { documentOf } from "./markup.js";
import { partsOf } from "./words.js";

const QUIET_MS = 300;
const SCALE = 2; // PNG pixels to a CSS pixel

/**
 * @param {HTMLElement} stage holds the views
 * @param {Store<AppState>} store @param {Actions} actions
 */
export function mountSaving(stage, store, actions) {
  const dialog = find(document, '[data-dialog="save"]', HTMLDialogElement);
  const clear = find(dialog, "[data-clear-ground]", HTMLInputElement);
  const numbers = find(dialog, "[data-save-csv]", HTMLButtonElement);
  /** @type {WeakSet<Element>} */
  const offered = new WeakSet();
  /** What is to be saved. @type {Element | null} */
  let chosen = null;

  function offer() {
    const view = stage.querySelector(`[data-view="${store.get().view}"]`);
    for (const picture of view?.querySelectorAll(PICTURES) ?? []) {
      const figure = figureOf(picture);
      if (offered.has(figure) || picture.closest("button")) continue;
      offered.add(figure);
      insert(picture, figure, saveButton(picture));
    }
  }
  const offerAtRest = debounce(offer, QUIET_MS);
  store.watch(["view", "model", "trace"], offerAtRest);
  stage.addEventListener("panels", offerAtRest);

  /** @param {Element} picture */
  function saveButton(picture) {
    const look = { class: "save-picture", title: "Save this picture" };
    const button = make("button", look, "⤓");
    const name = () =>
      button.setAttribute("aria-label", `Save picture: ${titleOf(picture)}`);
    name();
    button.addEventListener("focus", name);
    button.addEventListener("click", () => {
      chosen = picture;
      setText(findElement(dialog, "[data-title]"), titleOf(picture));
      numbers.hidden = tablesBehind(picture).length === 0;
      dialog.showModal();
    });
    return button;
  }

  /** @param {Element} picture */
  function captionOf(picture) {
    const state = store.get();
    const { program = "", address = location.href } = document.documentElement.dataset;
    return {
      title: [...new Set([titleOfView(state), ...titleOf(picture).split(" – ")])].join(
        " – ",
      ),
      parts: partsOf(state, program),
      link: `${address.replace(/#.*$/, "")}#${toHash(state)}`,
    };
  }

  /** @param {Element} picture */
  function draw(picture) {
    const { font, ...figure } = drawnFigure(figureOf(picture));
    return documentOf(figure, captionOf(picture), font, clear.checked);
  }

  /** @param {string} ending @param {(picture: Element) => Blob | Promise<Blob>} make */
  const saver = (ending, make) => async () => {
    if (chosen === null) return;
    const state = store.get();
    const classIndex = focusedClass(state);
    const name =
      classIndex === null ? "" : (state.model?.class_names[classIndex] ?? "");
    try {
      const words = [titleOfView(state), name, titleOf(chosen)];
      download(await make(chosen), fileName(words, ending));
    } catch (error) {
      dialog.close();
      actions.report(messageOf(error));
    }
  };
  listenToClicks(dialog, {
    "save-svg": saver("svg", (picture) => svgFile(draw(picture).text)),
    "save-png": saver("png", (picture) => toPng(draw(picture))),
    "save-csv": saver("csv", (picture) => {
      const { title, parts, link } = captionOf(picture);
      const line = [title, ...parts, link].join(" · ");
      return new Blob([csv(tablesBehind(picture), line)], { type: "text/csv" });
    }),
  });
}

/** @param {Pick<AppState, "network" | "view">} state */
function titleOfView({ network, view }) {
  const viewTitle = network?.views.find(({ id }) => id === view)?.title;
  return viewTitle ?? { [OVERVIEW]: "Overview", [COMPARE]: "Compare" }[view] ?? "Input";
}

/** @param {string} text */
const svgFile = (text) => new Blob([text], { type: "image/svg+xml" });

/** @param {{ text: string, width: number, height: number }} drawn @returns {Promise<Blob>} */
async function toPng({ text, width, height }) {
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(text)}`;
  await image.decode();
  const canvas = make("canvas");
  canvas.width = SCALE * width;
  canvas.height = SCALE * height;
  const context = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  return toPngFile(canvas);
}

/**
 * The numbers behind all pictures of the figure that a picture is in.
 * @param {Element} picture @returns {Table[]}
 */
function tablesBehind(picture) {
  const pictures = picturesIn(figureOf(picture));
  /** @type {Set<unknown>} */
  const captions = new Set();
  return pictures.flatMap((picture) => {
    for (let at = /** @type {Element | null} */ (picture); at; at = at.parentElement) {
      const tables = numbersOf(at)?.() ?? [];
      if (tables.length === 0) continue;
      if (captions.has(at)) return [];
      captions.add(at);
      const [title] = (picture.getAttribute("aria-label") ?? "").split(/[.;,]/);
      return tables.map((table) => ({ title, ...table }));
    }
    return [];
  });
}

/**
 * Put the button beside the picture, where it moves nothing; it is seen while the pointer is
 * over the figure.
 * @param {Element} picture @param {HTMLElement} figure @param {HTMLElement} button
 */
function insert(picture, figure, button) {
  const holder = /** @type {HTMLElement} */ (
    picture.closest(".overlaid, [data-course]") ?? picture.parentElement
  );
  figure.classList.add("is-saved-whole");
  holder.classList.add("holds-picture");
  holder.append(button);
}
