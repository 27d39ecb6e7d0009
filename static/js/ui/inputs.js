/**
 * What is pressed and chosen from, as values.
 * @import { Content } from "./h.js"
 */
import { h } from "./h.js";

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
        },
        text,
      ),
    ),
  );

/**
 * A whole number from 1.
 * @param {string} name @param {number} value @param {number} most
 * @param {(value: number) => void} choose
 */
export const slider = (name, value, most, choose) =>
  h(
    "label",
    { class: "slider" },
    `${name} `,
    h("input", {
      type: "range",
      min: "1",
      max: String(most),
      value: String(value),
      oninput: (/** @type {any} */ { target }) => choose(Number(target.value)),
    }),
    " ",
    h("output", {}, `${value} of ${most}`),
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
