/**
 * A pooling layer: all its maps, one of them window by window, and one window number by
 * number.
 * @import { Layer, LayerMount, Pooled, Tensor } from "../types.js"
 * @import { At } from "../../draw/sheet.js"
 * @import { Content } from "../../ui/h.js"
 * @import { Panel } from "../../ui/panel.js"
 * @import { PoolingState } from "./types.js"
 * @import { Place, PooledMap } from "./windows.js"
 */
import { createScenes, withPointed } from "../../core/scenes.js";
import { grid } from "../../draw/grid.js";
import { map as mapMark, seen } from "../../draw/maps.js";
import { sheet } from "../../draw/sheet.js";
import { legend, writtenTiles } from "../../draw/tiles.js";
import { acrossWide } from "../../geometry/tiles.js";
import { sizeWords } from "../../geometry/windows.js";
import { ranked, reach } from "../../lib/arithmetic.js";
import { ink, sequential } from "../../lib/color.js";
import { fixed } from "../../lib/format.js";
import { memoize, memoizeByObject } from "../../lib/memoize.js";
import { isColour } from "../../lib/pixels.js";
import { findElement, READ_OUT, setText, uniqueId } from "../../ui/dom.js";
import { h } from "../../ui/h.js";
import { choices } from "../../ui/inputs.js";
import { mountPanels } from "../../ui/panel.js";
import { mapValues } from "../../ui/values.js";
import { DEAD } from "../convolution/maps.js";
import { valuesPanel } from "../values.js";
import {
  cornerOf,
  fourOf,
  isFirst,
  lossOf,
  lossOfAll,
  POOL,
  pixelIn,
  pooledMap,
  thrownAway,
  tiesIn,
  windowAround,
  windowLines,
  windowOf,
  winnerMarks,
} from "./windows.js";
import * as words from "./words.js";

/** @typedef {{ window: Place, pixel: Place | null }} Pointed pixel: of the map below, where the pointer is on one */
/** @typedef {ReturnType<ReturnType<typeof sceneFrom>> & { pointed: Pointed | null }} Scene */

/** @type {LayerMount<PoolingState>} */
export function mount(root, store, actions, _services, layer) {
  const scenes = createScenes(store, sceneFrom(layer, uniqueId("pool")));
  const pointing = withPointed(scenes, /** @type {Pointed | null} */ (null));
  const set = store.set;

  /** @param {Pointed | null} at */
  function point(at) {
    pointing.point(at);
    lookAt(at);
  }
  /** @param {Pointed | null} at */
  function lookAt(at) {
    const { model, below } = /** @type {Scene} */ (scenes.shown());
    const { row, column } = at?.pixel ?? at?.window ?? { row: 0, column: 0 };
    const of = at?.pixel ? below : layer;
    actions.lookAt((at && of?.field(model, row, column)) ?? null);
  }
  const shape = findElement(root, "[data-shape]");
  scenes.watch(({ pooled: { below, pooled } }) =>
    setText(shape, `${sizeOf(below)} → ${sizeOf(pooled)}`),
  );
  const act = { set, point, lookAt };
  mountPanels(root, { scenes: pointing, act }, panels.every);
  if (isFirst(layer)) mountPanels(root, { scenes: pointing, act }, panels.first);
  else
    mountPanels(root, { scenes, act: { set, lookAt: actions.lookAt } }, panels.above);
}

/** @param {Tensor} tensor */
const sizeOf = ({ shape: [count, rows, columns] }) =>
  `${count} maps ${rows}×${columns}`;

/** @param {Layer} layer */
const belowOf = (layer) => layer.network.find(({ id }) => id === layer.below);

/** What the layers are called. @param {Layer} layer */
const namesOf = (layer) => ({ layer: layer.title, below: belowOf(layer)?.title ?? "" });

/** The layer as it read an image. */
const pooledOf = memoize(
  (
    /** @type {Tensor} */ below,
    /** @type {Tensor} */ pooled,
    /** @type {Tensor} */ winners,
  ) => ({ below, pooled, winners }),
);

