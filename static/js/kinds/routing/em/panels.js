/**
 * EM routing: the pictures that share one selection, and their controls.
 * @import { RoutingModel } from "../types.js"
 * @import { EmPanel, EmRoom, EmScene, EmState, Route } from "./types.js"
 * @import { Panel } from "../../../ui/panel.js"
 * @import { LayerMount } from "../../types.js"
 */
import { grid, labels } from "../../../draw/grid.js";
import { legend, tiles } from "../../../draw/tiles.js";
import { sum } from "../../../lib/arithmetic.js";
import { sequential } from "../../../lib/color.js";
import { ticksTo } from "../../../lib/decimals.js";
import { fixed, percent } from "../../../lib/format.js";
import { memoize } from "../../../lib/memoize.js";
import { listenToChoices, pressChoice } from "../../../ui/controls.js";
import { find, findElement, make, setText } from "../../../ui/dom.js";
import { attempt } from "../../../ui/guard.js";
import { mountPanels } from "../../../ui/panel.js";
import { valueTable } from "../../../ui/tables.js";
import { placeInWords } from "../../capsules/places.js";
import { mountBeside } from "../beside.js";
import { focusChoices, mountIterations } from "../controls.js";
import { focusLast, mountCurves, mountErrors, mountTables, SHARES } from "../curves.js";
import { arithmetic } from "./arithmetic.js";
import { cloud } from "./cloud.js";
import { flow } from "./flow.js";
import { formOf } from "./form.js";
import { distances } from "./histograms.js";
import { gridAbove } from "./routed.js";
import {
  chooseChild,
  isToClasses,
  moveParent,
  parentIn,
  routeIn,
  scenesOf,
} from "./scene.js";
import { tell } from "./story.js";

/** @type {readonly EmPanel[]} */
const PANELS = [
  ...[mountFocus, mountCourses],
  (root, { scenes }) =>
    mountTables(root, scenes, { course: courseTables, assignments: assignmentTables }),
];

/** @type {LayerMount<EmState>} */
export function mount(root, store, actions, services, layer) {
  /** @type {EmRoom} */
  const room = { store, scenes: scenesOf(store), actions, services, layer };
  mountIterations(root, store);
  mountPanels(root, { scenes: room.scenes, act: room }, SHOWN);
  for (const panel of PANELS) attempt(root, () => panel(root, room));
  mountBeside(findElement(root, "[data-beside]"), store, {
    own: formOf(layer),
    showStep: (step) => store.set({ step }),
  });
  const story = findElement(root, "[data-story]");
  const size = findElement(root, "[data-size]");
  room.scenes.watch((scene) => {
    const { children, parents, isToClasses } = scene.routed;
    setText(story, tell(scene));
    const above = `${parents} ${isToClasses ? "classes" : "types at one place"}`;
    setText(size, `${children.length} capsules → ${above}`);
  });
}

/**
 * Whose routing it is, which capsule above is in focus, and what the number of iterations
 * means.
 * @type {EmPanel}
 */
function mountFocus(root, room) {
  const { store, layer } = room;
  const layers = findElement(root, "[data-layers]");
  const places = findElement(root, "[data-position]");
  const row = find(places, "[data-row]", HTMLInputElement);
  const column = find(places, "[data-column]", HTMLInputElement);
  const value = findElement(places, "[data-position-value]");
  const note = findElement(root, "[data-iterations-note]");
  const titleOf = (/** @type {string} */ id) =>
    layer.network.find((each) => each.id === id)?.title ?? id;
  const parents = focusChoices(findElement(root, "[data-parents]"), (type) =>
    moveParent(room, { type }),
  );
  layers.append(
    ...layer.words.routes.map((/** @type {Route} */ { to }) =>
      make("button", { type: "button", "data-value": to }, titleOf(to)),
    ),
  );
  listenToChoices(layers, (routed) => store.set({ routed }));
  row.addEventListener("input", () => moveParent(room, { row: Number(row.value) }));
  column.addEventListener("input", () =>
    moveParent(room, { column: Number(column.value) }),
  );

  const offer = memoize(
    (
      /** @type {RoutingModel} */ model,
      /** @type {ReturnType<typeof routeIn>} */ route,
    ) => {
      const { types, rows, columns } = gridAbove(layer, route, model);
      if (isToClasses(route)) parents.offer(model.class_names, "Class");
      else
        parents.offer(
          Array.from({ length: types }, (_, i) => String(i)),
          "Type",
        );
      places.hidden = isToClasses(route);
      row.max = String(rows - 1);
      column.max = String(columns - 1);
    },
  );
  store.watch(["model", "iterations"], ({ model, iterations }) =>
    setText(note, iterationsNote(model, iterations)),
  );
  const show = () => {
    const state = store.get();
    if (state === null) return;
    const place = parentIn(state);
    pressChoice(layers, routeIn(state).to);
    offer(state.model, routeIn(state));
    parents.press(place.type);
    row.value = String(place.row);
    column.value = String(place.column);
    setText(value, `${place.row}, ${place.column}`);
  };
  const own = /** @type {any[]} */ (layer.words.routes).map(({ to }) => to);
  store.watch(
    /** @type {any} */ (["model", "routed", "classIndex", "trace", ...own]),
    show,
  );
}

