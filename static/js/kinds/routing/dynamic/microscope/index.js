/**
 * One capsule under the microscope: its place among those of its type, its numbers with
 * every class and in every iteration, the five steps of an iteration worked out with
 * them, and, folded in, what it found and what it says.
 * @import { RowText } from "../../../../ui/tables.js"
 * @import { Surgery } from "../../types.js"
 * @import { DynamicPanel, DynamicRoom, DynamicScene as Scene, RoutedTensors } from "../types.js"
 * @import { Distance, Iteration, Rule, Softmax } from "./course.js"
 * @import { Squash } from "./one-vote.js"
 */
import { fixed, signed } from "../../../../lib/format.js";
import { memoize } from "../../../../lib/memoize.js";
import { forHands } from "../../../../ui/controls.js";
import { find, findElement, setText } from "../../../../ui/dom.js";
import { sayFinding } from "../../../../ui/panel.js";
import { onRow } from "../../../../ui/pointing.js";
import { showSeenFirst } from "../../../../ui/seen.js";
import { fillRows } from "../../../../ui/tables.js";
import { capsuleInWords } from "../../../capsules/places.js";
import { isIntact } from "../../surgery/changes.js";
import { chooseClass } from "../scene.js";
import { ofCapsule, poseAt } from "../sums.js";
import { courseOf, DECIMALS, distanceFrom, ruleOf, softmaxOf } from "./course.js";
import { mountFolds, termsOf } from "./folds.js";
import { mountGrid } from "./grid.js";
import { linkTerms } from "./linked-terms.js";
import { squashOf } from "./one-vote.js";
import { mountSteps } from "./steps.js";
import { meaningOf } from "./words.js";

const HINT = {
  mouse:
    "Point at a number, or move to it with the arrow keys: it lights up wherever it appears.",
  touch: "Tap a number: it lights up wherever it appears.",
};

/**
 * What every part of the panel is drawn from.
 * @typedef {object} CapsuleScene
 * @property {Scene} scene
 * @property {Rule} rule how its couplings come about
 * @property {Iteration[]} course all iterations, as they are written
 * @property {Iteration} now the one on show
 * @property {Softmax} softmax behind its couplings
 * @property {Squash} squash of the class in focus
 * @property {Distance} distance how far what is written is from the trace
 */

/** @type {DynamicPanel} */
export function mountMicroscope(root, room) {
  const { scenes } = room;
  const panel = findElement(root, "[data-microscope]");
  const title = findElement(panel, "[data-capsule-title]");
  const run = findElement(panel, "[data-capsule-run]");
  const readout = findElement(panel, "[data-term-readout]");
  /** @type {CapsuleScene | null} */
  let capsuleScene = null;

  const links = linkTerms(panel, (term) => {
    const told = term && capsuleScene ? meaningOf(term, capsuleScene) : forHands(HINT);
    setText(readout, told);
  });
  const folds = mountFolds(panel, room, () => draw());
  const shows = [
    mountGrid(panel, room, links.light),
    mountTables(panel, room),
    mountSteps(panel, folds.open),
    folds.show,
  ];
  // A capsule's course stays while its iterations are gone through.
  const follow = memoize(courseIn);

  function draw(scene = scenes.shown()) {
    if (scene === null) return;
    const { tensors, ran, capsule, step, classIndex } = scene;
    const path = follow(tensors, ran, capsule);
    const now = path.course[step];
    const softmax = softmaxOf(now, path.rule);
    const squash = squashOf(poseAt(tensors.capsules, step, classIndex));
    capsuleScene = { scene, ...path, now, softmax, squash };
    for (const show of shows) show(capsuleScene);
    links.refresh();
  }
  const ask = showSeenFirst(findElement(panel, ".capsule"), draw);
  scenes.watch((scene) => {
    setText(title, `One capsule: ${capsuleInWords(scene.grid, scene.capsule)}`);
    setText(run, isIntact(scene.ran) ? originOf(scene) : "under surgery");
    ask(scene);
  });
  sayFinding(panel, scenes, findShare);
}

