/**
 * Routing by agreement: the pictures that share one selection, and their controls.
 * @import { DynamicPanel, DynamicRoom, DynamicScene as Scene, DynamicState, PanelAct, RoutedTensors } from "./types.js"
 * @import { LayerMount } from "../../types.js"
 */
import { withPointed } from "../../../core/scenes.js";
import { focusedClass } from "../../../core/state.js";
import { ticksTo } from "../../../lib/decimals.js";
import { fixed, grouped, percent } from "../../../lib/format.js";
import { memoize, memoizeByIndex, memoizeByObject } from "../../../lib/memoize.js";
import { findElement, setText } from "../../../ui/dom.js";
import { kept } from "../../../ui/guard.js";
import { mountPanels } from "../../../ui/panel.js";
import { valueTable } from "../../../ui/tables.js";
import { groupOf, placeIn } from "../../capsules/places.js";
import { mountPortrait } from "../../capsules/portrait.js";
import { belowOf, hasPlaces } from "../../capsules/source.js";
import { focusChoices, mountIterations } from "../controls.js";
import { focusLast, mountCurves, mountErrors, mountTables, SHARES } from "../curves.js";
import { mountSurgery } from "../surgery/panel.js";
import { agreement } from "./agreement.js";
import { hasVotes, votesName } from "./answers.js";
import { gridBelow, hasNone, isOperable, nounsOf } from "./ends.js";
import { experiments } from "./experiments.js";
import { flow } from "./flow.js";
import { mountMicroscope } from "./microscope/index.js";
import {
  askFor,
  changeLook,
  chooseClass,
  chooseEnds,
  lastingPairOf,
  lookAtPlace,
  scenesOf,
} from "./scene.js";
import { mountStory } from "./story.js";
import { evidenceOfCapsules, sharesByType } from "./sums.js";
import { mountTree } from "./tree/index.js";
import { votes } from "./votes.js";
import { where } from "./where.js";

/** Those that are values. */
export const panels = [agreement, flow, where, votes];

/** Bits; an axis that ends lower would show nothing but rounding. */
const LEAST_BITS = 0.001;

/** In the order of the page. */
const PANELS = [
  mountControls,
  mountStory,
  mountCourses,
  mountMicroscope,
  mountOperation,
];

/** @type {LayerMount<DynamicState>} */
export function mount(root, store, actions, services, layer) {
  /** @type {DynamicRoom} */
  const room = { store, scenes: scenesOf(store), actions, services, layer };
  const below = belowOf(layer);
  const isPlaced = below !== undefined && hasPlaces(below);
  const has = (/** @type {string} */ id) =>
    id === "agreement" || id === "votes" ? hasVotes(layer) : id === "flow" || isPlaced;
  const pointing = withPointed(room.scenes, /** @type {number | null} */ (null));
  const act = { ...actOf(room), point: pointing.point };
  for (const panel of panels.filter(({ id }) => has(id)))
    mountPanels(root, { scenes: panel === votes ? pointing : room.scenes, act }, [
      panel,
    ]);
  if (hasVotes(layer)) kept(root, askForVotes)(root, room);
  for (const panel of PANELS) kept(root, panel)(root, room);
  if (isPlaced) {
    kept(root, mountTree)(root, room);
  } else findElement(root, '[data-panel="tree"]').remove();
  store.watch(["model"], ({ model }) => {
    const operable = isOperable(layer, model);
    const shown = {
      "[data-surgery], .capsule-tools": operable,
      '[data-fold="vote"]': hasVotes(layer),
      '[data-fold="found"]': "pre" in layer.tensors,
      "[data-fed]": "beneath" in layer.tensors,
      "[data-no-votes]": !hasVotes(layer),
    };
    for (const [parts, isShown] of Object.entries(shown))
      for (const part of root.querySelectorAll(parts))
        part.toggleAttribute("hidden", !isShown);
  });
  mountTables(root, room.scenes, { course: courseTable, couplings: couplingsTable });
  mountPortraitOf(root, room);
}

/** What readers do in panels. @param {DynamicRoom} room @returns {Omit<PanelAct, "point">} */
const actOf = (room) => ({
  store: room.store,
  set: room.store.set,
  changeLook: (change) => changeLook(room, change),
  chooseEnds: (scene, ends) => chooseEnds(room, scene, ends),
  chooseClass: (classIndex) => chooseClass(room, classIndex),
  lookAt: room.actions.lookAt,
  lookAtPlace: (place) => lookAtPlace(room, place),
});