/** @param {Layer} layer @param {string} id of the view's elements */
export const sceneFrom =
  (layer, id) =>
  /** @param {PoolingState} state */
  ({ trace, model, map, pixel, look, field }) => {
    const { below, values, winners } = trace.tensors;
    return {
      layer,
      below: belowOf(layer),
      names: namesOf(layer),
      id,
      model,
      map,
      pixel,
      look,
      field,
      pixels: trace.pixels,
      pooled: pooledOf(below, values, winners),
    };
  };

const readMap = memoize(pooledMap);

/** @param {{ pooled: Pooled, map: number, pixel: number }} scene */
function chosenIn({ pooled, map, pixel }) {
  const chosenMap = readMap(pooled, map);
  const position = {
    row: Math.floor(pixel / chosenMap.side),
    column: pixel % chosenMap.side,
  };
  return { chosenMap, cell: position, window: windowOf(position, chosenMap) };
}

/** @param {{ pooled: Pooled, map: number }} scene @param {Place} pixel of the map below */
const choosing = ({ pooled, map }, { row, column }) => ({
  map,
  pixel: row * pooled.below.shape[2] + column,
});

/** @param {PooledMap} map @param {Place} window */
const winnerOf = ({ winners, across }, window) =>
  pixelIn(window, winners[window.row * across + window.column]);

/** What each map loses, and all of the layer. */
const lostOf = memoizeByObject(
  (/** @type {Pooled} */ { below }) => below,
  (layer) => {
    const losses = Array.from({ length: layer.below.shape[0] }, (_, map) =>
      lossOf(pooledMap(layer, map)),
    );
    const byShare = ranked(losses.map(({ share }) => share));
    const order = { lost: byShare, number: losses.map((_, map) => map) };
    return { losses, all: lossOfAll(losses), order };
  },
);

const ACROSS_WHEN_NARROW = 6;

const tilesOf = memoize(
  (/** @type {Pooled} */ layer, /** @type {"pooled" | "lost"} */ mode) => {
    const tensor = mode === "lost" ? restOf(layer) : layer.pooled;
    const [count, rows, columns] = tensor.shape;
    // One scale for both pictures, so that they can be compared.
    const scale = sequential(0, reach(layer.pooled.data) || 1);
    const layout = { count, rows, columns, gap: 1, across: acrossWide(count) };
    const narrow = Math.min(count, ACROSS_WHEN_NARROW);
    return { data: tensor.data, layout, narrow, scale };
  },
);

/** @param {ReturnType<typeof tilesOf>} tiles @param {At} at */
const valueAt = ({ data, layout: { rows, columns } }, { tile, row, column }) =>
  fixed(data[(tile * rows + row) * columns + column]);

/** @param {Pooled} layer */
function restOf(layer) {
  const { shape } = layer.below;
  const data = new Float32Array(layer.below.data.length);
  for (let map = 0; map < shape[0]; map++)
    data.set(thrownAway(pooledMap(layer, map)), map * shape[1] * shape[2]);
  return { shape, data };
}

const SHOWN = /** @type {const} */ (["pooled", "lost"]);
const ORDERS = /** @type {const} */ (["number", "lost"]);
/** All maps in one picture: what goes on of each, or what does not. @type {Panel<Scene>} */
const maps = {
  id: "maps",
  title: ({ pooled, look: { mode } }) =>
    `All ${pooled.below.shape[0]} maps, ${mode === "lost" ? "what is thrown away" : "after pooling"}`,
  line: ({ pooled }) => words.lossWords(lostOf(pooled).all, "The whole layer"),
  picture({ pooled, map, look, names }, { set, lookAt }) {
    const tiles = tilesOf(pooled, look.mode);
    const { losses, order } = lostOf(pooled);
    const isLost = look.mode === "lost";
    const chosen = { tile: map, row: 0, column: 0 };
    const mode = SHOWN.indexOf(look.mode);
    const sorted = ORDERS.indexOf(look.order);
    const unit = `activation of ${isLost ? names.below : names.layer}`;
    return [
      h("div", { class: "controls" }, [
        choices("Show", ["After pooling", "Thrown away"], mode, (at) =>
          set({ look: { ...look, mode: SHOWN[at] } }),
        ),
      ]),
      sheet({
        label: "All maps of the layer",
        ...tiles,
        order: order[look.order],
        step: "place",
        chosen,
        choose: ({ tile }) => set({ map: tile }),
        look: (at) => lookAt(at && { window: at, pixel: isLost ? at : null }),
        words(at) {
          const lost = words.tileWords(at.tile, losses[at.tile]);
          const { row, column } = at;
          const cell = `; row ${row}, column ${column}: ${valueAt(tiles, at)}`;
          return at === chosen ? lost : `${lost}${cell}`;
        },
        note: (at) => `map ${at.tile}: ${valueAt(tiles, at)}`,
      }),
      h("div", { class: "controls" }, [
        choices("Order", ["number", "share thrown away"], sorted, (at) =>
          set({ look: { ...look, order: ORDERS[at] } }),
        ),
      ]),
      legend(tiles.scale, unit, 3),
    ];
  },
  words: ["One scale for all maps."],
};

