/**
 * Routing by agreement: the pictures that share one selection, and their controls.
 * @import { DynamicPanel, DynamicRoom, DynamicScene as Scene, DynamicState, RoutedTensors } from "./types.js"
 * @import { LayerMount } from "../../types.js"
 */
import { focusedClass } from "../../../core/state.js";
import { largestOf } from "../../../lib/arithmetic.js";
import { diverging } from "../../../lib/color.js";
import { ticksTo } from "../../../lib/decimals.js";
import { capitalized, fixed, grouped, percent } from "../../../lib/format.js";
import { memoize, memoizeByIndex, memoizeByObject } from "../../../lib/memoize.js";
import { find, findElement, setText } from "../../../ui/dom.js";
import { kept } from "../../../ui/guard.js";
import { sayFinding } from "../../../ui/panel.js";
import { showLegend } from "../../../ui/pictures.js";
import { valueTable } from "../../../ui/tables.js";
import { groupOf, placeIn } from "../../capsules/places.js";
import { mountPortrait } from "../../capsules/portrait.js";
import { belowOf, hasPlaces } from "../../capsules/source.js";
import { focusChoices, mountIterations } from "../controls.js";
import { focusLast, mountCurves, mountErrors, mountTables, SHARES } from "../curves.js";
import { mountMatrix, writeNames } from "../matrix.js";
import { mountSurgery } from "../surgery/panel.js";
import { mountAgreement } from "./agreement.js";
import { hasVotes } from "./answers.js";
import {
  besidePicture,
  gridBelow,
  hasNone,
  inSentence,
  isOperable,
  nounsOf,
} from "./ends.js";
import { experiments } from "./experiments.js";
import { mountRibbons } from "./flow.js";
import { mountMicroscope } from "./microscope/index.js";
import { changeLook, chooseClass, chooseEnds, scenesOf } from "./scene.js";
import { mountStory } from "./story.js";
import { beyondEven, evidenceOfCapsules, sharesByType } from "./sums.js";
import { mountTree } from "./tree/index.js";
import { mountTwo } from "./two.js";
import { mountVotes } from "./votes.js";
import { mountWhere } from "./where.js";

/** Bits; an axis that ends lower would show nothing but rounding. */
const LEAST_BITS = 0.001;

/** A mean coupling that is nearer to an even one counts as even. */
const LEAST = 0.001;

/** In the order of the page. */
const PANELS = [
  mountControls,
  mountStory,
  mountAgreement,
  mountRibbons,
  mountCouplings,
  mountCourses,
  mountVotes,
  mountMicroscope,
  mountOperation,
];

/** Those whose capsules stand in places of the picture. */
const PLACED = [mountTwo, mountTree, mountWhere];

/** @type {LayerMount<DynamicState>} */
export function mount(root, store, actions, services, layer) {
  /** @type {DynamicRoom} */
  const room = { store, scenes: scenesOf(store), actions, services, layer };
  for (const panel of PANELS) kept(root, panel)(root, room);
  const below = belowOf(layer);
  if (below && hasPlaces(below))
    for (const panel of PLACED) kept(root, panel)(root, room);
  else
    for (const name of ["two", "tree", "where"])
      findElement(root, `[data-panel="${name}"]`).remove();
  store.watch(["model"], ({ model }) => {
    const operable = isOperable(layer, model);
    const shown = {
      "[data-surgery], .capsule-tools": operable,
      '[data-agreement], [data-votes], [data-fold="votes"], [data-fold="vote"]':
        hasVotes(layer),
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
  const slow = find(root, "[data-slow]", HTMLButtonElement);
  const size = findElement(root, "[data-size]");
  const digits = focusChoices(findElement(root, "[data-digits]"), (classIndex) =>
    chooseClass(room, classIndex),
  );
  const isSlow = () => store.shown()?.look.pace === "slow";
  const { keepPace } = mountIterations(root, store, isSlow);

  slow.addEventListener("click", () =>
    changeLook(room, { pace: isSlow() ? "usual" : "slow" }),
  );
  store.watch(["look"], ({ look }) => {
    const pressed = String(look.pace === "slow");
    if (slow.getAttribute("aria-pressed") === pressed) return;
    slow.setAttribute("aria-pressed", pressed);
    keepPace();
  });
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
 * The mean coupling of each capsule type to each class, in the iteration on show. The scale
 * is that of all iterations, so what changes in the picture changed in routing.
 * @type {DynamicPanel}
 */
function mountCouplings(root, room) {
  const { scenes } = room;
  const panel = findElement(root, "[data-couplings]");
  const labels = findElement(panel, "[data-matrix-labels]");
  const legend = findElement(panel, "[data-matrix-legend]");
  const caption = findElement(panel, "[data-couplings-caption]");
  scenes.watch(({ step, iterations }) =>
    setText(caption, `iteration ${step + 1} of ${iterations}`),
  );
  sayFinding(panel, scenes, findCoupling);
  const nameEnds = memoize((/** @type {readonly string[]} */ ends) =>
    writeNames(labels, besidePicture(ends)),
  );
  const nameScale = memoize((/** @type {number} */ most, /** @type {number} */ ends) =>
    showLegend(legend, diverging(most), {
      unit: `mean coupling c, beyond an even 1/${ends}`,
      decimals: 3,
    }),
  );
  mountMatrix(panel, scenes, {
    name: ({ ends }) => nameEnds(ends),
    sharesOf({ figures, step }) {
      const { types, classes, data } = figures.couplings(step);
      const most = figures.mostCoupling();
      nameScale(most, classes);
      const values = beyondEven(data, classes);
      return { values, rows: types, columns: classes, scale: diverging(most) };
    },
    chosenIn: ({ place, classIndex }) => ({ row: place.type, column: classIndex }),
    read({ figures, step, ends, grid }, { row: type, column: end }) {
      const { classes, data } = figures.couplings(step);
      const value = data[type * classes + end];
      return `${groupOf(grid)} ${type} → ${ends[end]}: c = ${fixed(value, 4)}`;
    },
    choose: (scene, { row: type, column: target }) =>
      chooseEnds(room, scene, { type, target }),
  });
}

/**
 * @param {Pick<Scene, "figures" | "step" | "ends" | "grid">} scene
 * @returns {string} which type sends which end most beyond an even share
 */
export function findCoupling({ figures, step, ends, grid }) {
  const { classes, data } = figures.couplings(step);
  const best = largestOf(data);
  const [type, end] = [Math.floor(best / classes), best % classes];
  if (data[best] - 1 / classes < LEAST)
    return `No mean coupling lies ${LEAST} or more above an even 1/${classes}.`;
  return `${capitalized(groupOf(grid))} ${type} sends ${inSentence(ends[end])} the most, c = ${fixed(data[best], 3)} on average.`;
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
