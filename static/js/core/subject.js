/**
 * What the images of a network show: words for an empty canvas, and for what the intake
 * found on it. The intake itself knows digits only.
 * @import { Model } from "../types.js"
 */
import { capitalized } from "../lib/format.js";
import { trainedOn } from "./state.js";

/**
 * @typedef {object} Subject
 * @property {string} one what an image shows
 * @property {string} draw what to do on an empty canvas
 * @property {string} start the same, as the beginning of a sentence on other ways in
 */

/** @type {Subject} */
const DIGIT = {
  one: "digit",
  draw: "Draw a digit here",
  start: "Draw a digit on the black square",
};

/** @param {string} one @returns {Subject} */
const drawn = (one) => ({
  one,
  draw: `Draw a ${one} here`,
  start: `Draw a ${one} on the black square`,
});

/** By the data set that a network was trained on. @type {Readonly<Record<string, Subject>>} */
const SUBJECTS = {
  mnist: DIGIT,
  drawn: DIGIT,
  overlapping: {
    one: "digit",
    draw: "Draw a digit here, or two",
    start: "Draw a digit, or two on top of each other, on the black square",
  },
  "fashion-mnist": drawn("garment"),
  kmnist: drawn("character"),
  symbols: drawn("symbol"),
  toys: {
    one: "shape",
    draw: "Draw the shape of a toy here",
    start: "Choose one of the toys, draw the shape of one on the black square",
  },
  cifar10: {
    one: "shape",
    draw: "Draw here, or upload a picture",
    start: "Upload a picture, draw one",
  },
};

/** @type {Subject} */
const ANY = { one: "shape", draw: "Draw here", start: "Draw on the black square" };

/** @param {Pick<Model, "card">} model */
export function subjectOf(model) {
  return SUBJECTS[trainedOn(model)] ?? ANY;
}

/**
 * What the intake says of a picture, said of what a network's images show.
 * @param {string} text @param {Pick<Model, "card">} model
 */
export function saidOf(text, model) {
  const { one } = subjectOf(model);
  return text
    .replace(/\bdigit(s?)\b/g, `${one}$1`)
    .replace(/\bDigit(s?)\b/g, `${capitalized(one)}$1`);
}
