/**
 * A picture of several digits, read as a number: each digit is a button that shows it alone.
 * @import { AppState, NumberRead, Overrides, Store } from "../types.js"
 */
import { counted } from "../lib/format.js";
import { findElement } from "../ui/dom.js";
import { fill, h } from "../ui/h.js";
import { button } from "../ui/inputs.js";

const MARGIN = 0.15; // of a digit's height: paper around it
const MOST_TOLD = 3; // digits whose doubts are written out
const LEAST = 0.05; // of the picture: least side of what is shown alone

/**
 * @param {HTMLElement} root @param {Store<AppState>} store
 * @param {(more: Partial<Overrides>) => void} correct
 */
export function mountNumber(root, store, correct) {
  const box = findElement(root, "[data-read-number]");
  store.watch(["number", "model", "overrides"], ({ number, model, overrides }) => {
    box.hidden = number === null || model?.id !== number.model;
    if (number === null || model === null || box.hidden) return;
    const names = model.class_names;
    const buttons = number.digits.map(({ prediction, box: place, doubts }, at) => {
      const crop = around(place);
      return button(names[prediction], () => correct({ crop }), {
        class: doubts.length > 0 && "is-doubtful",
        title: doubts.join(" "),
        "aria-label": digitWords(names[prediction], at),
        pressed: String(crop) === String(overrides.crop),
      });
    });
    let from = 0;
    const lines = lengthsOf(number).map((length) => {
      from += length;
      return h("div", {}, buttons.slice(from - length, from));
    });
    const group = { role: "group", "aria-label": "Digits of the number" };
    const doubts = doubtWords(number, names).map((each) => h("li", {}, each));
    const isWhole = { disabled: overrides.crop === null };
    fill(
      box,
      h("p", { role: "status" }, numberWords(number)),
      h("div", { class: "number-digits", ...group }, lines),
      h("ul", { class: "number-doubts" }, doubts),
      button("Whole picture", () => correct({ crop: null }), isWhole),
    );
  });
}

/** @param {string} name @param {number} at */
function digitWords(name, at) {
  return `${name}, digit ${at + 1}: show it alone`;
}

/** @param {Pick<NumberRead, "number" | "digits">} read */
export function numberWords({ number, digits }) {
  const doubtful = digits.filter(({ doubts }) => doubts.length > 0).length;
  const said = `As a number: ${number.replaceAll("\n", ", ")}.`;
  if (doubtful === 0) return said;
  return `${said} ${doubtful} of its ${counted(digits.length, "digit")} ${doubtful === 1 ? "is" : "are"} doubtful.`;
}

/**
 * What is doubtful, a sentence for each digit.
 * @param {Pick<NumberRead, "digits">} read @param {readonly string[]} names
 */
export function doubtWords({ digits }, names) {
  const told = digits.flatMap(({ prediction, doubts }, at) =>
    doubts.length > 0
      ? [`Digit ${at + 1}, read as ${names[prediction]}: ${doubts.join(" ")}`]
      : [],
  );
  const more = told.length - MOST_TOLD;
  return more > 0
    ? [...told.slice(0, MOST_TOLD), `${counted(more, "other digit")} as well.`]
    : told;
}

/**
 * How many digits each line has; one line, where names of classes have several letters.
 * @param {Pick<NumberRead, "number" | "digits">} read
 */
export function lengthsOf({ number, digits }) {
  const lengths = number
    .split("\n")
    .map((line) => [...line.replaceAll(" ", "")].length);
  const all = lengths.reduce((sum, each) => sum + each, 0);
  return all === digits.length ? lengths : [digits.length];
}

/**
 * The part of a picture that shows one digit alone: left, top, right and bottom.
 * @param {NumberRead["digits"][number]["box"]} box left, top, width and height
 * @returns {[number, number, number, number]}
 */
export function around([left, top, width, height]) {
  const margin = MARGIN * height;
  const [across, down] = [width, height].map((side) =>
    Math.max(margin, (LEAST - side) / 2),
  );
  const within = (/** @type {number} */ value) =>
    Number(Math.min(1, Math.max(0, value)).toFixed(4));
  return [
    within(left - across),
    within(top - down),
    within(left + width + across),
    within(top + height + down),
  ];
}
