/**
 * The museum of mistakes as the page shows it: choose one, guess what it does, train without
 * and with it, and read what came of it.
 * @import { Drawn } from "./curves.js"
 * @import { Exhibit, Outcome } from "./exhibits.js"
 */
import { capitalized } from "../lib/format.js";
import { find, findElement, unfold } from "../ui/dom.js";
import { fill, h } from "../ui/h.js";
import { button, menu } from "../ui/inputs.js";
import { EXHIBITS, exhibitOf, OUTCOMES, outcomeOf, outcomeWords } from "./exhibits.js";

/**
 * @param {HTMLElement} root
 * @param {(exhibit: Exhibit) => void} train starts both runs
 * @param {(mistake: string) => void} chose an exhibit, by name
 */
export function mountMuseum(root, train, chose) {
  const room = find(root, "[data-museum]", HTMLDetailsElement);
  const body = findElement(room, "[data-body]");
  const shown = findElement(root, "[data-exhibit]");
  /** What was guessed of each exhibit, since the page was opened. */
  const guessed = /** @type {Map<string, Outcome>} */ (new Map());
  let [exhibit] = EXHIBITS;
  let isTrained = true; // the mistakes, here
  let entered = "";
  let isKnown = false; // whether the mistakes can be trained

  function draw() {
    const { name, what, who, why } = exhibit;
    const guess = guessed.get(name);
    const choose = (/** @type {string} */ id) => {
      exhibit = EXHIBITS.find(({ name }) => name === id) ?? exhibit;
      draw();
      chose(exhibit.name);
    };
    const options = EXHIBITS.map(({ name, title }) => [name, capitalized(title)]);
    const look = { id: "train-exhibits" };
    const guesses = Object.entries(OUTCOMES).map(([outcome, words]) =>
      button(
        capitalized(words),
        () => {
          guessed.set(name, /** @type {Outcome} */ (outcome));
          draw();
        },
        { pressed: outcome === guess },
      ),
    );
    fill(
      body,
      h("p", {}, MADE, isTrained && GUESS),
      menu("Mistake", options, name, choose, look),
      h("p", {}, what),
      h("p", { class: "fine" }, who),
      !isTrained && h("p", {}, why),
      isTrained && [
        h("p", {}, QUESTION),
        h("div", { class: "tools", role: "group", "aria-label": QUESTION }, guesses),
        button("Train without and with it", () => train(exhibit), { disabled: !guess }),
      ],
    );
  }
  draw();

  return {
    /** Open one of the rooms. @param {string} name of the exhibit; others do nothing */
    enter(name) {
      if (name === entered) return; // it may have been left since
      entered = name;
      const found = EXHIBITS.find((each) => each.name === name);
      if (found === undefined || (found === exhibit && room.open)) return;
      exhibit = found;
      draw();
      unfold(room);
      room.scrollIntoView();
    },

    /** Whether the mistakes can be trained here; else they are told. @param {boolean} is */
    open(is) {
      isTrained = is;
      draw();
      // What stands above has come with it.
      if (!isKnown && entered !== "" && room.open) room.scrollIntoView();
      isKnown = true;
    },

    /** @param {readonly Drawn[]} drawn one or two runs */
    show(drawn) {
      const [one, other] = drawn;
      const pair = other ? exhibitOf(one.run, other.run) : null;
      shown.hidden = pair === null;
      if (pair === null) return;
      const { exhibit, isFirst } = pair;
      const [right, wrong] = (isFirst ? [other, one] : [one, other]).map(
        ({ history }) => history,
      );
      const guess = guessed.get(exhibit.name) ?? null;
      const outcome = outcomeWords(right, wrong, guess);
      fill(
        shown,
        h("h3", {}, capitalized(exhibit.title)),
        h("p", {}, exhibit.what),
        h("p", { class: "train-outcome", "data-outcome": "" }, outcome),
        outcomeOf(right, wrong) !== null && h("p", {}, exhibit.why),
      );
    },
  };
}

const MADE =
  "Public implementations of capsule networks have made each of these mistakes. ";
const GUESS =
  "Guess what it does; then two small networks start from the same random weights, one without the mistake and one with it.";
const QUESTION =
  "After one pass over the training images, what has become of the run with the mistake?";
