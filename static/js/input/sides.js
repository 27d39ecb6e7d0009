/**
 * What the network says of the toy on the turntable from every side of the collection, and
 * of all test toys from there.
 * @import { Model, Pixels, Services } from "../types.js"
 * @import { Category } from "../toys/categories.js"
 * @import { Scene } from "../toys/scene.js"
 */

import { SCORES } from "../core/scores.js";
import { toyLabel } from "../core/state.js";
import { sequential } from "../lib/color.js";
import { percent, sentences } from "../lib/format.js";
import { memoize } from "../lib/memoize.js";
import { inkOf, shapeOf, toRows } from "../lib/pixels.js";
import { latest } from "../lib/timing.js";
import { toyPixels } from "../toys/scene.js";
import { findElement, writer } from "../ui/dom.js";
import { mapPicture } from "../ui/maps.js";
import { showLegend } from "../ui/pictures.js";

/** The sides of the collection, in degrees; the highest camera first. */
export const AZIMUTHS = Array.from({ length: 18 }, (_, i) => 20 * i);
export const ELEVATIONS = Array.from({ length: 9 }, (_, i) => 70 - 5 * i);

const SCORE = sequential(0, 1);

/**
 * The scale of the shares read right, which lie close together near 1, and its unit.
 * @param {readonly number[]} shares
 * @returns {[import("../lib/color.js").Scale, string]}
 */
export function shareScale(shares) {
  const least = Math.min(...shares);
  return least < 1
    ? [sequential(least, 1), "share, on a scale of its own"]
    : [sequential(0, 1), "share"];
}

/** A network's answers from every side, row by row. @typedef {{ predictions: number[], scores: number[] }} Said */

/**
 * @param {HTMLElement} root @param {Services} services
 * @param {(view: Pick<Scene, "azimuth" | "elevation">) => void} turn the toy
 */
export function mountSides(root, services, turn) {
  const write = writer(root);
  /** @type {{ scene: Scene, model: Model, said: Said | null }} */
  let shown;
  const maps = ["own", "test"].map((name) => {
    const figure = findElement(root, `[data-sides-${name}]`);
    const map = mapPicture(findElement(figure, ".overlaid"), {
      chosen: () => placeOf(shown.scene),
      choose: ({ row, column }) =>
        turn({ azimuth: AZIMUTHS[column], elevation: ELEVATIONS[row] }),
      hover: (at) => write("sides-readout", at === null ? "" : note(at)),
      note,
    });
    return { figure, map };
  });
  const [own, test] = maps;

  /** @param {{ row: number, column: number }} at */
  function note({ row, column }) {
    const { model, said } = shown;
    const i = row * AZIMUTHS.length + column;
    const right = rightOf(model)?.[i];
    const told = [
      said &&
        `read as ${model.class_names[said.predictions[i]]}, ${className(shown)} at ${said.scores[i].toFixed(2)}`,
      right !== undefined && `${percent(right, 0)} of the test toys right`,
    ].filter(Boolean);
    const place = `turned by ${AZIMUTHS[column]}°, from ${ELEVATIONS[row]}°`;
    return told.length > 0 ? `${place}: ${told.join("; ")}` : place;
  }

  /**
   * @param {typeof own} map @param {number[]} values
   * @param {import("../lib/color.js").Scale} scale @param {string} unit
   */
  function paint({ figure, map }, values, scale, unit) {
    map.show(values, AZIMUTHS.length, scale);
    showLegend(findElement(figure, "[data-legend]"), scale, { unit });
  }

  function draw() {
    const { model, said } = shown;
    root.hidden = false;
    const zone = zoneOf(model);
    for (const { map } of maps) map.mark("lines", zone ?? "");
    findElement(root, "[data-sides-zone]").hidden = zone === null;
    const right = rightOf(model);
    test.figure.hidden = right === null;
    if (right !== null) paint(test, right, ...shareScale(right));
    own.figure.hidden = said === null;
    if (said !== null) {
      paint(own, said.scores, SCORE, "score");
      own.map.mark("dots", dotsOf(said, labelIn(shown)));
    }
    write("sides-caption", `This toy: the score of ${className(shown)}.`);
    mark();
  }

  function mark() {
    write("sides-words", sidesWords(shown));
    for (const { map } of maps) map.choose(placeOf(shown.scene));
  }

  const ask = latest(
    (
      /** @type {{ scene: Scene, model: Model, categories: Category[] }} */ wish,
      answered,
    ) =>
      services.guarded(async () => {
        const said = await readFromAllSides(services.server, wish);
        answered();
        if (root.hidden) return;
        if (wish.model !== shown.model || nameOf(wish) !== nameOf(shown)) return;
        shown = { ...shown, said };
        draw();
      })(undefined),
  );
  const askOnce = memoize(
    (/** @type {string} */ _name, /** @type {Model} */ _model) => ({}),
  );
  let asked = {};

  return {
    /** No toy stands on the turntable. */
    hide() {
      root.hidden = true;
      asked = {};
    },

    /** @param {Scene} scene @param {Model} model @param {Category[]} categories */
    show(scene, model, categories) {
      const wish = askOnce(nameOf({ scene }), model);
      const isNew = wish !== asked;
      asked = wish;
      shown = { scene, model, said: isNew ? null : shown.said };
      if (!isNew) return mark();
      draw();
      ask({ scene, model, categories });
    },
  };
}

