/**
 * The numbers of one class over its test images: how often each value occurs, two of them
 * against each other, real images along one of them beside the decoder's, and what
 * properties each follows.
 * @import { Content } from "../ui/h.js"
 * @import { ClassNumbers } from "../lib/class-numbers.js"
 * @import { Act } from "./actions.js"
 * @import { Scene } from "./scene.js"
 */
import { painted } from "../draw/picture.js";
import {
  axisName,
  closest,
  correlations,
  endsOf,
  histogram,
  imagesAt,
  meanOf,
  pairName,
  pairPlaces,
  valueAt,
} from "../lib/class-numbers.js";
import { color, cssColor, diverging, readableOn } from "../lib/color.js";
import { capitalized, fixed } from "../lib/format.js";
import { memoize } from "../lib/memoize.js";
import { nameOf } from "../lib/properties.js";
import { paintImage } from "../paint/heatmap.js";
import { h } from "../ui/h.js";
import { button, menu } from "../ui/inputs.js";
import { valuesTable } from "../ui/values.js";
import { scatter } from "./map.js";
import { canvases, imageButton, tools } from "./panels.js";
import * as words from "./words.js";

const BINS = 24; // of a histogram
const SCALE = diverging(1);
const COLUMNS = 9; // values of the strip
const AT_EACH = 2; // real images at each of them
const NOW = 6; // real images at the value of the slider

/**
 * What is open: a class, two axes of its numbers and properties, and how far along the
 * first, in hundredths of its bulk. Null: as the page proposes.
 * @typedef {Scene["opened"]} Opened
 */

/** The scene with the class and the axes on show. @typedef {Scene & { numbers: ClassNumbers } & ReturnType<typeof proposed>} Now */

/** @param {Scene} scene @param {Act} act @returns {Content} */
export function classNumbers(scene, act) {
  const { model, atlas, opened } = scene;
  if (model.card.numbers === undefined)
    return h("p", {}, words.unmeasuredWords(atlas, model));
  if (atlas.numbers === null) return null; // on its way
  const now = { ...scene, numbers: atlas.numbers, ...proposed(atlas.numbers, opened) };
  const { numbers, label, across, up } = now;
  const rows = correlationsOf(numbers, label);
  const axes = numbers.values.map((_, axis) => [
    String(axis),
    capitalized(axisName(numbers, axis)),
  ]);
  const classes = atlas.names.map((name, i) => [String(i), name]);
  const useClass = (/** @type {string} */ of) =>
    act.set({ of: Number(of), across: null, up: null, along: 50 });
  const told = words.pairWords(atlas, numbers, { label, across, up }, scene.images);
  return [
    tools([menu("Class", classes, String(label), useClass)]),
    h(
      "p",
      {},
      `${words.whoseWords(atlas, model, label)} ${words.followWords(numbers, rows)}`,
    ),
    h(
      "div",
      { class: "atlas-numbers-body" },
      part(
        "Values of each number",
        h("p", { class: "fine" }, words.HISTOGRAMS),
        h("div", { class: "atlas-histograms" }, histograms(now, act)),
      ),
      part(
        "Two of them",
        tools([
          menu("Across", axes, String(across), (i) => act.set({ across: Number(i) })),
          menu("Up", axes, String(up), (i) => act.set({ up: Number(i) })),
        ]),
        pair(now, act),
        h(
          "p",
          { class: "atlas-ends fine" },
          h("span", {}, `→ ${words.endsWords(numbers, label, across)}`),
          h("span", {}, `↑ ${words.endsWords(numbers, label, up)}`),
        ),
        h("p", { "data-pair-words": "" }, told),
      ),
    ),
    part(`Along ${axisName(numbers, across)}`, along(now, act)),
    part(
      "What each number follows",
      h("p", { class: "fine" }, words.CORRELATIONS),
      h(
        "div",
        { class: "atlas-confusion atlas-correlations" },
        correlationTable(now, rows, act),
      ),
      h(
        "p",
        {},
        words.indexWords(model),
        " ",
        h("a", { href: words.CLAIM }, "All networks"),
      ),
    ),
  ];
}

/** @param {string} title @param {...Content} content */
const part = (title, ...content) =>
  h("section", { "aria-label": title }, h("h3", {}, title), content);

const correlationsOf = memoize(correlations);

