/**
 * The lengths as bars on an axis from 0 to 1, with what training asked of them, and how
 * routing came to each of them.
 * @import { AppState, Model, Trace } from "../types.js"
 * @import { Actions } from "../state.js"
 * @import { Store } from "../store.js"
 */
import { marginsOf } from "../lib/margins.js";
import { fixed } from "../lib/number.js";
import { ranked } from "../lib/rank.js";
import { lengthsOverIterations } from "../lib/routing.js";
import { find, findElement } from "../parts/find.js";
import { sparkline } from "../parts/sparkline.js";
import { focusedDigit, knownLabel } from "../state.js";

const TICKS = [0, 0.2, 0.4, 0.6, 0.8, 1];

/**
 * @param {HTMLElement} root
 * @param {Store<AppState>} store
 * @param {Actions} actions
 */
export function mountLengths(root, store, actions) {
  const axis = findElement(root, "[data-axis]");
  const rows = findElement(root, "[data-rows]");
  const verdict = findElement(root, "[data-verdict]");
  const sum = findElement(root, "[data-sum]");
  const historyHead = findElement(root, "[data-history-head]");

  store.watch(["model"], ({ model }) => {
    if (model === null) return;
    rows.replaceChildren(
      ...model.class_names.map((name, digit) =>
        lengthRow(name, () => actions.focusDigit(digit)),
      ),
    );
    showMargins(root, axis, model);
  });
  store.watch(["trace", "model", "source", "view"], (state) => {
    const { trace, model, source, view } = state;
    if (view !== "digits" || model === null) return;
    root.classList.toggle("is-empty", trace === null);
    if (trace === null) {
      verdict.textContent = "";
      sum.textContent = "";
      return;
    }
    const label = knownLabel(source, model);
    verdict.textContent = verdictWords(trace, model, label);
    sum.textContent = sumWords(trace.tensors["digits.lengths"].data);
    showLengths(rows, trace, label);
    const capsules = trace.tensors["routing.capsules"];
    historyHead.textContent = capsules ? `over ${capsules.shape[0]} iterations` : "";
    showHistory(rows, capsules && lengthsOverIterations(capsules));
  });
  store.watch(["digit", "trace", "model"], (state) => {
    const focused = focusedDigit(state);
    [...rows.querySelectorAll("button")].forEach((button, digit) => {
      button.setAttribute("aria-pressed", String(digit === focused));
    });
  });
}

/**
 * @param {string} name
 * @param {() => void} choose
 */
function lengthRow(name, choose) {
  const row = document.createElement("li");
  const button = document.createElement("button");
  button.type = "button";
  const track = element("span", "length-track", element("i"));
  button.append(
    element("span", "length-name", name),
    track,
    element("span", "length-number"),
    element("span", "length-history"),
    element("span", "length-tags"),
  );
  button.addEventListener("click", choose);
  row.append(button);
  return row;
}

/**
 * Ticks, and the two margins as lines through all rows.
 * @param {HTMLElement} root
 * @param {HTMLElement} axis
 * @param {Model} model
 */
function showMargins(root, axis, { card }) {
  const { present, absent } = marginsOf(card);
  root.style.setProperty("--absent", String(absent));
  root.style.setProperty("--present", String(present));
  axis.replaceChildren(
    ...TICKS.map((tick) => placed(String(tick), tick, "tick")),
    placed(`m⁻ ${absent}`, absent, "margin"),
    placed(`m⁺ ${present}`, present, "margin"),
  );
  findElement(root, "[data-margins]").textContent =
    `Dashed: the margins of the loss. In training, the capsule of the digit that is there costs nothing once it is longer than m⁺\u00a0=\u00a0${present}, and every other capsule costs nothing while it is shorter than m⁻\u00a0=\u00a0${absent}. The lines on the right show each length after every iteration of routing, also from 0 to 1.`;
}

/**
 * @param {HTMLElement} rows
 * @param {Trace} trace
 * @param {number | null} label
 */
function showLengths(rows, trace, label) {
  const lengths = trace.tensors["digits.lengths"].data;
  const [first, second] = ranked(lengths);
  [...rows.children].forEach((row, digit) => {
    const tags = [
      digit === first ? "longest" : "",
      digit === second ? "runner-up" : "",
      digit === label ? "true label" : "",
    ].filter((tag) => tag !== "");
    row.classList.toggle("is-longest", digit === first);
    find(row, ".length-track i", HTMLElement).style.width = `${100 * lengths[digit]}%`;
    findElement(row, ".length-number").textContent = fixed(lengths[digit], 3);
    findElement(row, ".length-tags").replaceChildren(
      ...tags.map((tag) => element("span", "tag", tag)),
    );
  });
}

/**
 * @param {HTMLElement} rows
 * @param {number[][] | undefined} lengths [class][iteration]; absent until asked for
 */
function showHistory(rows, lengths) {
  [...rows.children].forEach((row, digit) => {
    const place = findElement(row, ".length-history");
    const steps = lengths?.[digit] ?? [];
    place.replaceChildren(...(steps.length > 0 ? [sparkline(steps)] : []));
    place.title = steps
      .map((length, i) => `iteration ${i + 1}: ${fixed(length, 3)}`)
      .join("\n");
  });
}

/**
 * @param {Trace} trace
 * @param {Model} model
 * @param {number | null} label
 */
function verdictWords(trace, { class_names: names, card }, label) {
  const lengths = trace.tensors["digits.lengths"].data;
  const [first, second] = ranked(lengths);
  const words = [
    `The network reads ${names[first]}: its capsule is the longest, ${fixed(lengths[first], 3)}.`,
    `The runner-up is ${names[second]}, ${fixed(lengths[second], 3)}.`,
  ];
  if (label !== null) {
    words.push(
      label === first
        ? `The true label is ${names[label]} too.`
        : `The true label is ${names[label]}: the network is wrong.`,
    );
  }
  if (lengths[first] < marginsOf(card).absent)
    words.push("Even that is below m⁻: to the network, no digit is there.");
  return words.join(" ");
}

/** @param {Float32Array} lengths */
function sumWords(lengths) {
  const sum = lengths.reduce((total, length) => total + length, 0);
  return `Together the ${lengths.length} lengths make ${fixed(sum, 3)}. They need not sum to one, for they are not shares of anything: each says on its own how present its digit is. Several may be long, or none.`;
}

/**
 * @param {string} text
 * @param {number} at in 0..1
 * @param {string} name
 */
function placed(text, at, name) {
  const mark = element("span", name, text);
  mark.style.left = `${100 * at}%`;
  return mark;
}

/**
 * @param {string} tag
 * @param {string} [name] of its class
 * @param {...(Node | string)} content
 */
function element(tag, name = "", ...content) {
  const made = document.createElement(tag);
  if (name !== "") made.className = name;
  made.append(...content);
  return made;
}