/** What identifies a scene, whichever side it is seen from. @param {{ scene: Scene }} wish */
function nameOf({ scene }) {
  const { category, seed, own, light, ground, backdrop, tint, hidden } = scene;
  return JSON.stringify([category, seed, own, light, ground, backdrop, tint, hidden]);
}

/**
 * The class of the toy; one that has none gets no map.
 * @param {{ scene: Pick<Scene, "category">, model: Pick<Model, "class_names" | "input_shape"> }} shown
 */
function labelIn({ scene, model }) {
  return /** @type {number} */ (toyLabel(scene, model));
}

/** @param {Parameters<typeof labelIn>[0]} shown */
function className(shown) {
  return shown.model.class_names[labelIn(shown)];
}

/**
 * @param {Services["server"]} server
 * @param {{ scene: Scene, model: Model, categories: Category[] }} wish
 * @returns {Promise<Said>}
 */
async function readFromAllSides(server, { scene, model, categories }) {
  const shape = shapeOf(model);
  const images = ELEVATIONS.flatMap((elevation) =>
    AZIMUTHS.map((azimuth) => {
      const pixels = toyPixels(categories, { ...scene, azimuth, elevation }, shape);
      return toRows(inkOf(pixels).map(rounded), shape);
    }),
  );
  const body = { images, tensors: [SCORES] };
  const tensors = await server.computeTensors(model, "batch", body);
  const label = labelIn({ scene, model });
  const { data, shape: sizes } = tensors[SCORES];
  return {
    predictions: Array.from(tensors.predictions.data),
    scores: images.map((_, i) => data[i * sizes[1] + label]),
  };
}

/** So that all images fit one request. @param {number} value of a pixel */
function rounded(value) {
  return Math.round(1e6 * value) / 1e6;
}

/**
 * The cell next to a view.
 * @param {Pick<Scene, "azimuth" | "elevation">} view
 */
export function placeOf({ azimuth, elevation }) {
  const [highest, lowest] = [ELEVATIONS[0], ELEVATIONS[ELEVATIONS.length - 1]];
  const within = Math.min(Math.max(elevation, lowest), highest);
  return {
    row: Math.round((highest - within) / 5),
    column: Math.round(azimuth / 20) % AZIMUTHS.length,
  };
}

/**
 * Share of the test toys that a network reads right from each side, as its card tells it.
 * @param {Pick<Model, "card">} model
 * @returns {number[] | null} null where that was not measured
 */
export function rightOf({ card: { viewpoints } }) {
  if (viewpoints === undefined) return null;
  return viewpoints.errors.toReversed().flatMap((row) => row.map((error) => 1 - error));
}

/**
 * The outline of the sides that training showed, as a path in cells.
 * @param {Pick<Model, "card">} model
 * @returns {string | null} null where training showed all, or the card does not say
 */
export function zoneOf({ card: { shown } }) {
  if (shown === undefined) return null;
  const [columns, rows] = [AZIMUTHS, ELEVATIONS].map(({ length }) => length);
  const isIn = (/** @type {number} */ row, /** @type {number} */ column) =>
    shown.elevations.includes(ELEVATIONS[row]) &&
    shown.azimuths.includes(AZIMUTHS[column]);
  let isWhole = true;
  let path = "";
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++) {
      if (!isIn(row, column)) {
        isWhole = false;
        continue;
      }
      if (!isIn(row - 1, column)) path += `M${column} ${row}h1`;
      if (!isIn(row + 1, column)) path += `M${column} ${row + 1}h1`;
      if (!isIn(row, column - 1)) path += `M${column} ${row}v1`;
      if (!isIn(row, column + 1)) path += `M${column + 1} ${row}v1`;
    }
  return isWhole ? null : path;
}

/**
 * @param {{ scene: Scene, model: Pick<Model, "card" | "class_names" | "input_shape">, said: Said | null }} shown
 */
export function sidesWords({ scene, model, said }) {
  const { category, azimuth, elevation } = scene;
  const { row, column } = placeOf(scene);
  const share = rightOf(model)?.[row * AZIMUTHS.length + column];
  const isThere = azimuth === AZIMUTHS[column] && elevation === ELEVATIONS[row];
  const near = `from the nearest side, ${AZIMUTHS[column]}° and ${ELEVATIONS[row]}°`;
  const label = said && labelIn({ scene, model });
  const right = said?.predictions.filter((each) => each === label);
  return sentences([
    right &&
      `The network reads this ${category} right from ${right.length} of ${said?.predictions.length} sides.`,
    share !== undefined &&
      `Of all test toys it reads ${percent(share, 0)} right ${isThere ? "from this side" : near}.`,
  ]);
}

/** @param {Said} said @param {number} label */
function dotsOf({ predictions }, label) {
  return predictions
    .map((each, i) => {
      if (each === label) return "";
      const [row, column] = [Math.floor(i / AZIMUTHS.length), i % AZIMUTHS.length];
      return `M${column + 0.3} ${row + 0.5}a.2 .2 0 1 0 .4 0a.2 .2 0 1 0-.4 0`;
    })
    .join("");
}
