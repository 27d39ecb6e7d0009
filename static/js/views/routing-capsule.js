/**
 * One capsule under the microscope: its place among those of its type, its numbers with
 * every digit and in every iteration, the five steps of an iteration worked out with
 * them, and, folded in, what it found and what it says.
 * @import { AppState, Trace } from "../types.js"
 * @import { Iteration, Rule, Softmax } from "../lib/one-capsule.js"
 * @import { Squash } from "../lib/one-vote.js"
 * @import { Actions } from "../state.js"
 * @import { Store } from "../store.js"
 * @import { Scene } from "./routing-trace.js"
 */
import { onChange } from "../lib/on-change.js";
import { courseOf, distanceFrom, ruleOf, softmaxOf } from "../lib/one-capsule.js";
import { capsuleOf, squashOf } from "../lib/one-vote.js";
import { findElement } from "../parts/find.js";
import { linkTerms } from "../parts/linked-terms.js";
import { whileSeen } from "../parts/seen.js";
import { mountFolds } from "./routing-capsule-folds.js";
import { mountFound } from "./routing-capsule-found.js";
import { mountGrid } from "./routing-capsule-grid.js";
import { mountSteps } from "./routing-capsule-steps.js";
import { mountTables } from "./routing-capsule-tables.js";
import { mountVote } from "./routing-capsule-vote.js";
import { mountVotes } from "./routing-capsule-votes.js";
import { meaningOf } from "./routing-capsule-words.js";
import { SCENE, sceneOf } from "./routing-trace.js";

const HINT =
  "Point at a number, or walk with the arrow keys: it lights up wherever it stands.";

/**
 * What every part of the panel is drawn from.
 * @typedef {object} Specimen
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
 * @param {Store<AppState>} store
 * @param {Actions} actions
 */
export function mountCapsule(root, store, actions) {
  const panel = findElement(root, "[data-microscope]");
  const title = findElement(panel, "[data-capsule-title]");
  const run = findElement(panel, "[data-capsule-run]");
  const readout = findElement(panel, "[data-term-readout]");
  /** @type {Specimen | null} */
  let specimen = null;

  const links = linkTerms(panel, (term) => {
    readout.textContent = term && specimen ? meaningOf(term, specimen) : HINT;
  });
  const grid = mountGrid(panel, store, actions, links.light);
  const folds = mountFolds(panel, draw);
  const parts = [
    mountTables(panel, actions),
    mountSteps(panel, folds.open),
    mountFound(panel, folds),
    mountVotes(panel, folds, actions),
    mountVote(panel, folds),
  ];

  const read = createReader();
  const ask = onChange((/** @type {string} */ names) =>
    actions.ask(names === "" ? [] : names.split(" ")),
  );

  function draw() {
    const scene = sceneOf(store.get());
    if (scene === null) return;
    specimen = read(scene);
    const { place, trace } = scene;
    title.textContent = `One capsule: type ${place.type}, row ${place.row}, column ${place.column}`;
    run.textContent = trace === store.get().operated ? "under surgery" : "";
    grid.show(specimen);
    for (const part of parts) part.show(specimen);
    ask(folds.needed(scene).join(" "));
    links.refresh();
  }
  store.watch(SCENE, whileSeen(panel, draw));
}

/** Makes specimens; a capsule's course stays while its iterations are gone through. */
function createReader() {
  /** @type {Pick<Specimen, "rule" | "course" | "distance">} */
  let path;
  const follow = onChange(
    (/** @type {Trace} */ trace, /** @type {number} */ capsule) => {
      const { tensors, surgery } = trace;
      const rule = ruleOf(surgery, capsule);
      const course = courseOf(tensors["routing.agreement"], capsule, rule);
      path = { rule, course, distance: distanceFrom(course, tensors, capsule) };
    },
  );

  return (/** @type {Scene} */ scene) => {
    const { trace, capsule, step, digit } = scene;
    follow(trace, capsule);
    const now = path.course[step];
    const pose = capsuleOf(trace.tensors["routing.capsules"], step, digit);
    const softmax = softmaxOf(now, path.rule);
    return { scene, ...path, now, softmax, squash: squashOf(pose) };
  };
}