/** What the pictures of a map share. */
const picturedOf = memoizeByObject(
  (/** @type {PooledMap} */ map) => map,
  (map) => {
    const marks = { lines: windowLines(map), ...winnerMarks(map) };
    const scale = sequential(0, reach(map.below) || 1);
    const unit = reach(map.below) === 0 ? DEAD : "activation, own scale";
    return { marks, scale, key: legend(scale, unit), rest: thrownAway(map) };
  },
);

/**
 * The chosen map, what goes on of it and what does not, and where on the input a window
 * looks. All point together.
 * @type {Panel<Scene>}
 */
const map = {
  id: "map",
  title: ({ map, names }) => `Map ${map} of ${names.below}, and what goes on`,
  line(scene) {
    const { chosenMap } = chosenIn(scene);
    const lost = words.lossWords(lossOf(chosenMap), `Map ${scene.map}`);
    return `${lost} ${words.tieWords(tiesIn(chosenMap).ties)}`;
  },
  picture(scene, { set, point }) {
    const { id, names, layer, model, field, pixels, pointed: at } = scene;
    const { chosenMap, cell, window } = chosenIn(scene);
    const { marks, scale, rest, key } = picturedOf(chosenMap);
    const readoutId = `${id}-map-readout`;
    // An odd last row or column is in no window.
    const isIn =
      at && chosenMap.pooled[at.window.row * chosenMap.across + at.window.column];
    const over =
      isIn !== undefined && at && at.window.column < chosenMap.across && at.window;
    const visible = layer.field(model, window.row, window.column);
    const seenField = visible ?? { row: 0, column: 0, size: 1 };
    const below = {
      told: readoutId,
      columns: chosenMap.side,
      scale,
      block: POOL,
      chosen: cell,
      framed: cornerOf(window),
      pointed: at && (at.pixel ?? cornerOf(at.window)),
      choose: (/** @type {Place} */ pixel) => set(choosing(scene, pixel)),
      hover: (/** @type {Place | null} */ pixel) =>
        point(pixel && { window: windowAround(pixel), pixel }),
    };
    /** @param {string} name @param {string} caption @param {Content} picture @param {Content} key */
    const figure = (name, caption, picture, key) =>
      h("figure", { [`data-${name}`]: "", "aria-label": caption }, [
        ...[picture, h("figcaption", {}, caption, key)],
      ]);
    return [
      h("div", { class: "pool-pictures" }, [
        figure(
          "below",
          `${names.below}: a dot on each winner`,
          mapMark({
            ...below,
            label: `The map of ${names.below}, cut into windows; a dot marks each winner. Arrow keys move from pixel to pixel.`,
            values: chosenMap.below,
            marks,
          }),
          key,
        ),
        figure(
          "pooled",
          `${names.layer}: what goes on`,
          mapMark({
            label: "The map after pooling. Arrow keys choose a window.",
            told: readoutId,
            values: chosenMap.pooled,
            columns: chosenMap.across,
            scale,
            chosen: window,
            pointed: over || null,
            choose: (window) => set(choosing(scene, winnerOf(chosenMap, window))),
            hover: (window) => point(window && { window, pixel: null }),
          }),
          key,
        ),
        figure(
          "lost",
          "thrown away: all but the winners",
          mapMark({
            ...below,
            label:
              "What is thrown away: the map without its winners. Arrow keys move from pixel to pixel.",
            values: rest,
            marks: { lines: marks.lines },
          }),
          key,
        ),
        figure(
          "input",
          `input: ${sizeWords(seenField)} pixels that the window sees`,
          seen({
            label: "The input; a frame shows what the chosen window sees",
            pixels,
            field: seenField,
            pointed: field,
          }),
          !isColour(pixels) && legend(ink(), "ink", 0),
        ),
      ]),
      h("output", { ...READ_OUT, id: readoutId, "data-map-readout": "" }, [
        words.windowText(chosenMap, over || window),
        at?.pixel && `; ${words.pixelText(chosenMap, at.pixel)}`,
      ]),
    ];
  },
  table: {
    title: "The map, its windows and their winners as tables",
    of(scene) {
      const { below, side, pooled, winners, across } = chosenIn(scene).chosenMap;
      // A window of four zeros has no winner, whatever pixel the trace names.
      const won = winners.map((winner, i) => (pooled[i] === 0 ? Number.NaN : winner));
      const caption =
        "Winners: 0 upper left, 1 upper right, 2 lower left, 3 lower right, – none";
      return [
        mapValues(`Map ${scene.map} before pooling`, below, side),
        mapValues(`Map ${scene.map} after pooling`, pooled, across),
        mapValues(caption, won, across, String),
      ];
    },
  },
};