/**
 * What another number of iterations than the trained one does.
 * @param {Pick<RoutingModel, "routing_iterations">} model
 * @param {number} iterations that run
 */
function iterationsNote({ routing_iterations: trained }, iterations) {
  const now =
    iterations === trained
      ? "All layers run this many iterations, and their weights fit that number. With another number, the network reads worse or not at all."
      : `This run has ${iterations} in every layer, but the weights fit ${trained}: the network was not trained to give this answer.`;
  return `Trained with ${trained}. ${now}`;
}

/** Assignments are shares, whatever the image. */
const ASSIGNMENTS = sequential(0, 1);

/** Every assignment R of the iteration on show. @type {Panel<EmScene>} */
const assignments = {
  id: "assignments",
  isFolded: true,
  title: "Assignments R, one by one",
  line: findAssignments,
  picture(scene, /** @type {EmRoom} */ room) {
    const { routed, step, parent, child } = scene;
    const { parents, children, names, presence } = routed;
    const shares = routed.assignments(step);
    const count = children.length;
    const types = children.map(({ type }) => String(type));
    const data = shares.map(
      (_, i) => shares[(i % count) * parents + Math.floor(i / count)],
    );
    const edges = types.flatMap((type, i) =>
      i > 0 && types[i - 1] !== type ? [i] : [],
    );
    return [
      grid({
        label: "Assignments",
        rows: { of: "capsule above", names },
        columns: { of: "capsule below", names: types },
        below: labels("", [...new Set(types)]),
        mark: tiles({ name: "R", data, scale: ASSIGNMENTS, edges }),
        chosen: { row: parent, column: child },
        choose({ row, column }) {
          chooseChild(room, scene, column);
          moveParent(room, { type: row });
        },
        words: ({ row, column }) =>
          `${placeInWords(children[column])} → ${names[row]}: R = ${fixed(shares[column * parents + row], 4)}; the capsule is ${fixed(presence[column], 3)} active`,
      }),
      legend(ASSIGNMENTS, "assignment R", 0),
    ];
  },
  words: [
    "Rows: the capsules above. Columns: the capsules below, type by type, each type row by row.",
  ],
};

/** By the shell. */
export const SHOWN = [cloud, flow, assignments, distances, arithmetic];

/**
 * @param {Pick<EmScene, "routed" | "step" | "parent" | "name">} scene
 * @returns {string} what the capsules below assign to the one in focus
 */
function findAssignments({ routed, step, parent, name }) {
  const own = routed.assignments(step).filter((_, i) => i % routed.parents === parent);
  return `The assignments R to ${name} are ${fixed(sum(own) / own.length, 3)} on average and ${fixed(Math.max(...own), 3)} at most.`;
}

/**
 * Activations, shares of the votes, distances to the mean, and how undecided the capsules
 * below are.
 * @type {EmPanel}
 */
function mountCourses(root, { scenes, store }) {
  mountErrors(root, store);
  const charts = memoize(chartsOf);
  mountCurves(root, scenes, {
    names: ["activation", "share", "distance", "undecided"],
    chartsOf: ({ course, parent }) => charts(course, parent),
    valuesOf({ course, parent, step }) {
      const distance = course.distances()[parent][step];
      return [
        fixed(course.activations()[parent][step], 3),
        percent(course.shares()[parent][step], 1),
        Number.isNaN(distance) ? "–" : fixed(distance, 2),
        percent(course.undecided()[step], 0),
      ];
    },
    showStep: (step) => store.set({ step }),
  });
}

/** @param {EmScene["course"]} course @param {number} parent */
function chartsOf(course, parent) {
  const distances = course.distances().map((each) => each.map((value) => value || 0));
  const shares = course.shares();
  return [
    { lines: focusLast(course.activations(), parent), ticks: SHARES },
    { lines: focusLast(shares, parent), ticks: ticksTo(Math.max(...shares.flat()), 2) },
    {
      lines: focusLast(distances, parent),
      ticks: ticksTo(Math.max(...distances.flat()) || 1, 2),
    },
    { lines: [{ values: course.undecided(), look: "is-set-off" }], ticks: SHARES },
  ];
}

/** @param {EmScene} scene */
function courseTables({ routed, course }) {
  const table = (
    /** @type {string} */ title,
    /** @type {readonly number[][]} */ all,
  ) => {
    const made = valueTable(all.flat(), {
      rows: routed.parents,
      columns: routed.iterations,
      rowNames: routed.names,
      columnNames: all[0].map((_, step) => `iteration ${step + 1}`),
      corner: routed.isToClasses ? "class" : "type",
    });
    made.createCaption().textContent = title;
    return made;
  };
  return [
    table("Activation", course.activations()),
    table("Cost", course.costs()),
    table("Share of the votes", course.shares()),
    table(
      "Mean distance of the votes to the mean, weighted by R·a",
      course.distances(),
    ),
  ];
}

/** @param {EmScene} scene */
function assignmentTables({ routed, step }) {
  return [
    valueTable(routed.assignments(step), {
      rows: routed.children.length,
      columns: routed.parents,
      rowNames: routed.children.map(
        ({ type, row, column }) => `type ${type}: ${row}, ${column}`,
      ),
      columnNames: routed.names,
      corner: "capsule below",
      decimals: 4,
    }),
  ];
}
