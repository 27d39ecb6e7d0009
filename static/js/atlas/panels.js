/**
 * The panels of the Atlas: the map, what selects, the pictures, labels and readings.
 * @import { Content } from "../ui/h.js"
 * @import { Panel } from "../ui/panel.js"
 * @import { Selection } from "../lib/selections.js"
 * @import { Act } from "./actions.js"
 * @import { Scene } from "./scene.js"
 */
import { scoreText } from "../core/scores.js";
import { madeFrom } from "../core/state.js";
import { picture } from "../draw/picture.js";
import { fixed, grouped, listed } from "../lib/format.js";
import { memoizeByObject } from "../lib/memoize.js";
import {
  ALL,
  isKnown,
  packSelection,
  selectionWords,
  unpackSelection,
} from "../lib/selections.js";
import {
  confusion,
  groupName,
  isMisread,
  labelsOf,
  readingsOf,
  VIEWS,
} from "../lib/tested.js";
import { h } from "../ui/h.js";
import { button, menu } from "../ui/inputs.js";
import { fold, valuesTable } from "../ui/values.js";
import { colorOf, outlineOf, scatter } from "./map.js";
import { pairCounts } from "./pairs.js";
import { SCORES_MAP } from "./places.js";
import * as words from "./words.js";

const FEW = 12; // classes, up to which their names head the columns of a matrix level

/** @typedef {Panel<Scene, Scene, Act>} AtlasPanel */

/** @type {AtlasPanel} */
const map = {
  id: "map",
  title: "Map",
  line: words.mapLine,
  picture(scene, act) {
    const { maps, atlas, labels } = scene;
    const options = [
      ...maps.map(([id, entry]) => [id, words.mapName(entry)]),
      [SCORES_MAP, "the scores, between the classes"],
    ];
    return [
      scatter({
        label: "Map of the test images",
        content: scene.shown,
        does: {
          choose: act.choose,
          open: () => act.open(scene.point),
          caption: (image) =>
            pinnedAt(scene, image)?.sample.title ?? captionOf(atlas, image),
          pictures: (images) => canvases(picturesOf(scene, images)),
        },
        before: menu("Map of", options, scene.map, (id) => act.set({ map: id })),
      }),
      h(
        "p",
        { class: "atlas-legend fine" },
        atlas.names.map((name, label) => {
          const mark = { "--label": colorOf(label), "--mark": outlineOf(label) };
          const content = [h("i", mark), name];
          const look = { pressed: labels.includes(label), title: `Label ${name}` };
          return button(content, () => act.selectLabel(label), look);
        }),
        h("span", { class: "nowrap" }, h("i", { class: "is-ring" }), "misread"),
      ),
      fold("How to read and move the map", () => [
        h("p", {}, words.mapWords(scene)),
        h("p", { class: "for-mouse" }, words.KEYS),
        h("p", { class: "for-touch" }, words.FINGERS),
      ]),
    ];
  },
};

/** The sample digit in place of a test image. @param {Scene} scene @param {number} image */
const pinnedAt = ({ pinned }, image) => pinned.find(({ index }) => index === image);

/** @param {Scene} scene @param {readonly number[]} images */
const picturesOf = (scene, images) =>
  scene.missing === ""
    ? scene.pictures(images)
    : images.map((image) => pinnedAt(scene, image) ?? null);

/** @param {ReturnType<Scene["pictures"]>} pictures */
const canvases = (pictures) => pictures.map((drawn) => drawn?.canvas ?? null);

/** A line of controls. @param {readonly Content[]} content @param {string} [name] of the group */
const tools = (content, name) =>
  h("div", { class: "tools", role: name && "group", "aria-label": name }, content);

/** @type {AtlasPanel} */
const select = {
  id: "select",
  title: "Select",
  picture(scene, act) {
    const { atlas, selection, images } = scene;
    const sentence = { class: "atlas-sentence", role: "status", "data-sentence": "" };
    return [
      presets(scene, act),
      differingTools(scene, act),
      h("p", sentence, selectionWords(atlas, selection, images)),
    ];
  },
};

const unpack = (/** @type {string} */ text) => unpackSelection(text) ?? ALL;

