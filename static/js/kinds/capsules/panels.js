/**
 * A layer of capsules: all of them by activation, and one of them number by number, with
 * what it sees, what it votes for and what its type looks for.
 * @import { Panel } from "../../ui/panel.js"
 * @import { KindActions, Layer, LayerMount } from "../types.js"
 * @import { CapsulesState, CapsulesStore } from "./types.js"
 */
import { createScenes } from "../../core/scenes.js";
import { focusedClass } from "../../core/state.js";
import { grid } from "../../draw/grid.js";
import { seen } from "../../draw/maps.js";
import { sheet } from "../../draw/sheet.js";
import { legend, writtenTiles } from "../../draw/tiles.js";
import { spanWords } from "../../geometry/windows.js";
import { reach } from "../../lib/arithmetic.js";
import { diverging, ink, sequential } from "../../lib/color.js";
import { compactShare, presence } from "../../lib/decimals.js";
import { capitalized, numbered, signed } from "../../lib/format.js";
import { isColour } from "../../lib/pixels.js";
import { findElement, setText } from "../../ui/dom.js";
import { attempt } from "../../ui/guard.js";
import { h } from "../../ui/h.js";
import { button } from "../../ui/inputs.js";
import { mountPanels } from "../../ui/panel.js";
import { POSE } from "../matrices.js";
import { matrixGrid } from "../matrix-grid.js";
import { vectorRows } from "../vectors.js";
import { chosen, isAlone, isCut, isVector, isWorked } from "./forms.js";
import { capsuleInWords, gridOf, numberOf, placeIn } from "./places.js";
import { mountPortrait } from "./portrait.js";
import { products } from "./products.js";
import { belowOf, fieldOf } from "./source.js";
import { isKnownSquash } from "./squash.js";
import { squash, values } from "./values.js";
import { vote } from "./votes.js";
import { introWords, seenWords, shapeWords } from "./words.js";

/** @typedef {ReturnType<typeof sceneOf>} Scene */
/** @typedef {{ set: (patch: Partial<CapsulesState>) => void, actions: KindActions & { focusClass: (classIndex: number) => void } }} Act */

/** @type {LayerMount<CapsulesState>} */
export function mount(root, store, actions, _services, layer) {
  const view = { act: { set: store.set, actions } };
  const scenes = createScenes(store, sceneOf);
  for (const part of partsOf(layer))
    mountPanels(root, { ...view, scenes }, panels[part]);
  // The field that is pointed at changes with every move: only this panel shows it.
  const fielded = (/** @type {CapsulesState} */ state) => ({
    ...sceneOf(state),
    field: state.field,
  });
  mountPanels(root, { ...view, scenes: createScenes(store, fielded) }, panels.chosen);
  setText(findElement(root, "[data-intro]"), introWords(layer));
  scenes.watch(({ trace }) =>
    setText(findElement(root, "[data-shape]"), shapeWords(layer, trace.tensors)),
  );
  if (layer.measured !== undefined)
    attempt(root, () => mountPortraitOf(root, store, layer));
}

/** Besides the chosen capsule. @param {Layer} layer @returns {Exclude<keyof typeof panels, "chosen">[]} */
export function partsOf(layer) {
  const first = isAlone(layer) ? "alone" : "types";
  if (!isVector(layer)) return [first, "matrices"];
  const isCurved = "before" in layer.tensors && isKnownSquash(layer);
  return isCurved ? [first, "vectors", "curved"] : [first, "vectors"];
}

/** @param {CapsulesState} state */
function sceneOf(state) {
  const { trace, model, layer, weights, capsule, above, entry, dimension } = state;
  const classIndex = focusedClass(state);
  return {
    trace,
    model,
    layer,
    weights,
    capsule,
    above,
    entry,
    dimension,
    classIndex,
  };
}

/** @param {HTMLElement} root @param {CapsulesStore} store @param {Layer} layer */
function mountPortraitOf(root, store, layer) {
  const portrait = mountPortrait(findElement(root, "[data-portrait]"), layer);
  store.watch(["measured", "capsule", "model"], ({ measured, capsule, model }) => {
    const { type } = placeIn(gridOf(layer.shapeOf(model, "activation")), capsule);
    portrait.show(model, measured, type);
  });
}