/** The votes that arrows show. @type {DynamicPanel} */
function askForVotes(_root, room) {
  room.scenes.watch((scene) => {
    const { own, rival } = lastingPairOf(scene);
    const names = [...new Set([own, rival])].map((i) => votesName(room.layer, i));
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

/** @type {DynamicPanel} */
function mountPortraitOf(root, { store, layer, services }) {
  const place = findElement(root, "[data-portrait]");
  const portrait = mountPortrait(place, services.server, layer);
  store.watch(["measured", "capsule", "model"], ({ measured, capsule, model }) => {
    const { type } = placeIn(gridBelow(layer, model), capsule);
    portrait.show(model, measured, type);
  });
}

/**
 * Which iteration is on show, how many run and how fast they are played, and which class is
 * in focus.
 * @type {DynamicPanel}
 */
function mountControls(root, room) {
  const { store, layer } = room;
  const size = findElement(root, "[data-size]");
  const digits = focusChoices(findElement(root, "[data-digits]"), (classIndex) =>
    chooseClass(room, classIndex),
  );
  const isSlow = () => store.shown()?.look.pace === "slow";
  const { keepPace } = mountIterations(root, store, isSlow);

  const atPace = memoize((/** @type {string} */ _pace) => keepPace());
  store.watch(["look"], ({ look }) => atPace(look.pace));
  const forNone = root.querySelectorAll("[data-none]");
  store.watch(["model"], ({ model }) => {
    for (const each of forNone) each.toggleAttribute("hidden", !hasNone(layer, model));
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
function sizeWords({ types, group }, { many }, { classes }) {
  const from =
    group === "type"
      ? `${types} types of capsules`
      : `${grouped(types)} ${group === "map" ? "maps of capsules" : "capsules"}`;
  return `${from} → ${grouped(classes)} ${many}`;
}

/**
 * The lengths, how far votes agree, how decided the capsules below are, and how their
 * couplings spread.
 * @type {DynamicPanel}
 */
function mountCourses(root, { scenes, store }) {
  mountErrors(root, store);
  const panel = findElement(root, "[data-courses]");
  const classCount = findElement(panel, "[data-class-count]");
  const mostBits = findElement(panel, "[data-most-bits]");
  const charts = memoize(chartsOf);
  scenes.watch(({ ends: { length } }) => {
    setText(classCount, String(length));
    setText(mostBits, Math.log2(length).toFixed(2));
  });
  mountCurves(root, scenes, {
    names: ["lengths", "agreement", "decided", "spread"],
    chartsOf: ({ figures, classIndex }) => charts(figures, classIndex),
    valuesOf: ({ figures, step, classIndex }) => [
      fixed(figures.lengths()[classIndex][step], 3),
      fixed(figures.agreement()[classIndex][step], 2),
      `${fixed(figures.decided()[step], 4)} bits`,
      percent(figures.spread(classIndex)[3][step], 0),
    ],
    showStep: (step) => store.set({ step }),
  });
}

/** @param {Scene["figures"]} figures @param {number} classIndex */
function chartsOf(figures, classIndex) {
  const decided = figures.decided();
  const agreement = figures.agreement();
  return [
    { lines: focusLast(figures.lengths(), classIndex), ticks: SHARES },
    { lines: focusLast(agreement, classIndex), ticks: ticksAround(agreement.flat()) },
    {
      lines: [{ values: decided, look: "is-set-off" }],
      ticks: ticksTo(Math.max(...decided, LEAST_BITS), 2),
    },
    { lines: focusLast(figures.spread(classIndex), 3), ticks: SHARES },
  ];
}

/** @param {readonly number[]} values */
function ticksAround(values) {
  const above = ticksTo(Math.max(...values), 2);
  const lowest = Math.min(...values);
  // Sums a hair below zero need no room of their own.
  if (lowest > -0.02 * above[above.length - 1]) return above;
  const below = ticksTo(-lowest, 1).slice(1).reverse();
  return [...below.map((tick) => -tick), ...above];
}

/** @param {Scene} scene */
function couplingsTable({ figures, step, ends, grid }) {
  const { types, classes, data } = figures.couplings(step);
  return [
    valueTable(data, {
      rows: types,
      columns: classes,
      rowNames: Array.from({ length: types }, (_, type) => `${groupOf(grid)} ${type}`),
      columnNames: [...ends],
      corner: "c",
      decimals: 4,
    }),
  ];
}

/** @param {Scene} scene */
function courseTable({ figures, classIndex, name, iterations, model }) {
  const columns = [
    ...figures.lengths(),
    figures.agreement()[classIndex],
    figures.decided(),
    ...figures.spread(classIndex).toReversed(),
  ];
  const steps = Array.from({ length: iterations }, (_, step) => step);
  return [
    valueTable(
      steps.flatMap((step) => columns.map((each) => each[step])),
      {
        rows: iterations,
        columns: columns.length,
        rowNames: steps.map((step) => String(step + 1)),
        columnNames: [
          ...model.class_names.map((each) => `‖v‖ ${each}`),
          `agreement ${name}`,
          "decided, bits",
          `largest c to ${name}`,
          "above 99 %",
          "above 90 %",
          "median",
        ],
        corner: "iteration",
        decimals: 4,
      },
    ),
  ];
}
