/**
 * A picture of several digits, read as a number: each digit is a button that shows it alone.
 * @import { AppState, NumberRead, Overrides, Store } from "../types.js"
 */
import { counted } from "../lib/format.js";
import { find, findElement, make, setText } from "../ui/dom.js";

const MARGIN = 0.15; // of a digit's height: paper around it
const MOST_TOLD = 3; // digits whose doubts are written out
const LEAST = 0.05; // of the picture: least side of what is shown alone

/**
 * @param {HTMLElement} root @param {Store<AppState>} store
 * @param {(more: Partial<Overrides>) => void} correct
 */
export function mountNumber(root, store, correct) {
  const box = findElement(root, "[data-read-number]");
  const words = findElement(box, "[data-number-words]");
  const list = findElement(box, "[data-number-digits]");
  const said = findElement(box, "[data-number-doubts]");
  const whole = find(box, "[data-number-whole]", HTMLButtonElement);
  whole.addEventListener("click", () => correct({ crop: null }));

  store.watch(["number", "model"], ({ number, model }) => {
    const isShown = number !== null && model !== null && number.model === model.id;
    box.hidden = !isShown;
    if (!isShown) return;
    const names = model.class_names;
    setText(words, numberWords(number));
    said.replaceChildren(
      ...doubtWords(number, names).map((each) => make("li", "", each)),
    );
    const buttons = number.digits.map(({ prediction, box: place, doubts }, at) => {
      const button = make("button", "", names[prediction]);
      button.type = "button";
      button.setAttribute("aria-label", digitWords(names[prediction], at));
      button.classList.toggle("is-doubtful", doubts.length > 0);
      button.title = doubts.join(" ");
      button.addEventListener("click", () => correct({ crop: around(place) }));
      return button;
    });
    let from = 0;
    const lines = lengthsOf(number).map((length) => {
      from += length;
      return make("div", "", ...buttons.slice(from - length, from));
    });
    list.replaceChildren(...lines);
  });
  store.watch(["number", "overrides"], ({ number, overrides }) => {
    whole.disabled = overrides.crop === null;
    const buttons = list.querySelectorAll("button");
    number?.digits.forEach(({ box: place }, at) => {
      const isChosen = String(around(place)) === String(overrides.crop);
      buttons[at]?.setAttribute("aria-pressed", String(isChosen));
    });
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
  return `${said} ${doubtful} of its ${digits.length} digits ${doubtful === 1 ? "is" : "are"} doubtful.`;
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
