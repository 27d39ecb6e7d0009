/**
 * What the network sees, and what it says: its digit, the runner-up, all ten lengths.
 * @import { AppState, Model, Source, Trace } from "../types.js"
 * @import { Actions } from "../state.js"
 * @import { Store } from "../store.js"
 */
import { ink } from "../lib/color.js";
import { fixed } from "../lib/number.js";
import { inkOf, SIDE, sideOf } from "../lib/pixels.js";
import { ranked } from "../lib/rank.js";
import { paintHeatmap } from "../paint/heatmap.js";
import { showField } from "../parts/field.js";
import { find, findCanvas, findElement } from "../parts/find.js";
import { say } from "../parts/say.js";
import { focusedDigit, knownLabel } from "../state.js";

/** Half way: training wants the right digit at 0.9 or more and the others below 0.1. */
const UNSURE = 0.5;

/**
 * @param {HTMLElement} root
 * @param {Store<AppState>} store
 * @param {Actions} actions
 */
export function mountVerdict(root, store, actions) {
  const seen = findCanvas(root, "[data-seen]");
  const frame = find(root, "[data-field]", SVGRectElement);
  const prediction = findElement(root, "[data-prediction]");
  const more = findElement(root, "[data-more]");
  const list = findElement(root, "[data-lengths]");

  store.watch(["pixels"], ({ pixels }) => {
    const shown = pixels ?? new Uint8Array(SIDE ** 2);
    const side = sideOf(shown);
    paintHeatmap(seen, inkOf(shown), { rows: side, columns: side, scale: ink() });
    frame.ownerSVGElement?.setAttribute("viewBox", `0 0 ${side} ${side}`);
  });
  store.watch(["field"], ({ field }) => showField(frame, field));

  store.watch(["model"], ({ model }) => {
    if (model !== null)
      list.replaceChildren(
        ...model.class_names.map((name, digit) =>
          lengthItem(name, () => actions.focusDigit(digit)),
        ),
      );
  });
  store.watch(["trace", "model", "source"], ({ trace, model, source }) => {
    if (trace === null || model === null || trace.model !== model.id) {
      say(prediction, "–");
      say(more, "");
      clearLengths(list);
      return;
    }
    say(prediction, model.class_names[trace.prediction]);
    say(more, explain(trace, model, source));
    showLengths(list, trace, model);
  });
  store.watch(["digit", "trace"], (state) => {
    const focused = focusedDigit(state);
    [...list.querySelectorAll("button")].forEach((button, digit) => {
      button.setAttribute("aria-pressed", String(digit === focused));
    });
  });
}

/**
 * @param {Trace} trace
 * @param {Model} model
 * @param {Source} source
 */
export function explain(trace, model, source) {
  const lengths = trace.tensors["digits.lengths"].data;
  const [first, second] = ranked(lengths);
  const label = knownLabel(source, model);
  const words = [
    `length ${fixed(lengths[first], 2)};`,
    `runner-up ${model.class_names[second]} at ${fixed(lengths[second], 2)}.`,
  ];
  if (lengths[first] < UNSURE)
    words.push(`None is longer than ${UNSURE}: the network takes it for no digit.`);
  if (label !== null) {
    words.push(
      label === first
        ? "The label agrees."
        : `The label says ${model.class_names[label]}.`,
    );
  }
  return words.join(" ");
}

/**
 * @param {string} name
 * @param {() => void} choose
 */
function lengthItem(name, choose) {
  const item = document.createElement("li");
  const button = document.createElement("button");
  button.type = "button";
  const bar = document.createElement("span");
  bar.className = "bar";
  bar.append(document.createElement("i"));
  const digit = document.createElement("span");
  digit.textContent = name;
  button.append(bar, digit);
  button.addEventListener("click", choose);
  item.append(button);
  return item;
}

/** @param {HTMLElement} list */
function clearLengths(list) {
  for (const item of list.children) {
    item.classList.remove("is-longest");
    find(item, "i", HTMLElement).style.removeProperty("--length");
    find(item, "button", HTMLButtonElement).removeAttribute("title");
  }
}

/**
 * @param {HTMLElement} list
 * @param {Trace} trace
 * @param {Model} model
 */
function showLengths(list, trace, model) {
  const lengths = trace.tensors["digits.lengths"].data;
  [...list.children].forEach((item, digit) => {
    const length = lengths[digit];
    const text = `${model.class_names[digit]}: length ${fixed(length, 3)}`;
    item.classList.toggle("is-longest", digit === trace.prediction);
    find(item, "i", HTMLElement).style.setProperty("--length", String(length));
    const button = find(item, "button", HTMLButtonElement);
    button.title = text;
    button.setAttribute("aria-label", text);
  });
}
