/**
 * EM routing: the pictures that share one selection, and their controls.
 * @import { RoutingModel } from "../types.js"
 * @import { EmPanel, EmRoom, EmScene, EmState, Route } from "./types.js"
 * @import { Panel } from "../../../ui/panel.js"
 * @import { LayerMount } from "../../types.js"
 */

import { createDecoding } from "../../../core/decoding.js";
import { withPointed } from "../../../core/scenes.js";
import { grid, labels } from "../../../draw/grid.js";
import { legend, tiles } from "../../../draw/tiles.js";
import { sum } from "../../../lib/arithmetic.js";
import { sequential } from "../../../lib/color.js";
import { exactShare, presence as presenceText } from "../../../lib/decimals.js";
import { numbered } from "../../../lib/format.js";
import { memoize } from "../../../lib/memoize.js";
import { listenToChoices, pressChoice } from "../../../ui/controls.js";
import { find, findElement, make, setText } from "../../../ui/dom.js";
import { attempt } from "../../../ui/guard.js";
import { mountPanels } from "../../../ui/panel.js";
import { positionWords } from "../../capsules/places.js";
import { focusChoices, mountIterations } from "../controls.js";
import { arithmetic } from "./arithmetic.js";
import { closeness } from "./closeness.js";
import { courses } from "./courses.js";
import { gridAbove } from "./routed.js";
import { says } from "./says.js";
import {
  chooseChild,
  isToClasses,
  moveParent,
  parentIn,
  routeIn,
  scenesOf,
} from "./scene.js";
import { tell } from "./story.js";

/** @type {LayerMount<EmState>} */
export function mount(root, store, actions, services, layer) {
  /** @type {EmRoom} */
  const room = { store, scenes: scenesOf(store), actions, services, layer };
  mountIterations(root, store);
  const drawing = withPointed(room.scenes, {});
  const decoded = createDecoding(services, () => drawing.point({}));
  mountPanels(root, { scenes: drawing, act: { ...room, decoded } }, panels);
  attempt(root, () => mountFocus(root, room));
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
    layer.network.find((layer) => layer.id === id)?.title ?? id;
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
      else parents.offer(numbered(types), "Type");
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
    const position = parentIn(state);
    pressChoice(layers, routeIn(state).to);
    offer(state.model, routeIn(state));
    parents.press(position.type);
    row.value = String(position.row);
    column.value = String(position.column);
    setText(value, `${position.row}, ${position.column}`);
  };
  const layerIds = /** @type {any[]} */ (layer.words.routes).map(({ to }) => to);
  store.watch(
    /** @type {any} */ (["model", "routed", "classIndex", "trace", ...layerIds]),
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
          `${positionWords(children[column])} → ${names[row]}: R = ${exactShare(shares[column * parents + row])}; the capsule is ${presenceText(presence[column])} active`,
      }),
      legend(ASSIGNMENTS, "assignment R", 0),
    ];
  },
  words: [
    "Rows: the capsules above. Columns: the capsules below, type by type, each type row by row.",
  ],
};

export const panels = [closeness, courses, says, assignments, arithmetic];

/**
 * @param {Pick<EmScene, "routed" | "step" | "parent" | "name">} scene
 * @returns {string} what the capsules below assign to the one in focus
 */
function findAssignments({ routed, step, parent, name }) {
  const shares = routed
    .assignments(step)
    .filter((_, i) => i % routed.parents === parent);
  return `The assignments R to ${name} are ${exactShare(sum(shares) / shares.length, 3)} on average and ${exactShare(Math.max(...shares), 3)} at most.`;
}
