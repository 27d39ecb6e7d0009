/**
 * A convolution, all its kernels and maps: where it reads the image, down to the products
 * behind one pixel; above that, one map value by value.
 * @import { ConvolutionState, Place, Pointing, ReadLayer, Reading, Scene } from "./types.js"
 * @import { Layer, LayerMount } from "../types.js"
 */
import { createScenes, withPointed } from "../../core/scenes.js";
import { fieldAt } from "../../geometry/windows.js";
import { reach } from "../../lib/arithmetic.js";
import { sequential } from "../../lib/color.js";
import { fixed } from "../../lib/format.js";
import { memoize, memoizeByObject } from "../../lib/memoize.js";
import { findElement, setText } from "../../ui/dom.js";
import { note } from "../../ui/h.js";
import { mountPanels } from "../../ui/panel.js";
import { valuesPanel } from "../values.js";
import { placeOf } from "./field.js";
import { mountFocus } from "./focus.js";
import { normWords } from "./norm.js";
import { readLayer, trainedReading } from "./reading.js";
import { arithmetic, imageTable, mountKernel } from "./reads-image.js";
import { maps } from "./sheet.js";

/** @type {LayerMount<ConvolutionState>} */
export function mount(root, store, { lookAt }, _services, layer) {
  const shape = findElement(root, "[data-shape]");
  const scenes = createScenes(store, sceneFrom(layer, root.dataset.view ?? ""));
  const act = { set: store.set, lookAt };
  scenes.watch(({ read }) => setText(shape, shapeWords(read)));
  if (layer.below !== undefined) {
    mountPanels(root, { scenes, act }, panels.above);
    return;
  }
  /** @type {Pointing} */
  let pointed = { pixel: null, cell: null };
  const pointing = withPointed(scenes, pointed);
  /** @param {Partial<Pointing>} change */
  function keep(change) {
    pointed = { ...pointed, ...change };
    pointing.point(pointed);
  }
  const kernel = mountKernel(root, { ...act, keep });
  mountPanels(root, { scenes, act }, panels.image);
  mountPanels(
    root,
    { scenes: pointing, act: { ...act, point: kernel.point } },
    panels.pointed,
  );
  const focus = mountFocus(root, { choose, preview, lookAt }, kernel);

  /** @param {Place} target on the map @param {Reading} reading */
  function choose(target, { across }) {
    const scene = scenes.shown();
    if (scene)
      store.set({ map: scene.map, pixel: target.row * across + target.column });
  }

  /** @param {Place | null} pixel of the map */
  function preview(pixel) {
    if (pixel !== pointed.pixel) keep({ pixel });
  }

  scenes.watch((scene) => {
    focus.show(scene.reading, scene.position, scene);
    preview(null);
  });
  store.watch(["field"], ({ field }) => focus.lookAt(field));
  store.whenClosed(() => focus.pause());
}

/** @param {Layer} layer @param {string} id of the view */
export function sceneFrom(layer, id) {
  const readNow = memoize(readLayer);
  const readTrained = memoize(trainedReading);
  /** @param {ConvolutionState} state */
  return ({ trace, weights, model, ...chosen }) => {
    const { map, pixel, look, channel } = chosen;
    const read = readNow(trace, weights, model, layer);
    const reading = readTrained(read, map);
    const position = placeOf(pixel, reading.across);
    const { pixels } = trace;
    return {
      id,
      title: layer.title,
      read,
      reading,
      pixels,
      position,
      map,
      pixel,
      look,
      channel,
    };
  };
}

const scaleOf = memoizeByObject(
  (/** @type {Reading} */ { after }) => after,
  ({ after }) => sequential(0, reach(after) || 1),
);

/** The chosen map after ReLU. @param {Scene} scene */
function mapIn({ title, reading, pixel, map, pixels }) {
  const { before, after, across } = reading;
  return {
    name: `map ${map} of ${title}`,
    data: after,
    columns: across,
    scale: scaleOf(reading),
    unit: "activation after ReLU, own scale",
    chosen: placeOf(pixel, across),
    reading,
    pixels,
    choosing: (/** @type {Place} */ { row, column }) => ({
      map,
      pixel: row * across + column,
    }),
    field: (/** @type {Place} */ position) => fieldAt(reading.reach, position),
    read(/** @type {Place} */ { row, column }) {
      const at = row * across + column;
      return `row ${row}, column ${column}: before ReLU ${fixed(before[at])}, after ${fixed(after[at])}`;
    },
  };
}

const values = valuesPanel(mapIn, ({ reading, chosen: { row, column } }) => {
  const { norm, mapName, after, across } = reading;
  const words = norm && normWords(norm, mapName, after[row * across + column]);
  return words && note(words);
});

/** @param {ReadLayer} layer */
function shapeWords({ kernels, pre }) {
  const [count, maps, ...sides] = kernels.shape;
  const [, rows, columns] = pre.shape;
  const slices = maps === 1 ? "" : `${maps}×`;
  return `${count} kernels ${slices}${sides.join("×")} → ${count} maps ${rows}×${columns}`;
}

/** Above other maps, of the image, and of what is pointed at there. */
export const panels = {
  above: [maps, values],
  image: [{ ...maps, table: imageTable }],
  pointed: [arithmetic],
};
