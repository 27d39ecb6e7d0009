/**
 * Symbols of one's own: collect examples from the drawing area, keep and share them, and
 * train on them.
 * @import { AppState, Recipes, Store } from "../types.js"
 * @import { SymbolSet } from "./symbols.js"
 */
import { painted } from "../draw/picture.js";
import { asSentence } from "../lib/format.js";
import { History } from "../lib/history.js";
import { DIGIT, isSameShape, pixelsOf } from "../lib/pixels.js";
import { paintPixels } from "../paint/heatmap.js";
import { listenToClicks } from "../ui/controls.js";
import { download, find, findElement, writer } from "../ui/dom.js";
import { fill, h } from "../ui/h.js";
import { button } from "../ui/inputs.js";
import {
  fileOf,
  lackOf,
  merge,
  parse,
  planWords,
  RECIPE,
  renameSymbol,
  sizeOf,
  withExample,
  withoutExample,
} from "./symbols.js";

const KEPT = "symbols"; // in the browser

/**
 * @param {HTMLElement} root @param {Store<AppState>} store
 * @param {object} does
 * @param {() => void} does.clearDrawing
 * @param {(recipe: Readonly<Record<string, unknown>>, fail: (message: string) => void) => void} does.train
 */
export function mountOwn(root, store, { clearDrawing, train }) {
  const part = findElement(root, "[data-own]");
  const name = find(part, "[data-symbol]", HTMLInputElement);
  const write = writer(part);
  const wrong = (/** @type {string} */ words) => write("own-problem", words);
  const [undo, save, start] = ["undo", "save", "train"].map((name) =>
    find(part, `[data-own-${name}]`, HTMLButtonElement),
  );
  /** What the browser held when that was looked at last. */
  let held = readKept() ?? [];
  let history = new History([held]);
  /** How many images a run here shows; null: as many as the server's. @type {number | null} */
  let images = null;

  /** Take over what another tab has changed, in each step of the history. */
  function follow() {
    const now = readKept();
    if (now === null || isSame(now, held)) return;
    const { values, at } = history.excerpt(Infinity);
    history = new History(
      values.map((set) => merge(held, set, now)),
      at,
    );
    held = now;
  }

  /** @param {{ set: SymbolSet } | { problem: string }} next @param {string} words */
  function change(next, words) {
    const isWrong = "problem" in next;
    wrong(isWrong ? next.problem : "");
    write("own-said", isWrong ? "" : words);
    if (isWrong) return false;
    history.add(next.set);
    draw();
    return true;
  }

  function draw() {
    follow();
    const { now: set } = history;
    if (keep(set)) held = set;
    else wrong("This browser keeps no set: save it before you leave the page.");
    fill(findElement(part, "[data-symbols]"), set.map(rowOf));
    const lack = lackOf(set);
    write("own-ready", lack ?? planWords(set, images));
    start.disabled = lack !== null;
    undo.disabled = !history.hasEarlier;
    save.disabled = set.length === 0;
  }

  /** @param {SymbolSet} set with less in it @param {string} words */
  function leaveOut(set, words) {
    change({ set }, words);
    undo.focus();
  }

  /** @param {SymbolSet[number]} symbol @param {number} index */
  function rowOf({ name, examples }, index) {
    const rename = (/** @type {any} */ { target }) => {
      const next = renameSymbol(history.now, index, target.value);
      if (!change(next, `${name} is now ${target.value.trim()}.`)) draw();
    };
    const pictures = examples.map((bytes, i) => {
      const isLast = i === examples.length - 1;
      const use = isLast && examples.length > 1 ? ", kept for the test" : "";
      const words = `Remove example ${i + 1} of ${name}${use}`;
      const look = {
        title: words,
        "aria-label": words,
        class: use !== "" && "is-kept",
      };
      const act = () =>
        leaveOut(
          withoutExample(history.now, index, i),
          `Example ${i + 1} of ${name} is removed.`,
        );
      return button(painted(bytes, paintExample), act, look);
    });
    const remove = () =>
      leaveOut(
        history.now.filter((_, i) => i !== index),
        `${name} is removed.`,
      );
    const field = { type: "text", maxlength: "20", value: name, onchange: rename };
    return h(
      "li",
      {},
      h("input", { ...field, "aria-label": `Name of the symbol ${name}` }),
      h("div", { class: "train-wall" }, pictures),
      button("Remove", remove, { class: "quiet", "aria-label": `Remove ${name}` }),
    );
  }

  find(part, "[data-own-add]", HTMLFormElement).addEventListener("submit", (event) => {
    event.preventDefault();
    const { pixels } = store.get();
    if (pixels !== null && !isSameShape(pixels, DIGIT))
      return wrong("A symbol must be an image of 28×28 pixels in grey.");
    const image = pixels?.bytes ?? new Uint8Array();
    const called = name.value.trim();
    const next = withExample(history.now, name.value, image);
    if (!change(next, `Added as an example of ${called}.`)) return name.focus();
    clearDrawing();
  });
  addEventListener("storage", ({ key }) => {
    if (key === KEPT) draw();
  });
  listenToClicks(part, {
    "own-undo"() {
      history.back();
      wrong("");
      write("own-said", `Undone: ${sizeOf(history.now)}.`);
      draw();
      if (undo.disabled) name.focus();
    },
    "own-save"() {
      const text = JSON.stringify(fileOf(history.now));
      download(new Blob([text], { type: "application/json" }), "symbols.json");
    },
    "own-train"() {
      wrong("");
      train({ ...RECIPE, symbols: fileOf(history.now) }, (message) =>
        wrong(asSentence(message)),
      );
    },
  });
  const chooser = find(part, "[data-own-open]", HTMLInputElement);
  chooser.addEventListener("change", async () => {
    const [file] = chooser.files ?? [];
    chooser.value = ""; // so that the same file can be chosen again
    if (file === undefined) return;
    const next = parse(await file.text());
    change(next, "set" in next ? `Opened: ${sizeOf(next.set)}.` : "");
  });

  return {
    /** @param {Recipes} recipes */
    show(recipes) {
      images = recipes.symbols ?? null;
      part.hidden = !recipes.allowed && images === null;
      find(part, "details", HTMLDetailsElement).open ||= !recipes.allowed;
      draw();
    },
  };
}

/** @param {HTMLCanvasElement} canvas @param {Uint8Array} bytes */
const paintExample = (canvas, bytes) => paintPixels(canvas, pixelsOf(DIGIT, bytes));

/** What this browser has kept. @returns {SymbolSet | null} null where it keeps none */
function readKept() {
  try {
    const stored = parse(localStorage.getItem(KEPT) ?? "");
    return "set" in stored ? stored.set : null;
  } catch {
    return null;
  }
}

/** @param {SymbolSet} set @param {SymbolSet} other */
const isSame = (set, other) =>
  JSON.stringify(fileOf(set)) === JSON.stringify(fileOf(other));

/** @param {SymbolSet} set @returns {boolean} whether this browser keeps it */
function keep(set) {
  try {
    localStorage.setItem(KEPT, JSON.stringify(fileOf(set)));
    return true;
  } catch {
    return false;
  }
}
