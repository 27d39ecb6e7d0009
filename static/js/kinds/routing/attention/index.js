/**
 * Attention routing: the pictures that share one selection, and their controls.
 * @import { LayerMount, Model } from "../../types.js"
 * @import { AttentionPanel, AttentionRoom, AttentionScene as Scene, AttentionState, AttentionTensors } from "./types.js"
 */
import { focusedClass } from "../../../core/state.js";
import { reach, sum } from "../../../lib/arithmetic.js";
import { diverging } from "../../../lib/color.js";
import { fixed, signed } from "../../../lib/format.js";
import { memoize } from "../../../lib/memoize.js";
import { findElement, setText } from "../../../ui/dom.js";
import { kept } from "../../../ui/guard.js";
import { showLegend } from "../../../ui/pictures.js";
import { valueTable } from "../../../ui/tables.js";
import { choosing } from "../../capsules/places.js";
import { mountBeside } from "../beside.js";
import { focusChoices } from "../controls.js";
import { mountTables } from "../curves.js";
import { mountMatrix, writeNames } from "../matrix.js";
import { createScenes, sayFinding } from "../scenes.js";
import { mountSurgery } from "../surgery/panel.js";
import { experiments } from "./experiments.js";
import { formOf } from "./form.js";
import { sceneOf } from "./scene.js";
import { mountSteps } from "./steps.js";
import { attentionTo, findAttention, findCouplings, tell } from "./story.js";
import { figuresOf, lengthOf, sharesOf, sizesOf, voteOf } from "./sums.js";
import { mountVotes } from "./votes.js";

/** Of the scale of shares and couplings: even ones must not look large. */
const LEAST_REACH = 0.5;

/** In the order of the page. */
const PANELS = [mountFocus, mountVotes, mountSteps, mountAttention, mountCouplings];

/** @type {LayerMount<AttentionState>} */
export function mount(root, store, actions, services, layer) {
  /** @type {AttentionRoom} */
  const room = {
    ...{ store, actions, services, layer },
    scenes: createScenes(store, sceneOf),
  };
  for (const panel of PANELS) kept(root, panel)(root, room);
  mountTables(root, room.scenes, { votes: votesTable, couplings: couplingsTable });
  mountBeside(findElement(root, "[data-beside]"), store, {
    own: formOf(layer),
    showStep() {}, // there is one
  });
  mountSurgery(root, /** @type {any} */ (room), {
    sharesOf: memoize((/** @type {AttentionTensors} */ tensors, classIndex) =>
      sharesOf(figuresOf(tensors).evidence(/** @type {number} */ (classIndex))),
    ),
    experiments,
  });
  const story = findElement(root, "[data-story]");
  room.scenes.watch((scene) => setText(story, tell(scene)));
}

/** Which class is in focus. @type {AttentionPanel} */
function mountFocus(root, { store, layer, actions }) {
  const size = findElement(root, "[data-size]");
  const classes = focusChoices(findElement(root, "[data-classes]"), actions.focusClass);
  store.watch(["model"], ({ model }) => {
    const [capsules] = layer.shapeOf(model, "votes");
    classes.offer(model.class_names);
    setText(
      size,
      `${capsules} capsules × ${model.classes} classes = ${capsules * model.classes} votes`,
    );
  });
  store.watch(["classIndex", "trace", "model"], (state) =>
    classes.press(focusedClass(state)),
  );
}

/** @param {number} count */
const numbers = (count) => Array.from({ length: count }, (_, i) => String(i));

/** Which votes for the class in focus agree with each other. @type {AttentionPanel} */
function mountAttention(root, { scenes, store }) {
  const panel = findElement(root, "[data-attention]");
  const [rows, columns] = ["row", "column"].map((name) =>
    findElement(panel, `[data-${name}-names]`),
  );
  const legend = findElement(panel, "[data-legend]");
  const name = memoize((/** @type {number} */ capsules) => {
    writeNames(rows, numbers(capsules));
    writeNames(columns, numbers(capsules));
  });
  const nameScale = memoize((/** @type {number} */ most) =>
    showLegend(legend, diverging(most), { unit: "attention A", decimals: 2 }),
  );
  scenes.watch((scene) =>
    setText(findElement(panel, "[data-title]"), `the votes for ${scene.name}`),
  );
  sayFinding(panel, scenes, findAttention);
  mountMatrix(panel, scenes, {
    name: ({ tensors }) => name(sizesOf(tensors.votes).capsules),
    sharesOf({ tensors, classIndex }) {
      const { capsules, values } = attentionTo(tensors, classIndex);
      const most = reach(values) || 1;
      nameScale(most);
      return { values, rows: capsules, columns: capsules, scale: diverging(most) };
    },
    chosenIn: ({ capsule, other }) => ({ row: capsule, column: other }),
    read: (scene, { row, column }) => readPair(scene, row, column),
    choose: (_, { row, column }) => store.set({ ...choosing(row), other: column }),
  });
}