/**
 * @param {Pick<Scene, "tensors" | "capsule" | "step" | "classIndex" | "name">} scene
 * @returns {string} what the chosen capsule sends to the class in focus
 */
export function findShare({ tensors, capsule, step, classIndex, name }) {
  const [coupling, agreement] = [tensors.couplings, tensors.agreement].map(
    (tensor) => ofCapsule(tensor, step, capsule)[classIndex],
  );
  return `It sends ${name} c = ${fixed(coupling, 3)} of its output; û·v is ${signed(agreement, 2)}.`;
}

/** @param {Scene} scene of the intact run */
function originOf({ followsStrongest, name }) {
  return followsStrongest ? `none gives more to ${name} after the last iteration` : "";
}

/** @param {RoutedTensors} tensors @param {Surgery} ran @param {number} capsule */
function courseIn(tensors, ran, capsule) {
  const rule = ruleOf(ran, capsule);
  const ends = tensors.couplings.shape.slice(-1)[0];
  const course = courseOf(tensors.agreement, capsule, rule, ends);
  return { rule, course, distance: distanceFrom(course, tensors, capsule) };
}

/**
 * The chosen capsule's logits, couplings and agreements: with every class in the iteration
 * on show, and with the class in focus in every iteration.
 * @param {HTMLElement} panel @param {DynamicRoom} room
 */
function mountTables(panel, room) {
  const caption = findElement(panel, "[data-capsule-caption]");
  const digits = find(panel, "[data-capsule-rows]", HTMLTableSectionElement);
  const sum = findElement(panel, "[data-exponential-sum]");
  const courseCaption = findElement(panel, "[data-course-caption]");
  const course = find(panel, "[data-course-rows]", HTMLTableSectionElement);
  onRow(digits, (classIndex) => chooseClass(room, classIndex));
  onRow(course, (step) => room.store.set({ step: step + 1 }));

  return (/** @type {CapsuleScene} */ capsuleScene) => {
    const { scene, softmax } = capsuleScene;
    const { step, iterations, name } = scene;
    setText(caption, `Iteration ${step + 1} of ${iterations}, all ${scene.nouns.many}`);
    fillRows(digits, endRows(capsuleScene));
    setText(sum, fixed(softmax.sum, softmax.decimals));
    setText(courseCaption, `All iterations, ${scene.nouns.one} ${name}`);
    fillRows(course, courseRows(capsuleScene));
  };
}

/** @param {CapsuleScene} capsuleScene @returns {RowText[]} one for each end */
function endRows({ scene, now, softmax }) {
  const { ends, classIndex } = scene;
  return ends.map((name, j) => {
    const isFocused = j === classIndex;
    const terms = termsOf(isFocused, `.${j}`);
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
        j < now.agreement.length
          ? { text: signed(now.agreement[j], DECIMALS), term: terms("a") }
          : { text: "–" },
        { text: signed(now.next[j], DECIMALS), term: terms("n") },
      ],
    };
  });
}

/** @param {CapsuleScene} capsuleScene @returns {RowText[]} one for each iteration */
function courseRows({ scene: { step: shown, classIndex }, course }) {
  return course.map(({ logits, couplings, agreement }, step) => {
    const isFocused = step === shown;
    const terms = termsOf(isFocused, `@${step}`);
    return {
      head: { text: String(step + 1) },
      isFocused,
      cells: [
        {
          text: signed(logits[classIndex], DECIMALS),
          // What this iteration adds up to is what the next one begins with.
          term: step === shown + 1 ? `n ${terms("b")}` : terms("b"),
        },
        { text: fixed(couplings[classIndex], DECIMALS), term: terms("c") },
        { text: signed(agreement[classIndex], DECIMALS), term: terms("a") },
      ],
    };
  });
}