/** Activations and lengths are in 0..1, so the scale is too, whatever the image. */
const SCALE = sequential(0, 1);

const MOST_LARGE = 16; // types of vectors that have room to be larger

const MOST_WRITTEN = 6; // cells in a row that have room for their numbers

/** @param {Layer} layer */
const activationOf = (layer) => (isVector(layer) ? "length" : "activation");

/** The activations of all capsules, a tile for each type. @type {Panel<Scene, Scene, Act>} */
const types = {
  id: "types",
  look: "capsule-types",
  title: ({ trace }) => `All ${trace.tensors.activation.shape[0]} types`,
  picture({ trace, model, layer, capsule }, { set, actions }) {
    const { shape, data } = trace.tensors.activation;
    const [count, rows, columns] = shape;
    const name = activationOf(layer);
    const { type: tile, ...position } = placeIn(gridOf(shape), capsule);
    // Many small grids, or few large ones; the tiles' numbers stand in the gaps.
    const isMany = isVector(layer);
    const few = Math.min(count, 4);
    const gap = isMany ? 2 : Math.max(1, Math.round(rows / 4));
    const numbered = isMany
      ? { above: 0.6, size: 1.35 }
      : { above: gap / 4, size: rows / 6 };
    return [
      sheet({
        label: `The ${name}s of all capsules, a tile for each type`,
        data,
        scale: SCALE,
        numbered,
        step: "place",
        narrow: few,
        layout: {
          count,
          across: isMany && count > MOST_LARGE ? 8 : isMany ? Math.min(count, 6) : few,
          rows,
          columns,
          gap,
        },
        chosen: { tile, ...position },
        choose: ({ tile: type, ...at }) =>
          set(chosen(layer, numberOf(gridOf(shape), { type, ...at }))),
        look: (at) => actions.lookAt(at && layer.field(model, at.row, at.column)),
        words({ tile: type, row, column }) {
          const field = layer.field(model, row, column);
          const sees = field ? `; sees input ${spanWords(field)}` : "";
          const value = data[numberOf(gridOf(shape), { type, row, column })];
          return `type ${type}, row ${row}, column ${column}: ${name} ${presence(value)}${sees}`;
        },
      }),
      legend(SCALE, name, 0),
    ];
  },
  table: {
    title: "All of them as a table",
    of({ trace }) {
      const { shape, data } = trace.tensors.activation;
      const [count, rows, columns] = shape;
      const size = rows * columns;
      return [
        {
          of: "type",
          columns: Array.from({ length: size }, (_, cell) => [
            `${Math.floor(cell / columns)},${cell % columns}`,
            Array.from({ length: count }, (_, type) => data[type * size + cell]),
          ]),
        },
      ];
    },
  },
};

/** All capsules of a layer without a grid, each a row of its numbers. @type {Panel<Scene, Scene, Act>} */
const all = {
  id: "all",
  look: "capsules-all",
  title: ({ trace }) => `All ${trace.tensors.poses.shape[0]} capsules`,
  picture({ trace, layer, capsule, dimension }, { set }) {
    const { poses, activation } = trace.tensors;
    const [count, size] = poses.shape;
    return vectorRows({
      label: "Numbers of all capsules",
      of: "capsule",
      names: numbered(count),
      values: poses.data,
      lengths: activation.data,
      chosen: { row: capsule, column: dimension },
      choose: ({ row, column }) => set({ ...chosen(layer, row), dimension: column }),
      words: ({ row, column }) =>
        `capsule ${row}, number ${column + 1}: ${signed(poses.data[row * size + column])}`,
    });
  },
  table: {
    title: "All capsules as a table",
    of({ trace }) {
      const { poses, activation } = trace.tensors;
      const [count, size] = poses.shape;
      /** @type {[string, ArrayLike<number>][]} */
      const columns = numbered(size, 1).map((name, i) => [
        name,
        Array.from({ length: count }, (_, row) => poses.data[row * size + i]),
      ]);
      return [{ of: "capsule", columns: [["length", activation.data], ...columns] }];
    },
  },
};