/** The chosen map after pooling. @param {Omit<Scene, "pointed">} scene */
function valuesIn(scene) {
  const { layer, model, map, names, pixels } = scene;
  const { chosenMap, window: chosen } = chosenIn(scene);
  return {
    name: `map ${map} of ${names.layer}`,
    data: chosenMap.pooled,
    columns: chosenMap.across,
    scale: picturedOf(chosenMap).scale,
    chosen,
    unit: "activation, own scale",
    pixels,
    choosing: (/** @type {Place} */ at) => choosing(scene, winnerOf(chosenMap, at)),
    field: (/** @type {Place} */ at) => layer.field(model, at.row, at.column),
    read: (/** @type {Place} */ at) => words.windowText(chosenMap, at),
  };
}

/** Of a layer above the first. */
const values = valuesPanel(valuesIn);

const SIDE = ["0", "1"];

/** @param {Scene} scene */
function windowNumbers(scene) {
  const { chosenMap, cell, window } = chosenIn(scene);
  const four = fourOf(chosenMap, window);
  const winner = chosenMap.winners[window.row * chosenMap.across + window.column];
  return { scene, chosenMap, cell, window, four, winner };
}

/** @typedef {ReturnType<typeof windowNumbers>} Windowed */

/** The chosen window: its four numbers and the largest. @type {Panel<Scene, Windowed>} */
const window = {
  id: "window",
  look: "pool-window",
  title(scene) {
    const { row, column } = chosenIn(scene).window;
    return `The window at row ${row}, column ${column}`;
  },
  numbers: windowNumbers,
  line: ({ four, winner }) => words.windowWords(four, winner),
  picture({ scene, chosenMap, cell, window, four, winner }, { set, point }) {
    const framed = { row: Math.floor(winner / POOL), column: winner % POOL };
    const { scale } = picturedOf(chosenMap);
    /** @param {Place} cell */
    const at = ({ row, column }) => pixelIn(window, POOL * row + column);
    return [
      grid({
        label: "The four pixels of the chosen window; the winner is framed",
        rows: { of: "row of pixels", names: SIDE },
        columns: { of: "column of pixels", names: SIDE },
        isBare: true,
        mark: writtenTiles({
          name: "pixel",
          data: Float32Array.from(four),
          scale,
          format: fixed,
          framed: Math.max(...four) === 0 ? null : framed,
        }),
        chosen: { row: cell.row % POOL, column: cell.column % POOL },
        choose: (cell) => set(choosing(scene, at(cell))),
        hover: (cell) => point(cell && { window, pixel: at(cell) }),
        words: () => words.maximumWords(four, winner),
      }),
    ];
  },
};

/** The first shows one map and window in full, those above it their values. */
export const panels = { every: [maps], first: [map, window], above: [values] };