/**
 * The class and the axes on show: the pair that correlates most, where none is chosen.
 * @param {ClassNumbers} numbers @param {Pick<Opened, "of" | "across" | "up">} opened
 */
export function proposed(numbers, { of, across, up }) {
  const label = Math.min(of ?? 0, numbers.images.length - 1);
  const isAxis = (/** @type {number | null} */ axis) =>
    axis !== null && axis < numbers.values.length;
  const near = closest(correlations(numbers, label));
  const strongest = [...near].sort((a, b) => Math.abs(b.r) - Math.abs(a.r))[0];
  const first = across !== null && isAxis(across) ? across : (strongest?.number ?? 0);
  const own = near.find(({ number }) => number === first);
  const second = own ? numbers.numbers + own.property : first === 0 ? 1 : 0;
  return { label, across: first, up: up !== null && isAxis(up) ? up : second };
}

/** How often each value occurs, over all images of the class and over those selected. */
const countsOf = memoize(allAndSome);

/** @param {ClassNumbers} numbers @param {number} label @param {readonly number[]} images */
function allAndSome(numbers, label, images) {
  const chosen = new Set(images);
  return Array.from({ length: numbers.numbers }, (_, number) => ({
    all: histogram(numbers, label, number, BINS, () => true),
    some: histogram(numbers, label, number, BINS, (i) => chosen.has(i)),
  }));
}

/** @param {Now} now @param {Act} act */
function histograms({ numbers, label, across, images }, act) {
  const { properties } = numbers;
  const near = closest(correlationsOf(numbers, label));
  return countsOf(numbers, label, images).map(({ all, some }, number) => {
    const most = Math.max(1, ...all);
    const found = near.find((each) => each.number === number);
    const [low, high] = endsOf(numbers, label, number).map((end) => fixed(end, 2));
    const box = { viewBox: `0 0 ${BINS} 10`, preserveAspectRatio: "none" };
    const content = [
      h("b", {}, String(number + 1)),
      h("small", {}, `${low} to ${high}`),
      h(
        "svg",
        { ...box, "aria-hidden": "true" },
        h("path", { class: "of-all", d: barsPath(all, most) }),
        h("path", { class: "of-some", d: barsPath(some, most) }),
      ),
      h(
        "span",
        {},
        found && `${nameOf(properties[found.property])} ${fixed(found.r, 2)}`,
      ),
    ];
    const look = { class: "atlas-histogram", pressed: number === across };
    return button(content, () => act.set({ across: number }), look);
  });
}

/** @param {readonly number[]} counts @param {number} most */
function barsPath(counts, most) {
  return counts
    .map((count, bin) =>
      count === 0 ? "" : `M${bin} 10v${(-9.5 * count) / most}h1V10z`,
    )
    .join("");
}

/** Two numbers against each other. @param {Now} now @param {Act} act */
function pair(now, act) {
  const { atlas, numbers, label, across, up, point } = now;
  const name = pairName(label, across, up);
  const places = pairPlaces(numbers, name) ?? [];
  const own = numbers.images[label];
  const placeOf = new Map(own.map((image, place) => [image, place]));
  const among = (/** @type {readonly number[]} */ some) =>
    some.flatMap((image) => placeOf.get(image) ?? []);
  const chosen = among(now.images);
  const axis = (/** @type {number} */ each) => axisName(numbers, each);
  return scatter({
    label: `Test images of ${atlas.names[label]} by ${axis(across)} and ${axis(up)}`,
    look: "is-pair",
    shown: {
      frame: name,
      places: placesOf(places, own),
      labels: own.map(() => label),
      names: atlas.names,
      ...{ anchors: [], contours: [] },
      wrong: among(now.wrong),
      chosen,
      isAll: chosen.length === own.length,
      point: point === null ? null : (placeOf.get(point) ?? null),
      nearest: [],
    },
    does: {
      choose: (place) => act.choose(own[place]),
      open: () => act.open(point),
      outline: (outline) => act.outline(name, outline),
      pictures: (some) => canvases(now.pictures(some.map((place) => own[place]))),
    },
  });
}

/** The same places as long as the pair is the same, so that nothing moves. */
const placesOf = memoize(
  (/** @type {ArrayLike<number>} */ places, /** @type {readonly number[]} */ own) =>
    Float32Array.from({ length: 2 * own.length }, (_, k) => {
      const value = places[2 * own[k >> 1] + (k & 1)];
      return Number.isNaN(value) ? 2 : value; // without this property: off the map
    }),
);

