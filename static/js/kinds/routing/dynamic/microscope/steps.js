/**
 * The five steps of an iteration (Procedure 1) as formulas, and below each the same with
 * the numbers of the chosen capsule and the class in focus.
 * @import { Content } from "../../../../ui/h.js"
 * @import { CapsuleScene } from "./panel.js"
 */
import { exactly, rounded } from "../../../../lib/decimals.js";
import { capitalized, fixed, percent } from "../../../../lib/format.js";
import { h, note } from "../../../../ui/h.js";
import { button } from "../../../../ui/inputs.js";
import {
  bold,
  mfrac,
  mi,
  mn,
  mo,
  mover,
  mrow,
  msub,
  msup,
  munder,
} from "../../../../ui/math.js";
import { hasVotes } from "../answers.js";
import { inSentence, NONE } from "../ends.js";
import { DECIMALS, distanceWords } from "./course.js";
import { openVote } from "./votes.js";

/** Of what one capsule adds: little, beside 1151 others. */
const EVIDENCE_DECIMALS = 5;

const [EQUALS, PLUS, TIMES, DOT] = ["=", "+", "×", "·"].map((sign) => mo(sign));
const narrow = (/** @type {string} */ sign) => h("mo", { stretchy: "false" }, sign);
const [LOGIT, COUPLING] = ["b", "c"].map((name) =>
  msub(mi(name), mrow(mi("i"), mi("j"))),
);
const OTHER_LOGIT = msub(mi("b"), mrow(mi("i"), mi("k")));
const [SUM, POSE] = ["s", "v"].map((name) => msub(bold(name), mi("j")));
const VOTE = msub(mover(bold("u"), narrow("^")), mrow(mi("j"), narrow("|"), mi("i")));
const norm = (/** @type {Content} */ of) => mrow(narrow("‖"), of, narrow("‖"));
const square = (/** @type {Content} */ of) => msup(of, mn("2"));
const power = (/** @type {Content} */ of) => msup(mi("e"), of);
const onePlus = (/** @type {Content} */ of) => mrow(mn("1"), PLUS, of);
const sumOver = (/** @type {string} */ of) => munder(mo("∑"), mi(of));
const hat = (/** @type {string} */ of) =>
  msub(of === "u" ? mover(mi("u"), narrow("^")) : mi(of), mi("d"));

/** @param {string} speech @param {...Content} content */
const math = (speech, ...content) =>
  h(
    "math",
    { displaystyle: "true", ...(speech && { "aria-label": speech }) },
    mrow(content),
  );

