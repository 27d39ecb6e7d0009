/**
 * Which test images of an atlas are selected: as text in a link, as a list of their
 * numbers, and as one sentence.
 * @import { Atlas } from "./tested.js"
 */
import { counted, fixed, grouped, listed, percent } from "./format.js";
import {
  isInCell,
  isMisread,
  isSameClasses,
  labelsOf,
  readingsOf,
  rightOf,
} from "./tested.js";

/** How many images are selected by rank, such as the least sure. */
export const RANKED = 100;

/**
 * @typedef {{ kind: "all" | "misread" | "alone" | "unsure" | "unlike" }
 *   | { kind: "label", classes: readonly number[] }
 *   | { kind: "read", class: number }
 *   | { kind: "cell", label: number, read: number }
 *   | { kind: "differ", from: string }
 *   | { kind: "right", count: number }} Selection classes: ascending
 */

/** @type {Selection} */
export const ALL = { kind: "all" };

const PLAIN = /** @type {const} */ (["all", "misread", "alone", "unsure", "unlike"]);

/** @param {Selection} selection @returns {string} "" for all */
export function packSelection(selection) {
  const { kind } = selection;
  if (kind === "all") return "";
  if (kind === "label") return `label/${selection.classes.join(".")}`;
  if (kind === "read") return `read/${selection.class}`;
  if (kind === "differ") return `differ/${encodeURIComponent(selection.from)}`;
  if (kind === "cell") return `cell/${selection.label}/${selection.read}`;
  if (kind === "right") return `right/${selection.count}`;
  return kind;
}

/** @param {string} text @returns {Selection | null} null for what is none */
export function unpackSelection(text) {
  const plain = PLAIN.find((kind) => kind === (text || "all"));
  if (plain !== undefined) return { kind: plain };
  const [kind, first = "", ...rest] = text.split("/");
  if (kind === "cell") return unpackCell(first, rest);
  if (rest.join("") !== "" || rest.length > 1) return null;
  if (kind === "differ" && first !== "") return { kind, from: decoded(first) };
  if (kind === "label") return unpackLabels(first.split("."));
  if (!isWhole(first)) return null;
  if (kind === "read") return { kind, class: Number(first) };
  return kind === "right" ? { kind, count: Number(first) } : null;
}

/** @param {string} label @param {readonly string[]} rest @returns {Selection | null} */
function unpackCell(label, rest) {
  const [read = ""] = rest;
  return rest.length === 1 && isWhole(label) && isWhole(read)
    ? { kind: "cell", label: Number(label), read: Number(read) }
    : null;
}

/** @param {readonly string[]} texts @returns {Selection | null} */
function unpackLabels(texts) {
  const classes = [...new Set(texts.map(Number))].sort((a, b) => a - b);
  return texts.every(isWhole) ? { kind: "label", classes } : null;
}

/**
 * One label more or less in what is selected.
 * @param {Selection} selection @param {number} label
 * @returns {Selection}
 */
export function withLabel(selection, label) {
  const before = selection.kind === "label" ? selection.classes : [];
  const classes = before.includes(label)
    ? before.filter((other) => other !== label)
    : [...before, label].sort((a, b) => a - b);
  return classes.length === 0 ? ALL : { kind: "label", classes };
}

/** @param {string} text */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const isWhole = (/** @type {string} */ text) => /^\d{1,4}$/.test(text);

/**
 * Whether an atlas can be asked for a selection.
 * @param {Atlas} atlas @param {Selection} selection
 */
export function isKnown(atlas, selection) {
  const { kind } = selection;
  const isClass = (/** @type {number} */ index) => index < atlas.names.length;
  if (kind === "alone") return atlas.others.length > 0;
  if (kind === "differ") return otherIn(atlas, selection.from) !== undefined;
  if (kind === "unlike") return atlas.errors !== null;
  if (kind === "cell") return isClass(selection.label) && isClass(selection.read);
  if (kind === "label") return selection.classes.every(isClass);
  if (kind === "read") return isClass(selection.class);
  if (kind === "right") return atlas.perImage > 1 && selection.count <= atlas.perImage;
  return true;
}

/** @param {Atlas} atlas @param {string} wanted its id */
const otherIn = ({ others, moments }, wanted) =>
  [...others, ...moments].find(({ id }) => id === wanted);

/**
 * The numbers of the images selected: by rank where they are ranked, else ascending.
 * @param {Atlas} atlas @param {Selection} selection one that is known
 * @returns {number[]}
 */
export function selected(atlas, selection) {
  const { best, errors, others, perImage } = atlas;
  const { kind } = selection;
  const every = Array.from({ length: atlas.count }, (_, i) => i);
  switch (kind) {
    case "all":
      return every;
    case "misread":
      return every.filter((i) => isMisread(atlas, i));
    case "alone":
      return every.filter(
        (i) => isMisread(atlas, i) && others.every(({ misread }) => !misread.has(i)),
      );
    case "unsure":
      return every.sort((i, j) => best[i] - best[j] || i - j).slice(0, RANKED);
    case "unlike":
      return every
        .sort((i, j) => (errors?.[j] ?? 0) - (errors?.[i] ?? 0) || i - j)
        .slice(0, RANKED);
    case "differ": {
      const other = otherIn(atlas, selection.from);
      return every.filter(
        (i) =>
          !isSameClasses(
            readingsOf(atlas, i),
            other?.misread.get(i) ?? labelsOf(atlas, i),
          ),
      );
    }
    case "label":
      return every.filter((i) => {
        const labels = labelsOf(atlas, i);
        const isShown = (/** @type {number} */ label) => labels.includes(label);
        return perImage === 1
          ? selection.classes.some(isShown)
          : selection.classes.every(isShown);
      });
    case "read":
      return every.filter((i) => readingsOf(atlas, i).includes(selection.class));
    case "cell": {
      const { label, read } = selection;
      return every.filter((i) => isInCell(atlas, i, label, read));
    }
    case "right":
      return every.filter((i) => rightOf(atlas, i) === selection.count);
  }
}