/** What is selected, as links say it. */
const PRESETS = [
  ["all", "All"],
  ["misread", "Misread"],
  ["right/2", "Both right"],
  ["right/1", "One of two right"],
  ["right/0", "None right"],
  ["alone", "Misread by this network alone"],
  ["unsure", "Least sure"],
  ["unlike", "Least like their reconstruction"],
];

/** @param {Scene} scene @param {Act} act */
function presets({ atlas, selection }, act) {
  const now = packSelection(selection) || "all";
  const presets = PRESETS.filter(
    ([text]) => atlas.perImage > 1 || !text.startsWith("right/"),
  );
  const buttons = presets.map(([text, name]) => {
    const why = isKnown(atlas, unpack(text)) ? "" : words.WHY_NOT[text];
    const look = { pressed: text === now, disabled: why !== "", title: why || null };
    return button(name, () => act.select(unpack(text)), look);
  });
  return tools(buttons, "Which test images");
}

/** Those that another network, or moment, reads differently. @param {Scene} scene @param {Act} act */
function differingTools({ atlas, selection, moments }, act) {
  const from = selection.kind === "differ" ? selection.from : "";
  const others = [
    ...atlas.others.map(({ id, title }) => [id, title]),
    ...moments.map(({ id, step }) => [id, `itself after step ${grouped(step)}`]),
  ];
  const choose = (/** @type {string} */ id) =>
    act.select(id === "" ? ALL : { kind: "differ", from: id });
  const isAlone = { disabled: others.length === 0 };
  const look = { disabled: from === "", title: words.TURN };
  return tools([
    menu("Read differently by", [["", "…"], ...others], from, choose, isAlone),
    button("Show them there", () => act.turnTo(from), look),
  ]);
}

/**
 * A button with a test image, that chooses it.
 * @param {Scene} scene @param {Act} act @param {number} index @param {string} caption
 * @param {boolean} [isChosen]
 */
function imageButton(scene, act, index, caption, isChosen) {
  const { atlas, missing, pictures } = scene;
  const look = {
    class: isMisread(atlas, index) && "is-misread",
    pressed: isChosen,
    title: words.pointWords(atlas, index),
    "data-index": String(index),
    ondblclick: () => act.open(index),
  };
  const isBare = missing !== "";
  const content = [
    !isBare && picture(pictures([index])[0]?.pixels ?? null),
    h("span", {}, isBare ? caption || String(index) : caption),
  ];
  return button(content, () => act.choose(index), look);
}

/** @type {AtlasPanel} */
const wall = {
  id: "wall",
  title: "Images",
  picture(scene, act) {
    const { atlas, point, images, some, missing } = scene;
    if (missing !== "") return samplesOn(scene, act);
    const isMore = some.length < images.length;
    const count = `The first ${grouped(some.length)} of ${grouped(images.length)}.`;
    return [
      chosenImage(scene, act),
      isMore && h("p", { "data-wall-words": "" }, count),
      h(
        "div",
        { class: "atlas-wall" },
        some.map((index) =>
          imageButton(scene, act, index, captionOf(atlas, index), index === point),
        ),
        isMore && button("Show more", act.more),
      ),
      imagesTable(scene),
    ];
  },
};

/**
 * What there is where test images have no pictures: sample digits, as they stand on the map.
 * @param {Scene} scene @param {Act} act
 */
function samplesOn(scene, act) {
  const { pinned, point, missing, atlas } = scene;
  const pinnedWords =
    "Sample digits, each on the map beside the test image most like it. Choose one:";
  return [
    pinned.length > 0 && h("p", { class: "fine" }, pinnedWords),
    h(
      "div",
      { class: "atlas-wall" },
      pinned.map((pin) =>
        button(
          [picture(pin.pixels), h("span", {}, String(pin.sample.label))],
          () => act.tryDigit(pin),
          {
            title: pin.sample.title,
            pressed: pin.index === point,
            "data-sample": pin.sample.id,
          },
        ),
      ),
    ),
    h(
      "p",
      { "data-wall-words": "" },
      `${missing} `,
      madeFrom(scene.model) === "mnist" &&
        button("Get MNIST in Train", act.goToTrain, { class: "quiet" }),
    ),
    point !== null &&
      h("p", { role: "status", "data-point": "" }, words.pointWords(atlas, point)),
    imagesTable(scene),
  ];
}

