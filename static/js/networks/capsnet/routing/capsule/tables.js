/**
 * The chosen capsule's logits, couplings and agreements: with every digit in the iteration
 * on show, and with the digit in focus in every iteration.
 * @import { RowText } from "../../../../ui/tables.js"
 * @import { CapsuleScene } from "./index.js"
 * @import { Actions } from "../../types.js"
 */
import { fixed, signed } from "../../../../lib/format.js";
import { find, findElement } from "../../../../ui/dom.js";
import { fillRows } from "../../../../ui/tables.js";
import { DECIMALS } from "./course.js";

/**
 * @param {HTMLElement} panel
 * @param {Actions} actions
 */
export function mountTables(panel, actions) {
  const caption = findElement(panel, "[data-capsule-caption]");
  const digits = find(panel, "[data-capsule-rows]", HTMLTableSectionElement);
  const sum = findElement(panel, "[data-exponential-sum]");
  const courseCaption = findElement(panel, "[data-course-caption]");
  const course = find(panel, "[data-course-rows]", HTMLTableSectionElement);

  onRow(digits, (digit) => actions.focusDigit(digit));
  onRow(course, (step) => actions.showStep(step + 1));

  return {
    /** @param {CapsuleScene} capsuleScene */
    show(capsuleScene) {
      const { scene, softmax } = capsuleScene;
      caption.textContent = `Iteration ${scene.step + 1} of ${scene.iterations}, all digits`;
      fillRows(digits, digitRows(capsuleScene));
      sum.textContent = fixed(softmax.sum, softmax.decimals);
      courseCaption.textContent = `All iterations, digit ${scene.name}`;
      fillRows(course, courseRows(capsuleScene));
    },
  };
}

/**
 * @param {CapsuleScene} capsuleScene
 * @returns {RowText[]} one for each digit
 */
function digitRows({ scene, now, softmax }) {
  const { model, digit } = scene;
  return model.class_names.map((name, j) => {
    const isFocused = j === digit;
    /** @param {string} term */
    const terms = (term) => (isFocused ? `${term} ${term}.${j}` : `${term}.${j}`);
    const exponential = softmax.terms[j];
    return {
      head: { text: name },
      isFocused,
      cells: [
        { text: signed(now.logits[j], DECIMALS), term: terms("b") },
        {
          text: exponential === null ? "held" : fixed(exponential, softmax.decimals),
          term: terms("e"),
          ...(exponential !== null && { partOf: "sum" }),
        },
        { text: fixed(now.couplings[j], DECIMALS), term: terms("c") },
        { text: signed(now.agreement[j], DECIMALS), term: terms("a") },
        { text: signed(now.next[j], DECIMALS), term: terms("n") },
      ],
    };
  });
}

/**
 * @param {CapsuleScene} capsuleScene
 * @returns {RowText[]} one for each iteration
 */
function courseRows({ scene: { step: shown, digit }, course }) {
  return course.map(({ logits, couplings, agreement }, step) => {
    const isShown = step === shown;
    /** @param {string} term */
    const terms = (term) => (isShown ? `${term} ${term}@${step}` : `${term}@${step}`);
    return {
      head: { text: String(step + 1) },
      isFocused: isShown,
      cells: [
        {
          text: signed(logits[digit], DECIMALS),
          // What this iteration adds up to is what the next one begins with.
          term: step === shown + 1 ? `n ${terms("b")}` : terms("b"),
        },
        { text: fixed(couplings[digit], DECIMALS), term: terms("c") },
        { text: signed(agreement[digit], DECIMALS), term: terms("a") },
      ],
    };
  });
}

/**
 * @param {HTMLTableSectionElement} body
 * @param {(row: number) => void} choose
 */
function onRow(body, choose) {
  body.addEventListener("click", ({ target }) => {
    const row = target instanceof Element ? target.closest("tr") : null;
    if (row !== null) choose(row.sectionRowIndex);
  });
}
