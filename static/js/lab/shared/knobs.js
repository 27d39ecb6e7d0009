/**
 * Knobs: sliders that say what they do to an image, and how they stand in a link.
 * @import { ImageShape } from "../../types.js"
 */

import { bounded, choice, group } from "../../core/schema.js";
import { plain } from "../../lib/format.js";
import { isColour } from "../../lib/pixels.js";
import { h } from "../../ui/h.js";
import { button, HIDDEN } from "../../ui/inputs.js";

/**
 * @typedef {object} Knob
 * @property {string} id its key in the slice and its name in the link
 * @property {string} title
 * @property {string} unit with the space before it, such as " px"
 * @property {string} what raising it does, in words
 * @property {number} low
 * @property {number} high
 * @property {number} step
 * @property {number} start where it changes nothing
 * @property {readonly number[]} ticks of the plot's axis
 * @property {readonly number[]} sweep values that are asked for the plot, ascending
 * @property {boolean} [isRound] whether its ends are the same
 * @property {boolean} [isOfInk] whether it changes ink, of which colour pictures have none
 * @property {string | null} measured the name of its measurement in cards; null: none
 */

/** Where every knob stands, by id. @typedef {Readonly<Record<string, number>>} Settings */

/** @param {readonly Knob[]} knobs @returns {Record<string, number>} */
export function atStart(knobs) {
  return Object.fromEntries(knobs.map(({ id, start }) => [id, start]));
}

/**
 * The knobs that can change an image.
 * @param {readonly Knob[]} knobs @param {Pick<ImageShape, "channels">} image
 */
export function knobsFor(knobs, image) {
  return knobs.filter(({ isOfInk }) => !isOfInk || !isColour(image));
}

/**
 * Values from `low` to `high`.
 * @param {number} low @param {number} high @param {number} step
 */
export function evenly(low, high, step) {
  const count = Math.round((high - low) / step) + 1;
  return Array.from({ length: count }, (_, i) => Number((low + i * step).toFixed(6)));
}

/**
 * The fields of an experiment with knobs: the one of the plot, and where all of them
 * stand, each under its own name in a link.
 * @param {readonly Knob[]} knobs
 */
export function knobFields(knobs) {
  const names = knobs.map(({ id }) => id);
  const fields = knobs.map((knob) => [knob.id, bounded({ link: knob.id, ...knob })]);
  return { knob: choice("knob", names), settings: group(Object.fromEntries(fields)) };
}

/**
 * A slider for each knob; the plot is drawn over the one that was touched last.
 * @param {readonly Knob[]} knobs @param {Settings} settings
 * @param {string} chosen id of a knob
 * @param {object} does
 * @param {(knob: Knob, value: number) => void} does.turn
 * @param {(knob: Knob) => void} [does.choose]
 */
export const sliders = (knobs, settings, chosen, { turn, choose = () => {} }) =>
  knobs.map((knob) => {
    const { id, title, what, low, high, step } = knob;
    const isChosen = id === chosen;
    const words = knobWords(knob, settings[id]);
    return h(
      "div",
      { class: `lab-knob ${isChosen ? "is-chosen" : ""}`.trim() },
      button(title, () => choose(knob), {
        class: "quiet",
        title: `Draw the plot over this knob: ${what}`,
        pressed: isChosen,
      }),
      h("input", {
        type: "range",
        min: low,
        max: high,
        step,
        value: settings[id],
        "data-knob": id,
        "aria-label": `${title}: ${what}`,
        "aria-valuetext": words,
        oninput: (/** @type {any} */ { target }) => turn(knob, target.valueAsNumber),
      }),
      h("output", HIDDEN, words),
    );
  });

/**
 * A knob's value as it was set: 7.5°, 30°, 2.75 px.
 * @param {Pick<Knob, "unit">} knob @param {number} value
 */
export const knobWords = ({ unit }, value) => plain(value) + unit;

/**
 * A knob as the axis of the plot.
 * @param {Knob} knob
 * @returns {import("./courses.js").Axis}
 */
export function axisOf({ title, unit, low, high, step, ticks }) {
  return {
    title: unit === "" ? title : `${title},${unit.startsWith(" ") ? unit : ` ${unit}`}`,
    unit,
    low,
    high,
    step,
    ticks,
  };
}
