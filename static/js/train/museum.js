/**
 * The museum of mistakes as the page shows it: choose one, guess what it does, train without
 * and with it, and read what came of it.
 * @import { Drawn } from "./curves.js"
 * @import { Exhibit, Outcome } from "./exhibits.js"
 */
import { capitalized } from "../lib/format.js";
import { find, findElement, make, setText, unfold } from "../ui/dom.js";
import { EXHIBITS, exhibitOf, OUTCOMES, outcomeOf, outcomeWords } from "./exhibits.js";

/**
 * @param {HTMLElement} root
 * @param {(exhibit: Exhibit) => void} train starts both runs
 * @param {(mistake: string) => void} chose an exhibit, by name
 */
export function mountMuseum(root, train, chose) {
  const room = findElement(root, "[data-museum]");
  const menu = find(room, "[data-exhibits]", HTMLSelectElement);
  const guesses = findElement(room, "[data-guesses]");
  const see = find(room, "[data-see]", HTMLButtonElement);
  const shown = findElement(root, "[data-exhibit]");
  /** What was guessed of each exhibit, since the page was opened. */
  const guessed = /** @type {Map<string, Outcome>} */ (new Map());

  menu.append(
    ...EXHIBITS.map(({ name, title }) => new Option(capitalized(title), name)),
  );
  guesses.append(
    ...Object.entries(OUTCOMES).map(([outcome, words]) => {
      const input = make("input", { type: "radio", name: "guess", value: outcome });
      input.addEventListener("change", () => {
        guessed.set(menu.value, /** @type {Outcome} */ (outcome));
        showChosen();
      });
      return make("label", "", input, ` ${capitalized(words)}`);
    }),
  );
  let isTrained = true; // the mistakes, here
  let entered = "";
  let isKnown = false; // whether the mistakes can be trained
  const unfolded = () => /** @type {HTMLDetailsElement} */ (room).open;
  const chosen = () => EXHIBITS.find(({ name }) => name === menu.value) ?? EXHIBITS[0];

  function showChosen() {
    const { name, what, who, why } = chosen();
    setText(findElement(room, "[data-what]"), what);
    setText(findElement(room, "[data-who]"), who);
    setText(findElement(room, "[data-reason]"), isTrained ? "" : why);
    const guess = guessed.get(name);
    for (const input of guesses.querySelectorAll("input"))
      input.checked = input.value === guess;
    see.disabled = guess === undefined;
  }
  menu.addEventListener("change", () => {
    showChosen();
    chose(menu.value);
  });
  see.addEventListener("click", () => train(chosen()));
  showChosen();

  return {
    /** Open one of the rooms. @param {string} name of the exhibit; others do nothing */
    enter(name) {
      if (name === entered) return; // it may have been left since
      entered = name;
      const isShown = menu.value === name && unfolded();
      if (isShown || !EXHIBITS.some((each) => each.name === name)) return;
      menu.value = name;
      showChosen();
      unfold(menu);
      room.scrollIntoView();
    },

    /** Whether the mistakes can be trained here; else they are told. @param {boolean} is */
    open(is) {
      isTrained = is;
      for (const each of /** @type {NodeListOf<HTMLElement>} */ (
        room.querySelectorAll("[data-guessing]")
      ))
        each.hidden = !is;
      showChosen();
      // What stands above has come with it.
      if (!isKnown && entered !== "" && unfolded()) room.scrollIntoView();
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
      setText(findElement(shown, "h3"), capitalized(exhibit.title));
      setText(findElement(shown, "[data-what]"), exhibit.what);
      const guess = guessed.get(exhibit.name) ?? null;
      setText(findElement(shown, "[data-outcome]"), outcomeWords(right, wrong, guess));
      const why = outcomeOf(right, wrong) === null ? "" : exhibit.why;
      setText(findElement(shown, "[data-why]"), why);
    },
  };
}