/** The test image chosen, and where it can be opened. @param {Scene} scene @param {Act} act */
function chosenImage({ atlas, point, missing, pictures }, act) {
  const thumbnail = point === null || missing !== "" ? null : pictures([point])[0];
  const isToy = atlas.views !== null;
  const sentence = point === null ? words.CHOOSE : words.pointWords(atlas, point);
  const openers = [
    button("Open in Explore", () => act.open(point)),
    isToy && button("on the turntable", act.openToy),
    button("in the Lab", () => act.open(point, "lab")),
    button("beside your image", () => act.open(point, "compare")),
  ];
  const isOpen = point !== null && missing === "";
  return h(
    "div",
    { class: "atlas-point" },
    thumbnail && picture(thumbnail.pixels, { "aria-hidden": "true" }),
    h(
      "div",
      {},
      h("p", { role: "status", "data-point": "" }, sentence),
      isOpen && tools(openers, "Open this test image"),
      isOpen && isToy && h("p", { class: "fine" }, words.TURNTABLE),
    ),
  );
}

/** @param {Scene["atlas"]} atlas @param {number} index */
function captionOf(atlas, index) {
  const label = groupName(atlas, labelsOf(atlas, index));
  if (!isMisread(atlas, index)) return label;
  const reading = groupName(atlas, readingsOf(atlas, index));
  if (atlas.perImage === 1) return `${label} → ${reading}`;
  return `${label} →\u00a0${reading.replaceAll(" ", "\u00a0")}`; // a line for each pair
}

/** @type {AtlasPanel} */
const near = {
  id: "near",
  title: "Nearest to your image",
  line: words.nearLine,
  picture: (scene, act) => [
    h(
      "div",
      { class: "atlas-nearest", "data-nearest": "" },
      scene.nearest.map(({ index, labels, distance }) => {
        const caption = `${groupName(scene.atlas, labels)}: ${fixed(distance, 2)}`;
        return imageButton(scene, act, index, caption);
      }),
    ),
    fold("How they were found", () => h("p", {}, words.nearWords(scene))),
  ],
};

/** @type {AtlasPanel} */
const matrix = {
  id: "matrix",
  title: "Labels (rows) and readings (columns)",
  picture: (scene, act) => [
    scene.atlas.perImage > 1 && h("p", { class: "fine" }, words.CELLS_OF_PAIRS),
    h(
      "div",
      { class: `atlas-confusion ${scene.atlas.names.length > FEW ? "is-many" : ""}` },
      confusionTable(scene, act),
    ),
    matrixKey(countsOf(scene.atlas)),
    scene.atlas.perImage > 1 && [
      h("h3", {}, "Pairs of digits"),
      h("p", { class: "fine" }, words.PAIRS),
      h("div", { class: "atlas-confusion" }, pairsTable(scene, act)),
    ],
  ],
};

/** Makes buttons that select. @param {Scene} scene @param {Act} act */
function selectButtons({ selection }, act) {
  const now = JSON.stringify(selection);
  /** @param {Selection} choice @param {string} text @param {string} label @param {number} [share] in percent */
  return (choice, text, label, share = 0) => {
    const look = { "aria-label": label, title: label, "--share": `${share}%` };
    const pressed = JSON.stringify(choice) === now;
    return button(text, () => act.select(choice), { pressed, ...look });
  };
}

const NONE = h("span", { class: "is-none" }, "·");

const itself = (/** @type {Scene["atlas"]} */ atlas) => atlas;
const countsOf = memoizeByObject(itself, confusion);
const pairsIn = memoizeByObject(itself, pairCounts);

/**
 * How dark cells are, in percent of the accent: from a lone image to the largest count. Of
 * the few misread every one is to be seen, so these have a scale of their own.
 */
const SHADES = /** @type {const} */ ({ right: [0, 35], wrong: [15, 50] });

/** The largest counts: of images read right, and of those misread. @param {number[][]} counts */
function largestIn(counts) {
  const right = counts.map((row, label) => row[label]);
  const wrong = counts.flatMap((row, label) => row.filter((_, read) => read !== label));
  return { right: Math.max(1, ...right), wrong: Math.max(1, ...wrong) };
}

