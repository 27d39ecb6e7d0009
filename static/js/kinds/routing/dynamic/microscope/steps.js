/**
 * The five steps of an iteration (Procedure 1) as formulas, and below each the same with
 * the numbers of the chosen capsule and the digit in focus.
 * @import { CapsuleScene } from "./index.js"
 * @import { FoldName } from "./folds.js"
 */
import { rounded } from "../../../../lib/decimals.js";
import { fixed, percent } from "../../../../lib/format.js";
import { find, findElement, setText } from "../../../../ui/dom.js";
import { inSentence, NONE } from "../ends.js";
import { DECIMALS, distanceWords } from "./course.js";

/** Of what one capsule adds: little, beside 1151 others. */
const EVIDENCE_DECIMALS = 5;

/** @param {HTMLElement} panel @param {(name: FoldName) => void} openFold */
export function mountSteps(panel, openFold) {
  const steps = findElement(panel, "[data-iteration-steps]");
  const lefts = [...steps.querySelectorAll("[data-left]")];
  const routed = findElement(steps, '[data-when="routed"]');
  const held = findElement(steps, '[data-when="held"]');
  const grows = find(steps, '[data-when="grows"]', MathMLElement);
  const sign = find(grows, "[data-sign]", MathMLElement);
  const distance = findElement(panel, "[data-distance]");
  /** @param {string} name @param {string} text */
  const write = (name, text) => {
    setText(findElement(steps, `[data-${name}-words]`), text);
  };

  find(panel, "[data-open-fold]", HTMLButtonElement).addEventListener("click", () =>
    openFold("vote"),
  );
  // The first number is reached by the Tab key, the others by arrow keys.
  find(steps, "[data-term][tabindex]", MathMLElement).setAttribute("tabindex", "0");

  return (/** @type {CapsuleScene} */ capsuleScene) => {
    const { scene, rule, now } = capsuleScene;
    const { classIndex, name, model, ends, step } = scene;
    const isHeld = rule.pin?.classIndex === classIndex;
    routed.hidden = isHeld;
    held.hidden = !isHeld;
    for (const left of lefts) left.toggleAttribute("hidden", rule.pin === null);
    grows.toggleAttribute("hidden", !rule.isRouted);
    sign.textContent = now.agreement[classIndex] < 0 ? "−" : "+";
    const texts = textsOf(capsuleScene);
    for (const place of steps.querySelectorAll("[data-number]")) {
      const text = texts[place.getAttribute("data-number") ?? ""];
      if (text !== undefined) setText(place, text);
    }
    write(
      "split",
      rule.pin !== null && !isHeld
        ? `Surgery holds its coupling to ${model.class_names[rule.pin.classIndex]}; the others share what is left.`
        : `${name} gets this share of the capsule’s output; the other ${model.classes - 1} ${scene.nouns.many}${ends.length > model.classes ? ` and ${inSentence(NONE)}` : ""} share the rest.`,
    );
    write("add", shareInWords(capsuleScene));
    const [, , dim] = scene.tensors.capsules.shape;
    write("compare", `${dim} products, added up.`);
    write(
      "grow",
      rule.isRouted
        ? `That is where iteration ${step + 2} would begin.`
        : "Surgery has switched routing off: no agreement is added, and b stays 0.",
    );
    setText(distance, distanceWords(capsuleScene.distance));
  };
}

/**
 * @param {CapsuleScene} capsuleScene
 * @returns {Record<string, string>} for the formulas
 */
function textsOf(capsuleScene) {
  const { scene, rule, now, softmax, squash } = capsuleScene;
  const { classIndex } = scene;
  const agreement = now.agreement[classIndex];
  return {
    left: fixed(rounded(1 - (rule.pin?.coupling ?? 0), DECIMALS), DECIMALS),
    logit: fixed(now.logits[classIndex], DECIMALS),
    exponential: fixed(softmax.terms[classIndex] ?? 0, softmax.decimals),
    sum: fixed(softmax.sum, softmax.decimals),
    coupling: fixed(now.couplings[classIndex], DECIMALS),
    agreement: fixed(agreement, DECIMALS),
    "agreement-size": fixed(Math.abs(agreement), DECIMALS),
    next: fixed(now.next[classIndex], DECIMALS),
    evidence: fixed(evidenceOf(capsuleScene), EVIDENCE_DECIMALS),
    before: fixed(squash.before, squash.decimals),
    squared: fixed(squash.squared, squash.decimals),
    after: fixed(squash.after, DECIMALS),
  };
}

/**
 * What the capsule adds to ‖s‖, from the numbers as they are written.
 * @param {CapsuleScene} capsuleScene
 */
function evidenceOf({ scene: { classIndex }, now, squash }) {
  if (squash.after === 0) return 0;
  return rounded(
    (now.couplings[classIndex] * now.agreement[classIndex]) / squash.after,
    EVIDENCE_DECIMALS,
  );
}

/** @param {CapsuleScene} capsuleScene */
function shareInWords(capsuleScene) {
  const { scene, squash } = capsuleScene;
  const evidence = evidenceOf(capsuleScene);
  if (squash.before === 0) return "No capsule adds anything.";
  const share = percent(Math.abs(evidence) / squash.before, 2);
  const length = fixed(squash.before, squash.decimals);
  return evidence < 0
    ? `It takes this much away along v: ${share} of the length of s for ${scene.name}, which is ${length}.`
    : `It adds this much along v: ${share} of the length of s for ${scene.name}, which is ${length}.`;
}