/**
 * The chosen capsule among those of its type, its pose where that is a matrix, and what it
 * sees of the input.
 * @type {Panel<Scene & Pick<CapsulesState, "field">, Scene & Pick<CapsulesState, "field">, Act>}
 */
const capsule = {
  id: "capsule",
  look: "capsule-panel",
  title({ trace, layer, capsule }) {
    const { activation } = trace.tensors;
    const words = capitalized(capsuleInWords(gridOf(activation.shape), capsule));
    const active = `activation ${presence(activation.data[capsule])}`;
    return [
      h("span", { "data-capsule-title": "" }, words),
      !isVector(layer) && h("small", { class: "fine" }, ` ${active}`),
    ];
  },
  picture(scene, { set, actions }) {
    const { trace, model, layer, capsule, field: pointed } = scene;
    const field = fieldOf(layer, model, capsule);
    const words =
      field &&
      (isAlone(layer)
        ? seenWords(field, model.input_shape)
        : `it sees ${field.size}×${field.columns ?? field.size} pixels`);
    if (isWorked(layer))
      return [products(scene, set), h("p", { class: "fine", "data-seen": "" }, words)];
    const maker = isAlone(layer) && !isCut(layer) ? belowOf(layer) : null;
    return [
      h(
        "div",
        { class: "capsule-pictures" },
        !isAlone(layer) && h("div", { "data-type-grid": "" }, typeGrid(scene, set)),
        !isVector(layer) && h("div", { "data-pose": "" }, poseGrid(scene, set)),
        field &&
          h(
            "figure",
            { "data-input": "", "aria-label": "The input" },
            seen({
              label: "The input; a frame shows what the chosen capsule sees",
              pixels: trace.pixels,
              field,
              pointed,
            }),
            h(
              "figcaption",
              {},
              h("span", { "data-seen": "" }, words),
              !isColour(trace.pixels) && legend(ink(), "ink", 0),
            ),
          ),
      ),
      maker?.kind.name === "routing" &&
        button(
          `See its votes in ${maker.title}`,
          () => actions.openUnit(maker.id, { row: 0, column: capsule }),
          { "data-open-maker": "" },
        ),
    ];
  },
};

/** The capsules of the chosen one's type. @param {Scene} scene @param {Act["set"]} set */
function typeGrid({ trace, layer, capsule }, set) {
  const { shape, data } = trace.tensors.activation;
  const [, rows, columns] = shape;
  const { type, ...position } = placeIn(gridOf(shape), capsule);
  const name = activationOf(layer);
  const activations = data.subarray(type * rows * columns, (type + 1) * rows * columns);
  const isWritten = rows <= MOST_WRITTEN;
  const format = (/** @type {number} */ value) =>
    isWritten ? compactShare(value, 2) : "";
  const picture = grid({
    label: `The ${name}s of type ${type}`,
    isBare: true,
    chosen: position,
    rows: { of: "row", names: numbered(rows) },
    columns: { of: "column", names: numbered(columns) },
    mark: writtenTiles({ name, data: activations, scale: SCALE, format }),
    choose: (cell) => set(chosen(layer, numberOf(gridOf(shape), { type, ...cell }))),
    words: ({ row, column }) =>
      `row ${row}, column ${column}: ${name} ${presence(activations[row * columns + column])}`,
  });
  return isWritten ? picture : [picture, legend(SCALE, `${name} of its type`, 0)];
}

/** The pose of the chosen capsule, a matrix. @param {Scene} scene @param {Act["set"]} set */
function poseGrid({ trace, capsule, entry }, set) {
  const pose = trace.tensors.poses.data.subarray(capsule * POSE, (capsule + 1) * POSE);
  const scale = diverging(reach(pose) || 1);
  const of = { name: "M", of: "M, ", data: pose, scale, entry, set };
  return [
    matrixGrid({ label: "Its pose M, 4×4", ...of }),
    legend(scale, "number in the pose M"),
  ];
}

/** The chosen capsule, and what layers have besides: see `partsOf`. */
export const panels = {
  chosen: [capsule],
  types: [types],
  alone: [all],
  vectors: [values],
  curved: [squash],
  matrices: [vote],
};