/** Real images at each value of a number, beside those that the decoder draws of it. @param {Now} now @param {Act} act */
function along(now, act) {
  const { model, atlas, numbers, label, across, opened } = now;
  const isDecoded = words.canDecode(model) && across < numbers.numbers;
  const mean = meanOf(numbers, label);
  const poseAt = (/** @type {number} */ value) =>
    mean.map((each, j) => (j === across ? value : each));
  const shares = Array.from({ length: COLUMNS }, (_, k) => k / (COLUMNS - 1));
  const values = shares.map((share) => valueAt(numbers, label, across, share));
  const strip = isDecoded ? now.strip(model, label, values.map(poseAt)) : null;
  const name = axisName(numbers, across);
  const value = valueAt(numbers, label, across, opened.along / 100);
  const shown = isDecoded ? now.latest(model, label, [poseAt(value)]) : null;
  const images = imagesAt(numbers, label, across, value, NOW);
  const told = (/** @type {number} */ each) => words.valueWords(now, each);
  const go = (/** @type {number} */ along) => act.set({ along });
  const axis = { label, axis: across };
  const slider = {
    ...{ type: "range", min: "0", max: "100", step: "1", value: opened.along },
    "aria-label": "Along the values",
    "aria-valuetext": `${name}: ${told(value)}`,
    oninput: (/** @type {any} */ { target }) => go(target.valueAsNumber),
  };
  const said = words.alongWords(atlas, numbers, axis, images.length, isDecoded);
  const columns = values.map((each, k) =>
    h(
      "div",
      {},
      button(told(each), () => go(Math.round(100 * shares[k]))),
      isDecoded && decoded(model, strip, k, `decoded at ${told(each)}`),
      imagesAt(numbers, label, across, each, AT_EACH).map((image) =>
        imageButton(now, act, image, ""),
      ),
    ),
  );
  const own = images.map((image) =>
    imageButton(now, act, image, told(numbers.values[across][image])),
  );
  return [
    h("p", { class: "fine" }, said),
    h("div", { class: "atlas-strip" }, columns),
    h("input", slider),
    h(
      "div",
      { class: "atlas-now" },
      isDecoded && decoded(model, shown, 0, `decoded with ${name} at ${told(value)}`),
      h("div", { class: "atlas-nearest" }, own),
    ),
  ];
}

/**
 * A picture by the decoder.
 * @param {Scene["model"]} model @param {ArrayLike<number> | null} images @param {number} which
 * @param {string} label
 */
function decoded({ input_shape: [channels, rows, columns] }, images, which, label) {
  const size = channels * rows * columns;
  /** @param {HTMLCanvasElement} canvas @param {ArrayLike<number>} all */
  const paint = (canvas, all) => {
    const one = Float32Array.from({ length: size }, (_, i) => all[which * size + i]);
    paintImage(canvas, one, { channels, rows, columns });
  };
  const look = { "data-decoded": "", role: "img", "aria-label": label };
  return painted(images, paint, look);
}

/**
 * How each number correlates with each property; each cell opens the pair.
 * @param {Now} now @param {readonly (readonly number[])[]} rows @param {Act} act
 */
function correlationTable({ numbers, across, up }, rows, act) {
  /** @param {number} r @param {number} number @param {number} p */
  const cell = (r, number, p) => {
    if (Number.isNaN(r)) return h("span", { class: "is-none" }, "·");
    const axis = numbers.numbers + p;
    const [value, name] = [fixed(r, 2), nameOf(numbers.properties[p])];
    const look = {
      ...{ pressed: number === across && axis === up },
      "aria-label": `Number ${number + 1} and ${name}: r = ${value}`,
      ...{ "--ground": cssColor(SCALE, r), "--ink": readableOn(color(SCALE, r)) },
    };
    return button(value, () => act.set({ across: number, up: axis }), look);
  };
  return valuesTable({
    ...{ look: "", of: "" },
    names: rows.map((_, number) => String(number + 1)),
    columns: numbers.properties.map((property, p) => [
      nameOf(property),
      rows.map((row, number) => cell(row[p], number, p)),
    ]),
  });
}