/**
 * What is selected, in one sentence.
 * @param {Atlas} atlas @param {Selection} selection @param {readonly number[]} images
 */
export function selectionWords(atlas, selection, images) {
  const { names, title, measure, others, best, errors, perImage } = atlas;
  const { kind } = selection;
  const wrong = images.filter((i) => isMisread(atlas, i)).length;
  const all = `${atlas.count < atlas.total ? "first " : ""}${grouped(atlas.count)}`;
  const ofAll = atlas.count < atlas.total ? `the ${all}` : all;
  const count = images.length;
  const some = count === 0 ? "None" : grouped(count);
  /** @param {string} singular @param {string} plural */
  const subject = (singular, plural) =>
    `${some} of the ${all} test images ${count === 1 ? singular : plural}`;
  const ofThem = misreadOfThem(count, wrong);
  switch (kind) {
    case "all":
      return `${title} misreads ${grouped(wrong)} of the ${all} test images, ${percent(wrong / Math.max(1, count))}${perImage > 1 ? halvesWords(atlas, images) : ""}.`;
    case "misread":
      return `${subject("is", "are")} misread by ${title}.`;
    case "alone":
      return `${subject("is", "are")} misread by ${title} and read correctly by ${listed(others.map((other) => other.title))}.`;
    case "unsure": {
      const most = Math.max(...images.map((i) => best[i]));
      return `These are the ${counted(count, "test image")} of ${ofAll} whose ${measure} is lowest, at most ${fixed(Math.ceil(most * 1000) / 1000)}${ofThem}.`;
    }
    case "unlike": {
      const least = Math.min(...images.map((i) => errors?.[i] ?? 0));
      return `These are the ${counted(count, "test image")} of ${ofAll} least like their reconstruction: the mean squared error is at least ${fixed(Math.floor(least * 10_000) / 10_000, 4)}${ofThem}.`;
    }
    case "differ": {
      const other = otherIn(atlas, selection.from);
      return `${subject("is", "are")} read differently by ${title} and ${other?.title}${rightAbout(title, count, count - wrong)}.`;
    }
    case "label":
      return `${subject("has", "have")} the ${labelWords(atlas, selection.classes)}${ofThem}.`;
    case "read":
      return `${subject("is", "are")} read as ${perImage > 1 ? "two classes of which one is " : ""}${names[selection.class]}${ofThem}.`;
    case "cell": {
      const has = subject("has the label", "have the label");
      return `${has} ${cellWords(atlas, selection, count, ofThem)}.`;
    }
    case "right":
      return `${subject("is", "are")} read by ${title} with ${RIGHT[selection.count]} right.`;
  }
}

/** Of what is read differently. @param {string} title @param {number} count @param {number} right */
function rightAbout(title, count, right) {
  if (count === 0) return "";
  const some = right === count ? "all" : right === 0 ? "none" : grouped(right);
  return `; ${title} is right about ${some} of them`;
}

/**
 * A cell of the confusion matrix, after the words that these images have the label.
 * @param {Atlas} atlas @param {{ label: number, read: number }} cell
 * @param {number} count @param {string} ofThem how many of them are misread
 */
function cellWords({ names, perImage }, { label, read }, count, ofThem) {
  const [name, answer] = [names[label], names[read]];
  const [are, their] = count === 1 ? ["is", "its"] : ["are", "their"];
  if (perImage === 1) return `${name} and ${are} read as ${answer}`;
  return label === read
    ? `${name}, and it is among the two classes read${ofThem}`
    : `${name}, which is not read, and ${are} read as ${answer}, which is not ${their} label`;
}

/** How many of an image's digits are read. */
const RIGHT = ["neither digit", "one of the two digits", "both digits"];

/** @param {Atlas} atlas @param {readonly number[]} images */
function halvesWords(atlas, images) {
  const [none, half] = [0, 1].map(
    (right) => images.filter((i) => rightOf(atlas, i) === right).length,
  );
  return `: it reads one of the two digits right in ${grouped(half)} of them, and neither in ${grouped(none)}`;
}

/** @param {Atlas} atlas @param {readonly number[]} classes */
function labelWords({ names, perImage }, classes) {
  const words = classes.map((label) => names[label]);
  if (perImage === 1 || classes.length === 1) return `label ${listed(words, "or")}`;
  return `labels ${listed(words)}`;
}

/** @param {number} count selected @param {number} wrong of these */
function misreadOfThem(count, wrong) {
  if (count === 0) return "";
  if (count === 1) return wrong === 1 ? "; it is misread" : "; it is read correctly";
  if (wrong === 0) return "; none of them is misread";
  if (wrong === count) return "; all of them are misread";
  return `; ${grouped(wrong)} of them ${wrong === 1 ? "is" : "are"} misread`;
}
