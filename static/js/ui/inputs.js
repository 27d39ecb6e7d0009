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
      ...{ type: "range", min: "1", max: String(most), value: String(value) },
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
