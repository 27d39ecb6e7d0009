/**
 * Routing by agreement: the pictures that share one selection, and their controls.
 * @import { DynamicPanel, DynamicRoom, DynamicScene as Scene, DynamicState, PanelAct, RoutedTensors } from "./types.js"
 * @import { LayerMount } from "../../types.js"
 */
import { createDecoding } from "../../../core/decoding.js";
import { withPointed } from "../../../core/scenes.js";
import { focusedClass } from "../../../core/state.js";
import { grouped } from "../../../lib/format.js";
import { memoizeByIndex, memoizeByObject } from "../../../lib/memoize.js";
import { findElement, setText } from "../../../ui/dom.js";
import { kept } from "../../../ui/guard.js";
import { mountPanels } from "../../../ui/panel.js";
import { focusChoices, mountIterations } from "../controls.js";
import { mountSurgery } from "../surgery/panel.js";
import { agreement } from "./agreement.js";
import { hasVotes, votesName } from "./answers.js";
import { courses } from "./courses.js";
import { gridBelow, hasNone, isOperable, nounsOf } from "./ends.js";
import { experiments } from "./experiments.js";
import { microscope } from "./microscope/panel.js";
import {
  askFor,
  chooseClass,
  chooseEnds,
  lastingPairOf,
  lookAtPlace,
  scenesOf,
} from "./scene.js";
import { tell } from "./story.js";
import { evidenceOfCapsules, sharesByType } from "./sums.js";

/** Those of every layer, and those of layers that have what they show. */
export const panels = { every: [courses], voted: [agreement], worked: [microscope] };

/** In the order of the page. */
const PANELS = [mountControls, mountOperation];

/** @type {LayerMount<DynamicState>} */
export function mount(root, store, actions, services, layer) {
  /** @type {DynamicRoom} */
  const room = { store, scenes: scenesOf(store), actions, services, layer };
  // What is worked out number by number is the paper's sum and squash.
  const isWorked = layer.words?.squash !== "other";
  const act = actOf(room);
  const { scenes } = room;
  mountPanels(root, { scenes, act }, panels.every);
  if (isWorked) mountPanels(root, { scenes, act }, panels.worked);
  if (hasVotes(layer)) {
    const drawing = withPointed(scenes, {});
    const decoded = createDecoding(services, () => drawing.point({}));
    mountPanels(root, { scenes: drawing, act: { ...act, decoded } }, panels.voted);
    kept(root, askForVotes)(root, room);
  }
  for (const panel of PANELS) kept(root, panel)(root, room);
  store.watch(["model"], ({ model }) => {
    const operable = isOperable(layer, model);
    const visible = { "[data-surgery]": operable, "[data-no-votes]": !hasVotes(layer) };
    for (const [parts, isShown] of Object.entries(visible))
      for (const part of root.querySelectorAll(parts))
        part.toggleAttribute("hidden", !isShown);
  });
}

/** What readers do in panels. @param {DynamicRoom} room @returns {PanelAct} */
const actOf = (room) => ({
  store: room.store,
  set: room.store.set,
  chooseEnds: (scene, ends) => chooseEnds(room, scene, ends),
  chooseType: (scene, type) => chooseEnds(room, scene, { type }),
  chooseClass: (classIndex) => chooseClass(room, classIndex),
  lookAtPlace: (position) => lookAtPlace(room, position),
  openView: room.actions.openView,
  gridIn: (model) => gridBelow(room.layer, model),
});

/** The votes that arrows show. @type {DynamicPanel} */
function askForVotes(_root, room) {
  room.scenes.watch((scene) => {
    const { focus, rival } = lastingPairOf(scene);
    const names = [...new Set([focus, rival])].map((i) => votesName(room.layer, i));
    askFor(room, "agreement", names);
  });
}

/** Shares after the last iteration, computed once for each class of a run. */
const sharesIn = memoizeByObject(
  (/** @type {RoutedTensors} */ { couplings }) => couplings,
  (tensors) => {
    const [iterations, types] = tensors.couplings.shape;
    return memoizeByIndex((classIndex) =>
      sharesByType(evidenceOfCapsules(tensors, iterations - 1, classIndex), types),
    );
  },
);

/** @type {DynamicPanel} */
function mountOperation(root, room) {
  const sharesOf = (/** @type {RoutedTensors} */ tensors, /** @type {number} */ i) =>
    sharesIn(tensors)(i);
  mountSurgery(root, /** @type {any} */ (room), { sharesOf, experiments });
}

/**
 * Which iteration is on show, how many run, and which class is in focus.
 * @type {DynamicPanel}
 */
function mountControls(root, room) {
  const { store, layer, scenes } = room;
  const [size, story] = ["size", "story"].map((name) =>
    findElement(root, `[data-${name}]`),
  );
  const digits = focusChoices(findElement(root, "[data-digits]"), (classIndex) =>
    chooseClass(room, classIndex),
  );
  mountIterations(root, store);
  scenes.watch((scene) => setText(story, tell(scene)));
  const forNone = root.querySelectorAll("[data-none]");
  store.watch(["model"], ({ model }) => {
    for (const element of forNone)
      element.toggleAttribute("hidden", !hasNone(layer, model));
    digits.offer(model.class_names);
    setText(size, sizeWords(gridBelow(layer, model), nounsOf(layer), model));
  });
  store.watch(["classIndex", "trace", "model"], (state) =>
    digits.press(focusedClass(state)),
  );
}

/**
 * @param {Scene["grid"]} below @param {Scene["nouns"]} nouns
 * @param {Pick<DynamicState["model"], "classes">} model
 */
function sizeWords({ types, group }, { plural: many }, { classes }) {
  const from =
    group === "type"
      ? `${types} types of capsules`
      : `${grouped(types)} ${group === "map" ? "maps of capsules" : "capsules"}`;
  return `${from} → ${grouped(classes)} ${many}`;
}