/** How often each label is read as each class. @param {Scene} scene @param {Act} act */
function confusionTable(scene, act) {
  const { names, perImage } = scene.atlas;
  const counts = countsOf(scene.atlas);
  const most = largestIn(counts);
  const chooser = selectButtons(scene, act);
  const cell = (/** @type {number} */ label, /** @type {number} */ read) => {
    const count = counts[label][read];
    if (count === 0) return NONE;
    const scale = label === read ? "right" : "wrong";
    const [first, last] = SHADES[scale];
    const share = first + ((last - first) * count) / most[scale];
    const description = words.cellWords(perImage, names[label], names[read], count);
    return chooser({ kind: "cell", label, read }, grouped(count), description, share);
  };
  return valuesTable({
    look: "",
    of: "",
    names: names.map((name, label) => {
      const choice = /** @type {const} */ ({ kind: "label", classes: [label] });
      return chooser(choice, name, `Everything with the label ${name}`);
    }),
    columns: names.map((name, read) => [
      chooser({ kind: "read", class: read }, name, `Everything read as ${name}`),
      names.map((_, label) => cell(label, read)),
    ]),
  });
}

/** What the shades of the matrix mean. @param {number[][]} counts */
function matrixKey(counts) {
  const most = largestIn(counts);
  const scale = (
    /** @type {keyof typeof SHADES} */ name,
    /** @type {string} */ text,
  ) => {
    const [from, to] = SHADES[name].map((share) => `${share}%`);
    const ramp = h("i", { "aria-hidden": "true", "--from": from, "--to": to });
    const end = ` to ${grouped(most[name])}${name === "right" ? ";" : ""}`;
    return h("span", { class: "nowrap" }, `${text} 1 `, ramp, end);
  };
  return h(
    "p",
    { class: "atlas-shades fine" },
    scale("right", "On the diagonal, read right:"),
    scale("wrong", "elsewhere, misread:"),
  );
}

/** How many images of each pair of labels are misread. @param {Scene} scene @param {Act} act */
function pairsTable(scene, act) {
  const { names } = scene.atlas;
  const counts = pairsIn(scene.atlas);
  const shareOf = ({ wrong = 0, count = 0 }) => wrong / Math.max(1, count);
  const most = Math.max(...counts.flat().map(shareOf)) || 1;
  const chooser = selectButtons(scene, act);
  return valuesTable({
    look: "",
    of: "",
    names: names.slice(1),
    columns: names.slice(0, -1).map((name, low) => [
      name,
      names.slice(1).map((other, row) => {
        const high = row + 1;
        if (high <= low) return "";
        const { wrong, count } = counts[low][high];
        const label = `Labels ${name} and ${other}: ${wrong} of ${count} misread`;
        const share = (50 * shareOf({ wrong, count })) / most;
        const choice = /** @type {const} */ ({ kind: "label", classes: [low, high] });
        return chooser(choice, String(wrong), label, share);
      }),
    ]),
  });
}

/**
 * The test images on the wall, for those who hear the page.
 * @param {Scene} scene
 */
function imagesTable({ atlas, some, places }) {
  return h(
    "div",
    { class: "unseen" },
    valuesTable({
      caption: "The test images selected",
      of: "test image",
      names: some.map(String),
      columns: columnsOf(atlas, places).map(([name, cell]) => [name, some.map(cell)]),
    }),
  );
}

/** @typedef {readonly [name: string, cell: (image: number) => string]} Column */

/**
 * What is told of each image.
 * @param {Scene["atlas"]} atlas @param {ArrayLike<number>} places on the map
 * @returns {Column[]}
 */
function columnsOf(atlas, places) {
  const { perImage, names, best, errors, measure, kind, views } = atlas;
  const named = (/** @type {number[]} */ classes) =>
    listed(classes.map((index) => names[index]));
  /** @type {Column[]} */
  const columns = [
    [perImage > 1 ? "labels" : "label", (i) => named(labelsOf(atlas, i))],
    ["read as", (i) => named(readingsOf(atlas, i))],
    [measure, (i) => scoreText(best[i], kind)],
  ];
  if (errors) columns.push(["error of reconstruction", (i) => fixed(errors[i], 4)]);
  for (const [k, name] of views ? VIEWS.entries() : [])
    columns.push([name, (i) => String(views?.[VIEWS.length * i + k])]);
  return [
    ...columns,
    ["across on the map", (i) => fixed(places[2 * i], 2)],
    ["up", (i) => fixed(places[2 * i + 1], 2)],
  ];
}

export const panels = [map, select, wall, near, matrix];
