/**
 * The numbers of one class over its test images: how often each value occurs, two of them
 * against each other, real images along one of them beside the decoder's, and what
 * properties each follows.
 * @import { Model, Services, Tensor } from "../types.js"
 * @import { Atlas, Selection } from "../lib/selections.js"
 * @import { ClassNumbers } from "../lib/class-numbers.js"
 */
import {
  axisName,
  closest,
  correlationOf,
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
import { capitalized, counted, fixed, grouped } from "../lib/format.js";
import { nameOf } from "../lib/properties.js";
import { lassoOf } from "../lib/selections.js";
import { latest } from "../lib/timing.js";
import { paintImage } from "../paint/heatmap.js";
import { find, findCanvas, findElement, make, setText, svg } from "../ui/dom.js";
import { onTheme } from "../ui/stage.js";
import { createMap } from "./map.js";

const BINS = 24; // of a histogram
const COLUMNS = 9; // values of the strip
const AT_EACH = 2; // real images at each of them
const NOW = 6; // real images at the value of the slider
const CLOSELY = 0.7; // |r| from which on a number is said to follow a property
const SCALE = diverging(1);

/**
 * What is open: a class, two axes of its numbers and properties, and how far along the
 * first, in hundredths of its bulk. Null: as the page proposes.
 * @typedef {{ of: number | null, across: number | null, up: number | null, along: number }} Opened
 */

/**
 * @typedef {object} Does
 * @property {(patch: Partial<Opened>) => void} set
 * @property {(selection: Selection) => void} select
 * @property {(point: number) => void} choose
 * @property {(point: number) => void} open a test image in Explore
 * @property {(index: number, caption: string) => HTMLButtonElement} button with the
 *   picture of a test image
 * @property {(images: number[]) => (CanvasImageSource | null)[]} pictures
 * @property {Services["server"]["computeTensors"]} computeTensors
 * @property {Services["guarded"]} guarded
 */

/**
 * @typedef {object} Shown
 * @property {Model} model
 * @property {Atlas} atlas
 * @property {readonly number[]} images selected
 * @property {readonly number[]} wrong misread
 * @property {number | null} point
 * @property {Opened} opened
 */

/** @param {HTMLElement} root @param {Does} does */
export function mountNumbers(root, does) {
  const folder = find(root, "details[data-numbers]", HTMLDetailsElement);
  const body = findElement(folder, "[data-numbers-body]");
  const choice = find(folder, "[data-numbers-class]", HTMLSelectElement);
  const axes = {
    across: find(folder, "[data-across]", HTMLSelectElement),
    up: find(folder, "[data-up]", HTMLSelectElement),
  };
  const canvas = findCanvas(folder, "[data-pair]");
  const outlining = findElement(folder, "[data-pair-lasso]");
  const slider = find(folder, "[data-along]", HTMLInputElement);
  /** @type {Shown | null} */
  let shown = null;

  const map = createMap(canvas, {
    choose: (place) => does.choose(ownImages()[place]),
    open: () => shown?.point != null && does.open(shown.point),
    outline(outline) {
      const now = nowShown();
      const name = now && pairName(now.label, now.across, now.up);
      const selection = name && lassoOf(name, outline);
      if (selection) does.select(selection);
      outlining.setAttribute("aria-pressed", "false");
      map.setOutlining(false);
    },
    pictures: (places) => does.pictures(places.map((place) => ownImages()[place])),
  });

  /** What is chosen or proposed, once there are numbers. */
  function nowShown() {
    const numbers = shown?.atlas.numbers;
    if (!shown || !numbers || shown.opened.of === null) return null;
    return { ...shown, numbers, ...proposed(numbers, shown.opened) };
  }
  /** @typedef {NonNullable<ReturnType<typeof nowShown>>} Now */

  const ownImages = () => {
    const now = nowShown();
    return now === null ? [] : now.numbers.images[now.label];
  };

  /** @param {Now} now */
  function showWords({ atlas, model, numbers, label }) {
    const words = findElement(folder, "[data-numbers-words]");
    const rows = correlations(numbers, label);
    setText(words, `${whoseWords(atlas, model, label)} ${followWords(numbers, rows)}`);
    setText(findElement(folder, "[data-disentangled]"), indexWords(model));
  }

  /** @param {Now} now */
  function showHistograms({ atlas, numbers, label, across, images }) {
    const place = findElement(folder, "[data-histograms]");
    const near = closest(correlations(numbers, label));
    const isChosen = new Set(images);
    const isAll = images.length === atlas.count;
    if (place.childElementCount !== numbers.numbers)
      place.replaceChildren(
        ...Array.from({ length: numbers.numbers }, (_, number) =>
          histogramButton(number),
        ),
      );
    [...place.children].forEach((button, number) => {
      const all = histogram(numbers, label, number, BINS, () => true);
      const some = isAll
        ? all
        : histogram(numbers, label, number, BINS, (i) => isChosen.has(i));
      const most = Math.max(1, ...all);
      const [allPath, somePath] = button.querySelectorAll("path");
      allPath.setAttribute("d", barsPath(all, most));
      somePath.setAttribute("d", barsPath(some, most));
      const found = near.find((each) => each.number === number);
      const follows = found
        ? `${nameOf(numbers.properties[found.property])} ${fixed(found.r, 2)}`
        : "";
      const [low, high] = endsOf(numbers, label, number).map((end) => fixed(end, 2));
      setText(findElement(button, "[data-follows]"), follows);
      setText(findElement(button, "[data-ends]"), `${low} to ${high}`);
      button.setAttribute("aria-pressed", String(number === across));
    });
  }

  /** @param {number} number */
  function histogramButton(number) {
    const button = make("button", { type: "button", class: "atlas-histogram" });
    const picture = svg("svg", {
      viewBox: `0 0 ${BINS} 10`,
      preserveAspectRatio: "none",
      "aria-hidden": "true",
    });
    picture.append(svg("path", { class: "of-all" }), svg("path", { class: "of-some" }));
    const name = make("b", {}, String(number + 1));
    const follows = make("span", { "data-follows": "" });
    button.append(name, make("small", { "data-ends": "" }), picture, follows);
    button.addEventListener("click", () => does.set({ across: number }));
    return button;
  }

  /** @param {Now} now */
  function showPair({ atlas, numbers, label, across, up, images, wrong, point }) {
    const places = pairPlaces(numbers, pairName(label, across, up)) ?? [];
    const own = numbers.images[label];
    const placeOf = new Map(own.map((image, place) => [image, place]));
    const among = (/** @type {readonly number[]} */ some) =>
      some.flatMap((image) => placeOf.get(image) ?? []);
    const chosen = among(images);
    map.show({
      places: Float32Array.from({ length: 2 * own.length }, (_, k) => {
        const value = places[2 * own[k >> 1] + (k & 1)];
        return Number.isNaN(value) ? 2 : value; // without this property: off the map
      }),
      labels: own.map(() => label),
      names: atlas.names,
      ...{ anchors: [], contours: [] },
      wrong: among(wrong),
      chosen,
      isAll: chosen.length === own.length,
      point: point === null ? null : (placeOf.get(point) ?? null),
      nearest: [],
    });
    const name = (/** @type {number} */ axis) => axisName(numbers, axis);
    canvas.setAttribute(
      "aria-label",
      `Test images of ${atlas.names[label]} by ${name(across)} and ${name(up)}`,
    );
    for (const [side, axis] of /** @type {const} */ ([
      ["across", across],
      ["up", up],
    ]))
      setText(
        findElement(folder, `[data-${side}-ends]`),
        endsWords(numbers, label, axis),
      );
    setText(
      findElement(folder, "[data-pair-words]"),
      pairWords(atlas, numbers, { label, across, up }, images),
    );
  }

  // Real images along an axis, and what the decoder makes of it.

  /** @type {{ key: string, images: Tensor["data"] } | null} of the strip */
  let drawn = null;
  /** @typedef {{ model: Model, label: number, poses: number[][], key: string }} Wish */
  const askStrip = latest(
    does.guarded(async (/** @type {Wish} */ wish) => {
      drawn = { key: wish.key, images: await decoded(wish) };
      paintDecoded();
    }),
  );
  const askNow = latest(
    does.guarded(async (/** @type {Wish} */ wish) => {
      const images = await decoded(wish);
      const picture = folder.querySelector("[data-along-now] canvas[data-decoded]");
      if (picture instanceof HTMLCanvasElement)
        paintOne(picture, wish.model, images, 0);
    }),
  );
  /** @param {Wish} wish */
  async function decoded({ model, label, poses }) {
    const body = { digit: label, poses };
    const { images } = await does.computeTensors(model, "reconstruct", body);
    return images.data;
  }

  /**
   * @param {HTMLCanvasElement} picture @param {Model} model
   * @param {ArrayLike<number>} images @param {number} which
   */
  function paintOne(
    picture,
    { input_shape: [channels, rows, columns] },
    images,
    which,
  ) {
    const size = channels * rows * columns;
    const one = Float32Array.from({ length: size }, (_, i) => images[which * size + i]);
    paintImage(picture, one, { channels, rows, columns });
  }

  function paintDecoded() {
    const now = nowShown();
    if (now === null || drawn?.key !== stripKey(now)) return;
    const { images } = drawn;
    folder
      .querySelectorAll("[data-along-strip] canvas[data-decoded]")
      .forEach((picture, k) => {
        if (picture instanceof HTMLCanvasElement)
          paintOne(picture, now.model, images, k);
      });
  }

  /** @param {Now} now */
  const stripKey = ({ model, label, across }) => `${model.id} ${label} ${across}`;

  /** @param {Now} now @param {number} value */
  function poseAt({ numbers, label, across }, value) {
    return meanOf(numbers, label).map((each, j) => (j === across ? value : each));
  }

  /** The key of the strip on show. */
  let strip = "";
  /** @param {Now} now */
  function showStrip(now) {
    const { model, numbers, label, across } = now;
    const key = stripKey(now);
    if (strip === key) return;
    strip = key;
    const isDecoded = canDecode(model) && across < numbers.numbers;
    const shares = Array.from({ length: COLUMNS }, (_, k) => k / (COLUMNS - 1));
    const values = shares.map((share) => valueAt(numbers, label, across, share));
    findElement(folder, "[data-along-strip]").replaceChildren(
      ...values.map((value, k) => {
        const column = make("div");
        const go = make("button", { type: "button" }, valueWords(now, value));
        go.addEventListener("click", () =>
          does.set({ along: Math.round(100 * shares[k]) }),
        );
        const real = imagesAt(numbers, label, across, value, AT_EACH);
        column.append(go);
        if (isDecoded)
          column.append(decodedCanvas(`decoded at ${valueWords(now, value)}`));
        column.append(...real.map((image) => does.button(image, "")));
        return column;
      }),
    );
    if (isDecoded) {
      const poses = values.map((value) => poseAt(now, value));
      askStrip({ model, label, poses, key });
    }
  }

  /** @param {string} words */
  const decodedCanvas = (words) =>
    make("canvas", { "data-decoded": "", role: "img", "aria-label": words });

  let position = "";
  /** @param {Now} now */
  function showNow(now) {
    const { atlas, model, numbers, label, across, opened } = now;
    const value = valueAt(numbers, label, across, opened.along / 100);
    if (slider.value !== String(opened.along)) slider.value = String(opened.along);
    const isDecoded = canDecode(model) && across < numbers.numbers;
    const name = axisName(numbers, across);
    slider.setAttribute("aria-valuetext", `${name}: ${valueWords(now, value)}`);
    const key = `${stripKey(now)} ${opened.along}`;
    if (position === key) return;
    position = key;
    const place = findElement(folder, "[data-along-now]");
    const images = imagesAt(numbers, label, across, value, NOW);
    const real = make("div", { class: "atlas-nearest" });
    real.append(
      ...images.map((image) =>
        does.button(image, valueWords(now, numbers.values[across][image])),
      ),
    );
    if (isDecoded && place.querySelector("canvas[data-decoded]") === null)
      place.replaceChildren(decodedCanvas(""), real);
    else if (isDecoded) place.lastElementChild?.replaceWith(real);
    else place.replaceChildren(real);
    place
      .querySelector("canvas[data-decoded]")
      ?.setAttribute("aria-label", `decoded with ${name} at ${valueWords(now, value)}`);
    setText(
      findElement(folder, "[data-along-words]"),
      alongWords(atlas, numbers, { label, axis: across }, images.length, isDecoded),
    );
    if (isDecoded) askNow({ model, label, poses: [poseAt(now, value)], key });
  }

  /** The class and numbers of the table on show. */
  let tabled = { label: -1, numbers: /** @type {ClassNumbers | null} */ (null) };
  /** @param {Now} now */
  function showCorrelations({ numbers, label, across, up }) {
    const place = findElement(folder, "[data-correlations]");
    if (tabled.label !== label || tabled.numbers !== numbers) {
      tabled = { label, numbers };
      place.replaceChildren(correlationTable(numbers, label, does.set));
    }
    for (const button of place.querySelectorAll("button"))
      button.setAttribute(
        "aria-pressed",
        String(button.dataset.pair === `${across} ${up}`),
      );
  }

  function show() {
    const none = findElement(folder, "[data-numbers-none]");
    if (shown === null) return;
    const { model, atlas, opened } = shown;
    const isOpen = opened.of !== null;
    if (folder.open !== isOpen) folder.open = isOpen;
    const isMeasured = model.card.numbers !== undefined;
    none.hidden = isMeasured;
    body.hidden = atlas.numbers === null;
    if (!isMeasured)
      setText(
        none,
        `The numbers of ${model.title} were not measured: run python -m model measure WEIGHTS --only numbers, and restart the server.`,
      );
    const now = nowShown();
    if (now === null) return;
    const names = atlas.names.join("\n");
    if (choice.dataset.names !== names) {
      choice.dataset.names = names;
      choice.replaceChildren(
        ...atlas.names.map((name, label) => new Option(name, String(label))),
      );
    }
    choice.value = String(now.label);
    for (const [side, select] of Object.entries(axes)) {
      if (select.dataset.axes !== String(now.numbers.values.length)) {
        select.dataset.axes = String(now.numbers.values.length);
        select.replaceChildren(
          ...now.numbers.values.map(
            (_, axis) =>
              new Option(capitalized(axisName(now.numbers, axis)), String(axis)),
          ),
        );
      }
      select.value = String(side === "up" ? now.up : now.across);
    }
    setText(
      findElement(folder, "[data-along-title]"),
      `Along ${axisName(now.numbers, now.across)}`,
    );
    showWords(now);
    showHistograms(now);
    showPair(now);
    showStrip(now);
    showNow(now);
    showCorrelations(now);
    paintDecoded();
  }

  folder.addEventListener("toggle", () => {
    if (shown === null || folder.open === (shown.opened.of !== null)) return;
    const { point, atlas } = shown;
    does.set({ of: folder.open ? (point === null ? 0 : atlas.labels[point]) : null });
  });
  choice.addEventListener("change", () =>
    does.set({ of: Number(choice.value), across: null, up: null, along: 50 }),
  );
  for (const [side, select] of Object.entries(axes))
    select.addEventListener("change", () => does.set({ [side]: Number(select.value) }));
  slider.addEventListener("input", () => does.set({ along: Number(slider.value) }));
  outlining.addEventListener("click", () => {
    const isOn = outlining.getAttribute("aria-pressed") !== "true";
    outlining.setAttribute("aria-pressed", String(isOn));
    map.setOutlining(isOn);
  });
  onTheme(map.draw);

  return {
    /** @param {Shown} next */
    show(next) {
      if (next.model !== shown?.model) strip = position = "";
      shown = next;
      show();
    },
    draw: map.draw,
  };
}

/**
 * The class and the axes on show: the pair that correlates most, where none is chosen.
 * @param {ClassNumbers} numbers @param {Opened} opened
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

/** Whether the numbers are poses, of which the decoder makes pictures. @param {Model} model */
const canDecode = ({ can, card: { numbers } }) =>
  can.reconstruct && numbers !== undefined && numbers.numbers === numbers.shown;

/** @param {{ numbers: ClassNumbers, across: number }} now @param {number} value */
const valueWords = ({ numbers, across }, value) =>
  fixed(value, across < numbers.numbers ? 2 : 1);

/** @param {ClassNumbers} numbers @param {number} label @param {number} axis */
function endsWords(numbers, label, axis) {
  const [low, high] = endsOf(numbers, label, axis);
  const decimals = axis < numbers.numbers ? 2 : 1;
  const name = capitalized(axisName(numbers, axis));
  return `${name}: ${fixed(low, decimals)} to ${fixed(high, decimals)}`;
}

/**
 * Whose numbers they are.
 * @param {Pick<Atlas, "names" | "numbers">} atlas @param {Pick<Model, "card" | "scores">} model
 * @param {number} label
 */
export function whoseWords({ names, numbers }, { card }, label) {
  const entry = card.numbers;
  if (entry === undefined || numbers === null) return "";
  const count = numbers.images[label].length;
  const images = `${counted(count, "test image")} of ${names[label]}`;
  if (entry.numbers === entry.shown)
    return `These are the ${entry.shown} numbers of the ${entry.of} over the ${images}, whatever the network reads in them.`;
  return `This network has no pose of a class. What corresponds is its ${entry.of} of ${entry.numbers} numbers: here are its first ${entry.shown} principal components over the ${images}.`;
}

/**
 * Which properties the numbers follow.
 * @param {Pick<ClassNumbers, "properties">} numbers
 * @param {readonly (readonly number[])[]} rows [number][property] correlations
 */
export function followWords({ properties }, rows) {
  const near = closest(rows);
  const [first] = [...near].sort((a, b) => Math.abs(b.r) - Math.abs(a.r));
  if (first === undefined) return "None of them varies with a property measured.";
  const count = near.filter(({ r }) => Math.abs(r) >= CLOSELY).length;
  const some = count === 0 ? "None" : grouped(count);
  return `Number ${first.number + 1} follows a property most closely: ${nameOf(properties[first.property])}, r = ${fixed(first.r, 2)}. ${some} of the ${rows.length} ${count === 1 ? "reaches" : "reach"} a correlation of ±${CLOSELY} with a property.`;
}

/**
 * What is on show of a pair of axes.
 * @param {Pick<Atlas, "names">} atlas @param {ClassNumbers} numbers
 * @param {{ label: number, across: number, up: number }} pair
 * @param {readonly number[]} images selected
 */
export function pairWords({ names }, numbers, { label, across, up }, images) {
  const own = new Set(numbers.images[label]);
  const count = images.filter((i) => own.has(i)).length;
  const r = correlationOf(numbers, label, across, up);
  const pair =
    across === up
      ? "Both axes show the same."
      : Number.isNaN(r)
        ? `${capitalized(axisName(numbers, across))} and ${axisName(numbers, up)} have no correlation here, because one of them does not vary.`
        : `Over the test images of ${names[label]}, ${axisName(numbers, across)} and ${axisName(numbers, up)} correlate with r = ${fixed(r, 2)}.`;
  if (count === own.size) return pair;
  const few = count === 0 ? "None" : grouped(count);
  return `${pair} ${few} of these ${grouped(own.size)} ${count === 1 ? "is" : "are"} in the selection.`;
}

/**
 * What the strip shows.
 * @param {Pick<Atlas, "names">} atlas @param {ClassNumbers} numbers
 * @param {{ label: number, axis: number }} of @param {number} count real images at the value
 * @param {boolean} isDecoded
 */
export function alongWords({ names }, numbers, { label, axis }, count, isDecoded) {
  const name = axisName(numbers, axis);
  const invented = isDecoded
    ? `The framed pictures are the decoder’s: it draws the mean pose of ${names[label]} with ${name} alone moved. `
    : axis >= numbers.numbers
      ? `${capitalized(name)} is measured in pictures, so no decoder can be given it. `
      : "No decoder makes pictures of these numbers. ";
  const real =
    count === 0
      ? `No test image of ${names[label]} has this value.`
      : `${isDecoded ? "The others" : "The pictures"} are test images with this value, of which the remaining numbers are nearest to the mean of ${names[label]}.`;
  return invented + real;
}

/**
 * What the card says on how far numbers stand for single properties.
 * @param {Pick<Model, "card">} model
 */
export function indexWords({ card }) {
  const entry = card.numbers?.indices;
  if (entry === undefined) return "";
  const { sap } = entry.numbers;
  const inside = sap.mean >= sap.turned_low && sap.mean <= sap.turned_high;
  const compared = inside
    ? "no further apart than turned ones"
    : sap.mean > sap.turned_high
      ? "further apart than turned ones"
      : "less apart than turned ones";
  return `Does each number stand for one property? Over all classes, the index SAP is ${fixed(sap.mean, 2)} (1: each property is in one number alone). The same numbers turned at random, which keeps all they tell, reach ${fixed(sap.turned, 2)} (95 % of the turns: ${fixed(sap.turned_low, 2)} to ${fixed(sap.turned_high, 2)}), so the network’s own axes are ${compared}.`;
}

/** @param {readonly number[]} counts @param {number} most */
function barsPath(counts, most) {
  return counts
    .map((count, bin) =>
      count === 0 ? "" : `M${bin} 10v${(-9.5 * count) / most}h1V10z`,
    )
    .join("");
}

/**
 * How each number correlates with each property; each cell opens the pair.
 * @param {ClassNumbers} numbers @param {number} label
 * @param {(patch: Partial<Opened>) => void} set
 */
function correlationTable(numbers, label, set) {
  const table = make("table");
  const head = table.createTHead().insertRow();
  head.append(make("td"));
  for (const property of numbers.properties)
    head.append(make("th", { scope: "col" }, nameOf(property)));
  const body = table.createTBody();
  correlations(numbers, label).forEach((row, number) => {
    const line = body.insertRow();
    line.append(make("th", { scope: "row" }, String(number + 1)));
    row.forEach((r, p) => {
      const cell = line.insertCell();
      if (Number.isNaN(r)) {
        cell.append(make("span", "is-none", "·"));
        return;
      }
      const up = numbers.numbers + p;
      const words = `Number ${number + 1} and ${nameOf(numbers.properties[p])}: r = ${fixed(r, 2)}`;
      const button = make(
        "button",
        { type: "button", "aria-label": words },
        fixed(r, 2),
      );
      button.style.background = cssColor(SCALE, r);
      button.style.color = readableOn(color(SCALE, r));
      button.dataset.pair = `${number} ${up}`;
      button.addEventListener("click", () => set({ across: number, up }));
      cell.append(button);
    });
  });
  return table;
}
