/**
 * What is pressed and chosen from, as values.
 * @import { Content } from "./h.js"
 */
import { brief } from "../lib/format.js";
import { h } from "./h.js";

/** What shows where a slider stands; the slider itself says it. */
export const HIDDEN = { "aria-hidden": "true" };

/**
 * @param {Content} text @param {(event: any) => void} onclick
 * @param {{ pressed?: boolean } & Record<string, any>} [look] more attributes; `pressed`
 *   where it can be
 */
export function button(text, onclick, { pressed, ...look } = {}) {
  const state = pressed === undefined ? {} : { "aria-pressed": String(pressed) };
  return h("button", { ...state, ...look, onclick }, text);
}

/**
 * What names a button on which a long name is cut.
 * @param {string} text @returns {Record<string, string>}
 */
export const named = (text) =>
  brief(text) === text ? {} : { title: text, "aria-label": text };

/**
 * A button for each of a few, of which one is pressed.
 * @param {string} name shown before the buttons
 * @param {readonly string[]} texts @param {number | null} pressed
 * @param {(index: number) => void} choose
 * @param {Record<string, string>} [look] more attributes, such as a name of its own
 */
export const choices = (name, texts, pressed, choose, look = {}) =>
  h(
    "div",
    { class: "choices", role: "group", "aria-label": name, ...look },
    h("span", { class: "choices-name", "aria-hidden": "true" }, name),
    texts.map((text, i) =>
      h(
        "button",
        {
          "aria-pressed": String(i === pressed),
          "data-value": String(i),
          dir: "auto",
          onclick: () => choose(i),
          ...named(text),
        },
        brief(text),
      ),
    ),
  );

/**
 * A whole number from 1.
 * @param {string} name @param {number} value @param {number} most
 * @param {(value: number) => void} choose
 */
export const slider = (name, value, most, choose) =>
  sliderOf(name, { min: "1", max: most, value }, choose, `${value} of ${most}`);

/**
 * @param {Content} name @param {Record<string, string | number>} range
 * @param {(value: number) => void} choose @param {string} words where it stands
 */
export const sliderOf = (name, range, choose, words) =>
  h(
    "label",
    { class: "slider" },
    [name, " "],
    h("input", {
      type: "range",
      ...range,
      "aria-valuetext": words,
      oninput: (/** @type {any} */ { target }) => choose(Number(target.value)),
    }),
    " ",
    h("output", HIDDEN, words),
  );

/**
 * A menu, named before it.
 * @param {string} name
 * @param {readonly (readonly string[])[]} options an id and words each
 * @param {string} chosen @param {(id: string) => void} choose
 * @param {Record<string, string | boolean>} [look] more attributes, such as `disabled`
 */
export const menu = (name, options, chosen, choose, look = {}) =>
  h(
    "label",
    {},
    `${name} `,
    h(
      "select",
      {
        value: chosen,
        onchange: (/** @type {any} */ { target }) => choose(target.value),
        ...look,
      },
      options.map(([id, words]) => h("option", { value: id }, words)),
    ),
  );

/**
 * What is typed or chosen in a field of a form.
 * @typedef {object} FieldOptions
 * @property {string} id of its control
 * @property {string} title @property {string} [help] below it
 * @property {readonly (readonly string[])[]} [options] an id and words each; else it is typed
 * @property {Record<string, any>} [look] of an input: its type and limits
 * @property {string} value
 * @property {boolean} [isFixed]
 * @property {string} [wrong] what is wrong with it; "" where nothing is
 * @property {(value: string) => void} change
 */

/** @param {FieldOptions} options */
export function field({ id, title, help, options, look, value, isFixed, ...more }) {
  const { wrong = "", change } = more;
  const oninput = (/** @type {any} */ { target }) => change(target.value);
  const state = {
    id,
    value,
    oninput,
    disabled: isFixed ?? false,
    "aria-invalid": String(wrong !== ""),
    "aria-describedby": `${id}-help ${id}-wrong`,
  };
  const menu = options?.map(([value, words]) => h("option", { value }, words));
  return h(
    "div",
    { class: "form-field" },
    h("label", { for: id }, title),
    menu ? h("select", state, menu) : h("input", { ...look, ...state }),
    h("span", { class: "fine", id: `${id}-help` }, help),
    h("span", { class: "form-wrong", id: `${id}-wrong`, role: "alert" }, wrong),
  );
}
