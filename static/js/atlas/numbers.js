/**
 * The numbers of one class over its test images: how often each value occurs, two of them
 * against each other, real images along one of them beside the decoder's, and what
 * properties each follows.
 * @import { Model, Services } from "../types.js"
 * @import { Selection } from "../lib/selections.js"
 * @import { Atlas } from "../lib/tested.js"
 * @import { ClassNumbers } from "../lib/class-numbers.js"
 */
import {
  axisName,
  closest,
  correlations,
  endsOf,
  histogram,
  pairName,
  pairPlaces,
} from "../lib/class-numbers.js";
import { color, cssColor, diverging, readableOn } from "../lib/color.js";
import { capitalized, fixed } from "../lib/format.js";
import { nameOf } from "../lib/properties.js";
import { lassoOf } from "../lib/selections.js";
import { find, findCanvas, findElement, make, setText, svg } from "../ui/dom.js";
import { onTheme } from "../ui/stage.js";
import { mountAlong } from "./along.js";
import { createMap } from "./map.js";
import {
  endsWords,
  followWords,
  indexWords,
  pairWords,
  whoseWords,
} from "./numbers-words.js";

const BINS = 24; // of a histogram
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
  const along = mountAlong(folder, does);
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
      frame: pairName(label, across, up),
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
        String(button.dataset.cell === `${across} ${up}`),
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
        atlas.each > 1
          ? "The numbers of a class are measured where each test image shows one digit."
          : `The numbers of ${model.title} were not measured.`,
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
    showWords(now);
    showHistograms(now);
    showPair(now);
    along.show(now);
    showCorrelations(now);
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
  outlining.addEventListener("click", () => {
    const isOn = outlining.getAttribute("aria-pressed") !== "true";
    outlining.setAttribute("aria-pressed", String(isOn));
    map.setOutlining(isOn);
  });
  onTheme(map.draw);

  return {
    /** @param {Shown} next */
    show(next) {
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
      button.dataset.cell = `${number} ${up}`;
      button.addEventListener("click", () => set({ across: number, up }));
      cell.append(button);
    });
  });
  return table;
}