/** @param {CapsuleScene} n */
export function stepsIn(n) {
  const { scene, rule, now, distance } = n;
  const { classIndex, ends, model, step, tensors, layer } = scene;
  const texts = textsOf(n);
  const number = (/** @type {keyof typeof texts} */ name) =>
    h("mn", { "data-number": name }, texts[name]);
  const isHeld = rule.pin?.classIndex === classIndex;
  const rest = () => rule.pin !== null && [number("left"), DOT];
  const steps = [
    stepOf("split", "Split", [
      math(
        "c of i j is e to the b of i j, over the sum over k of e to the b of i k",
        ...[COUPLING, EQUALS],
        mfrac(power(LOGIT), mrow(sumOver("k"), power(OTHER_LOGIT))),
      ),
      filled(
        !isHeld && [
          math("", ...[EQUALS, rest()], mfrac(power(number("logit")), number("sum"))),
          math("", ...[EQUALS, rest()], mfrac(number("exponential"), number("sum"))),
        ],
        math("", EQUALS, number("coupling")),
        isHeld && note("Held there by surgery: agreement does not decide it."),
      ),
      ends.length > model.classes &&
        note(
          "The sum over k contains “none of the above”. Its logit b stays 0, so its term is e",
          h("sup", {}, "0"),
          " = 1.",
        ),
      note(splitWords(n)),
    ]),
    stepOf("add", "Add up", [
      math(
        "s of j is the sum over i of c of i j times the vote u hat of j given i",
        ...[SUM, EQUALS, sumOver("i"), COUPLING, VOTE],
      ),
      filled(
        math(
          "what this capsule adds along v: c times agreement, over the length of v",
          mfrac(mrow(COUPLING, VOTE, DOT, POSE), norm(POSE)),
        ),
        math(
          "",
          EQUALS,
          mfrac(mrow(number("coupling"), TIMES, number("agreement")), number("after")),
        ),
        math("", EQUALS, number("evidence")),
      ),
      h("p", { class: "fine", "data-add-words": "" }, shareInWords(n)),
    ]),
    stepOf("squash", "Squash", [
      math(
        "v of j is the squared length of s of j over one plus that, times s of j over its length",
        ...[POSE, EQUALS],
        mfrac(square(norm(SUM)), onePlus(square(norm(SUM)))),
        mfrac(SUM, norm(SUM)),
      ),
      filled(
        math(
          "",
          ...[norm(POSE), EQUALS],
          mfrac(square(number("before")), onePlus(square(number("before")))),
        ),
        math(
          "",
          EQUALS,
          mfrac(number("squared"), onePlus(number("squared"))),
          ...[EQUALS, number("after")],
        ),
      ),
    ]),
    stepOf("compare", "Compare", [
      math(
        "u hat of j given i, dot v of j: the sum of the products of their numbers",
        ...[VOTE, DOT, POSE, EQUALS, sumOver("d"), hat("u"), hat("v")],
      ),
      filled(math("", EQUALS, number("agreement"))),
      note(
        `${tensors.capsules.shape[2]} products, added up. `,
        hasVotes(layer) && button("See its products", openVote, { class: "link" }),
      ),
    ]),
    stepOf("grow", "Grow", [
      math(
        "b of i j grows by u hat of j given i, dot v of j",
        ...[LOGIT, mo("←"), LOGIT, PLUS, VOTE, DOT, POSE],
      ),
      filled(
        rule.isRouted &&
          math(
            "",
            number("logit"),
            h("mo", { "data-sign": "" }, now.agreement[classIndex] < 0 ? "−" : "+"),
            number("agreement-size"),
          ),
        math("", EQUALS, number("next")),
      ),
      note(
        rule.isRouted
          ? `That is where iteration ${step + 2} would begin.`
          : "Surgery has switched routing off: no agreement is added, and b stays 0.",
      ),
    ]),
  ];
  const look = { class: "capsule-steps", "data-iteration-steps": "" };
  return [
    h(
      "ol",
      { ...look, "aria-label": "The arithmetic of this iteration, step by step" },
      steps,
    ),
    h("p", { class: "fine", "data-distance": "" }, distanceWords(distance)),
  ];
}

/** @param {string} name @param {string} title @param {Content} content */
const stepOf = (name, title, content) =>
  h("li", { "data-step-name": name }, h("h4", {}, title), content);

/** The same with numbers. @param {...Content} content */
const filled = (...content) => h("div", { class: "filled" }, content);

/** @param {CapsuleScene} n */
function splitWords({ scene, rule }) {
  const { classIndex, name, model, ends, nouns } = scene;
  if (rule.pin !== null && rule.pin.classIndex !== classIndex)
    return `Surgery holds its coupling to ${model.class_names[rule.pin.classIndex]}; the others share what is left.`;
  const none = ends.length > model.classes ? ` and ${inSentence(NONE)}` : "";
  return `${capitalized(name)} gets this share of the capsule’s output; the other ${model.classes - 1} ${nouns.plural}${none} share the rest.`;
}

/** What stands in the formulas. @param {CapsuleScene} n */
function textsOf(n) {
  const { scene, rule, now, softmax, squash } = n;
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
    evidence: fixed(evidenceOf(n), EVIDENCE_DECIMALS),
    before: fixed(squash.before, squash.decimals),
    squared: fixed(squash.squared, squash.decimals),
    after: fixed(squash.after, DECIMALS),
  };
}

/**
 * What the capsule adds to ‖s‖, from the numbers as they are written.
 * @param {CapsuleScene} n
 */
function evidenceOf({ scene: { classIndex }, now, squash }) {
  if (squash.after === 0) return 0;
  return rounded(
    (now.couplings[classIndex] * now.agreement[classIndex]) / squash.after,
    EVIDENCE_DECIMALS,
  );
}

/** @param {CapsuleScene} n */
function shareInWords(n) {
  const { scene, squash } = n;
  const { figures, step, classIndex, capsule } = scene;
  // What the written numbers leave of little is nothing: the trace's says how much it is.
  const evidence = figures.evidenceOf(step, classIndex)[capsule];
  const { added, taken } = figures.gifts(step, classIndex);
  const [does, whole, all] =
    evidence < 0
      ? ["takes this much away", taken, "shortens"]
      : ["adds this much", added, "lengthens"];
  if (whole === 0) return `No capsule ${all} ${scene.name}.`;
  const share = percent(Math.abs(evidence) / whole, 1);
  const length = exactly(squash.before, squash.decimals);
  return `It ${does} along v: ${share} of all that ${all} ${scene.name}, whose s is ${length} long.`;
}
