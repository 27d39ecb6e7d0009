/**
 * One capsule under the microscope: its place among those of its type, its numbers with
 * every digit and in every iteration, the five steps of an iteration worked out with
 * them, and, folded in, what it found and what it says.
 * @import { Iteration, Rule, Softmax } from "./course.js"
 * @import { Squash } from "./one-vote.js"
 * @import { Scene, Scenes } from "../scene.js"
 * @import { Actions, RoutedTrace, RoutingStore, Surgery } from "../../types.js"
 */
import { memoize } from "../../../../lib/memoize.js";
import { forHands } from "../../../../ui/controls.js";
import { findElement } from "../../../../ui/dom.js";
import { showSeenFirst } from "../../../../ui/seen.js";
import { isIntact } from "../surgery/changes.js";
import { courseOf, distanceFrom, ruleOf, softmaxOf } from "./course.js";
import { mountFolds } from "./folds.js";
import { mountFound } from "./found.js";
import { mountGrid } from "./grid.js";
import { linkTerms } from "./linked-terms.js";
import { capsuleOf, squashOf } from "./one-vote.js";
import { mountSteps } from "./steps.js";
import { mountTables } from "./tables.js";
import { mountVote } from "./vote.js";
import { mountVotes } from "./votes.js";
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
 * @property {Squash} squash of the digit in focus
 * @property {number} distance how far what is written is from the trace
 */

/**
 * @param {HTMLElement} root
 * @param {RoutingStore} store
 * @param {Scenes} scenes
 * @param {Actions} actions
 */
export function mountCapsule(root, store, scenes, actions) {
  const panel = findElement(root, "[data-microscope]");
  const title = findElement(panel, "[data-capsule-title]");
  const run = findElement(panel, "[data-capsule-run]");
  const readout = findElement(panel, "[data-term-readout]");
  /** @type {CapsuleScene | null} */
  let capsuleScene = null;

  const links = linkTerms(panel, (term) => {
    readout.textContent =
      term && capsuleScene ? meaningOf(term, capsuleScene) : forHands(HINT);
  });
  const grid = mountGrid(panel, store, actions, links.light);
  const folds = mountFolds(panel, () => draw());
  const parts = [
    mountTables(panel, actions),
    mountSteps(panel, folds.open),
    mountFound(panel, folds),
    mountVotes(panel, folds, actions),
    mountVote(panel, folds),
  ];

  const read = createReader();
  const ask = memoize((/** @type {string} */ names) =>
    actions.ask(names === "" ? [] : names.split(" ")),
  );

  function draw(scene = scenes.shown()) {
    if (scene === null) return;
    capsuleScene = read(scene);
    const { place, ran } = scene;
    title.textContent = `One capsule: type ${place.type}, row ${place.row}, column ${place.column}`;
    run.textContent = isIntact(ran) ? originOf(scene) : "under surgery";
    grid.show(capsuleScene);
    for (const part of parts) part.show(capsuleScene);
    ask(folds.needed(scene).join(" "));
    links.refresh();
  }
  scenes.watch(showSeenFirst(panel, draw));
}

/** @param {Scene} scene of the intact run */
function originOf({ followsStrongest, name }) {
  return followsStrongest ? `none gives more to ${name} after the last iteration` : "";
}

/** Makes capsuleScenes; a capsule's course stays while its iterations are gone through. */
function createReader() {
  /** @type {Pick<CapsuleScene, "rule" | "course" | "distance">} */
  let path;
  const follow = memoize(
    (
      /** @type {RoutedTrace} */ { tensors },
      /** @type {Surgery} */ ran,
      /** @type {number} */ capsule,
    ) => {
      const rule = ruleOf(ran, capsule);
      const course = courseOf(tensors["routing.agreement"], capsule, rule);
      path = { rule, course, distance: distanceFrom(course, tensors, capsule) };
    },
  );

  return (/** @type {Scene} */ scene) => {
    const { trace, ran, capsule, step, digit } = scene;
    follow(trace, ran, capsule);
    const now = path.course[step];
    const pose = capsuleOf(trace.tensors["routing.capsules"], step, digit);
    const softmax = softmaxOf(now, path.rule);
    return { scene, ...path, now, softmax, squash: squashOf(pose) };
  };
}
