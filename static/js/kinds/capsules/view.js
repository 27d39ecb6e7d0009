/**
 * A layer of capsules: all of them by activation, and one of them number by number, with
 * what it sees, what lies beneath it, what it votes for and what its type looks for.
 * @import { CapsulesState, CapsulesStore } from "./types.js"
 * @import { KindActions, Layer, LayerMount } from "../types.js"
 */
import { createScenes } from "../../core/scenes.js";
import { find, findElement, setText } from "../../ui/dom.js";
import { attempt } from "../../ui/guard.js";
import { mountPanels } from "../../ui/panel.js";
import { tableByType } from "../../ui/tables.js";
import { all } from "./all.js";
import { mountPose, mountSeen } from "./capsule.js";
import { mountDepthwise } from "./depthwise.js";
import { mountTypes } from "./grid.js";
import { chosen, isAlone, isCut, isDepthwise, isVector } from "./index.js";
import { mountNumber } from "./number.js";
import { gridOf, numberOf, placeIn } from "./places.js";
import { mountPortrait } from "./portrait.js";
import { belowOf } from "./source.js";
import { mountCurve, mountValues } from "./values.js";
import { mountVotes } from "./votes.js";

/** @type {LayerMount<CapsulesState>} */
export function mount(root, store, actions, { server }, layer) {
  const part = (/** @type {() => void} */ job) => attempt(root, job);
  if (isAlone(layer)) mountAll(root, store);
  else part(() => mountGrid(root, store, actions, layer));
  part(() => mountSeen(root, store, layer));
  if (isVector(layer)) {
    if ("before" in layer.tensors) part(() => mountCurve(root, store, layer));
    part(() => mountValues(root, store, layer));
    part(() => mountOrigin(root, store, actions, layer));
  } else {
    part(() => mountPose(root, store));
    part(() => mountVotes(root, store, actions, layer));
  }
  if (layer.measured !== undefined)
    part(() => mountPortraitOf(root, store, server, layer));
  if (!isAlone(layer)) part(() => mountTable(root, store, lengthsTable));
}

/** @param {HTMLElement} root @param {CapsulesStore} store */
function mountAll(root, store) {
  const scenes = createScenes(store, (state) => state);
  mountPanels(root, { scenes, act: store.set }, [all]);
  scenes.watch(({ trace }) => {
    const [count, numbers] = trace.tensors.poses.shape;
    setText(
      findElement(root, "[data-shape]"),
      `${count} capsules of ${numbers} numbers`,
    );
  });
}

/**
 * Where the numbers of the chosen capsule come from.
 * @param {HTMLElement} root @param {CapsulesStore} store @param {KindActions} actions
 * @param {Layer} layer
 */
function mountOrigin(root, store, actions, layer) {
  if (isCut(layer)) mountNumber(root, store, actions, layer);
  else if (isDepthwise(layer)) mountDepthwise(root, store, actions, layer);
  else mountMaker(root, store, actions, layer);
}

/**
 * @param {HTMLElement} root @param {CapsulesStore} store
 * @param {import("../types.js").Services["server"]} server @param {Layer} layer
 */
function mountPortraitOf(root, store, server, layer) {
  const portrait = mountPortrait(findElement(root, "[data-portrait]"), server, layer);
  store.watch(["measured", "capsule", "model"], ({ measured, capsule, model }) => {
    const { type } = placeIn(gridOf(layer.shapeOf(model, "activation")), capsule);
    portrait.show(model, measured, type);
  });
}

/**
 * The way to the routing that made them.
 * @param {HTMLElement} root @param {CapsulesStore} store @param {KindActions} actions
 * @param {Layer} layer
 */
function mountMaker(root, store, actions, layer) {
  const open = root.querySelector("[data-open-maker]");
  const maker = belowOf(layer);
  open?.toggleAttribute("hidden", maker?.kind.name !== "routing");
  open?.addEventListener("click", () => {
    const capsule = store.shown()?.capsule ?? 0;
    if (maker) actions.openUnit(maker.id, { row: 0, column: capsule });
  });
}

/** @param {CapsulesState["trace"]} trace */
const lengthsTable = ({ tensors }) => tableByType(tensors.activation);

/**
 * All capsules of a grid.
 * @param {HTMLElement} root @param {CapsulesStore} store @param {KindActions} actions
 * @param {Layer} layer
 */
function mountGrid(root, store, actions, layer) {
  const shape = findElement(root, "[data-shape]");
  const types = mountTypes(root, layer, {
    choose(place) {
      const state = store.get();
      if (state === null) return;
      const grid = state.trace.tensors.activation.shape;
      store.set(chosen(layer, numberOf(gridOf(grid), place)));
    },
    hover(place) {
      const state = store.get();
      if (state === null) return;
      actions.lookAt(place && layer.field(state.model, place.row, place.column));
    },
  });
  store.watch(["trace", "model", "capsule"], (state) => {
    const { poses, activation } = state.trace.tensors;
    setText(shape, isVector(layer) ? vectorShape(poses) : matrixShape(poses));
    types.show(state, placeIn(gridOf(activation.shape), state.capsule));
  });
}

/**
 * @param {HTMLElement} root @param {CapsulesStore} store
 * @param {(trace: CapsulesState["trace"]) => HTMLTableElement} tableOf
 */
function mountTable(root, store, tableOf) {
  const folder = find(root, "details.numbers", HTMLDetailsElement);
  const table = findElement(folder, "[data-table]");
  function fill() {
    const state = store.shown();
    if (folder.open && state !== null) table.replaceChildren(tableOf(state.trace));
  }
  store.watch(["trace"], fill);
  folder.addEventListener("toggle", fill);
}

/** @param {CapsulesState["trace"]["tensors"]["poses"]} poses (types, rows, columns, dim) */
function vectorShape({ shape: [types, rows, columns, dim] }) {
  const count = types * rows * columns;
  return `${types} types × ${rows}×${columns} places = ${count} capsules of ${dim} numbers`;
}

/** @param {CapsulesState["trace"]["tensors"]["poses"]} poses (types, rows, columns, 4, 4) */
function matrixShape({ shape: [types, rows, columns, ...pose] }) {
  return `${types} types on ${rows}×${columns} places, each a ${pose.join("×")} pose and an activation`;
}