/**
 * How far two votes agree, and what all in its row come to.
 * @param {Pick<Scene, "tensors" | "classIndex">} scene
 * @param {number} capsule @param {number} other
 */
export function readPair({ tensors, classIndex }, capsule, other) {
  const { capsules, values } = attentionTo(tensors, classIndex);
  const own = values.subarray(capsule * capsules, (capsule + 1) * capsules);
  const whom = capsule === other ? "with itself" : `with capsule ${other}`;
  return `capsule ${capsule} ${whom}: A = ${signed(own[other], 3)}; its row adds up to its agreement, ${signed(sum(own), 3)}`;
}

/** Every coupling before and after the prior. @type {AttentionPanel} */
function mountCouplings(root, { scenes, store }) {
  const panel = findElement(root, "[data-couplings]");
  const legend = findElement(panel, "[data-legend]");
  const nameScale = memoize((/** @type {number} */ most) =>
    showLegend(legend, diverging(most), { unit: "share, coupling", decimals: 2 }),
  );
  /** @param {Scene} scene */
  const scaleOf = ({ tensors }) => {
    const { shares, couplings } = tensors;
    const most = Math.max(LEAST_REACH, reach(shares.data), reach(couplings.data));
    nameScale(most);
    return diverging(most);
  };
  sayFinding(panel, scenes, findCouplings);
  for (const role of /** @type {const} */ (["shares", "couplings"])) {
    const part = findElement(panel, `[data-part="${role}"]`);
    const [rows, columns] = ["row", "column"].map((name) =>
      findElement(part, `[data-${name}-names]`),
    );
    const name = memoize(
      (/** @type {Model} */ { class_names }, /** @type {number} */ capsules) => {
        writeNames(columns, class_names);
        writeNames(rows, numbers(capsules));
      },
    );
    mountMatrix(part, scenes, {
      name: ({ model, tensors }) => name(model, sizesOf(tensors.votes).capsules),
      sharesOf(scene) {
        const { shape, data } = scene.tensors[role];
        const [rows, columns] = shape;
        return { values: data, rows, columns, scale: scaleOf(scene) };
      },
      chosenIn: ({ capsule, classIndex }) => ({ row: capsule, column: classIndex }),
      read({ tensors, model }, { row, column }) {
        const { data } = tensors[role];
        const what = role === "shares" ? "share" : "coupling";
        return `capsule ${row} → ${model.class_names[column]}: ${what} ${fixed(data[row * model.classes + column])}`;
      },
      choose: (_, { row, column }) =>
        store.set({ ...choosing(row), classIndex: column }),
    });
  }
}

/** Every vote in numbers. @param {Scene} scene */
function votesTable({ tensors, figures, model }) {
  const { capsules, classes } = sizesOf(tensors.votes);
  return model.class_names.map((name, n) => {
    const { x, y } = figures.arrows(n);
    const rows = Array.from({ length: capsules }, (_, i) => [
      lengthOf(voteOf(tensors.votes, i, n)),
      x[i],
      y[i],
      ...[tensors.agreement, tensors.shares, tensors.couplings].map(
        ({ data }) => data[i * classes + n],
      ),
    ]);
    const table = valueTable(rows.flat(), {
      rows: capsules,
      columns: 6,
      columnNames: ["‖û‖", "along Σû", "across", "agreement", "share", "coupling"],
      corner: "capsule",
    });
    table.createCaption().textContent = `Votes for ${name}`;
    return table;
  });
}

/** @param {Scene} scene */
function couplingsTable({ tensors, learned, model }) {
  return /** @type {const} */ ([
    ["Shares", tensors.shares],
    ["The learned prior b", learned.prior],
    ["Couplings", tensors.couplings],
  ]).map(([title, { shape, data }]) => {
    const [rows, columns] = shape;
    const table = valueTable(data, {
      ...{ rows, columns, columnNames: model.class_names, corner: "capsule" },
    });
    table.createCaption().textContent = title;
    return table;
  });
}
