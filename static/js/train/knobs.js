/**
 * The settings of a run to start: the most useful first, the rest behind a line. What the
 * server has against one of them stands beside it.
 * @import { Recipes, Setting, SettingValue } from "../types.js"
 */
import { asSentence, capitalized } from "../lib/format.js";
import { ownOf } from "../lib/own.js";
import { lead } from "../ui/controls.js";
import { fill, h } from "../ui/h.js";
import { button, field } from "../ui/inputs.js";
import { networkTitle, settingTitle, valueWords } from "./words.js";

/** Titles of the groups of the others. */
const GROUPS = { recipe: "Recipe", network: "Network", loss: "Loss" };

/** A moment of a run to start from, and that run's settings. */
/** @typedef {{ id: string, architecture: string, settings: Readonly<Record<string, SettingValue>>, words: string }} Start */

/**
 * What a field says.
 * @param {Pick<Setting, "type" | "count">} setting @param {string} text
 * @returns {unknown} as it is where it is no number: the server says what is needed
 */
export function valueIn({ type, count }, text) {
  if (type === "choice") return text;
  const read = (/** @type {string} */ part) => {
    const value = Number(part);
    return part === "" || Number.isNaN(value) ? part : value;
  };
  const trimmed = text.trim();
  return count === null ? read(trimmed) : trimmed.split(/[\s,;×x]+/).map(read);
}

/**
 * The settings that differ from the defaults, or from those of the forked run.
 * @param {readonly Setting[]} settings
 * @param {Readonly<Record<string, string>>} texts of the fields, by name
 * @param {Readonly<Record<string, SettingValue>>} base
 * @returns {Record<string, unknown>}
 */
export function changesIn(settings, texts, base) {
  const changed = settings.filter(({ name, default: usual }) => {
    const text = ownOf(texts, name);
    return text !== undefined && text.trim() !== valueWords(ownOf(base, name) ?? usual);
  });
  return Object.fromEntries(
    changed.map((setting) => [setting.name, valueIn(setting, texts[setting.name])]),
  );
}

/**
 * The settings in the order of the form: those that most readers want to turn, then the
 * others in groups.
 * @param {readonly Setting[]} settings
 * @returns {{ first: Setting[], groups: [title: string, Setting[]][] }}
 */
export function arrange(settings) {
  const rest = settings.filter(({ first }) => !first);
  const groups = Object.entries(GROUPS).map(
    /** @returns {[string, Setting[]]} */
    ([group, title]) => [title, rest.filter((field) => field.group === group)],
  );
  const first = settings.filter((setting) => setting.first);
  return { first, groups: groups.filter(([, some]) => some.length > 0) };
}

/**
 * How a setting stands in the form.
 * @param {Setting} setting @param {string} value @param {boolean} isFixed
 */
export function fieldOf(
  { name, title, type, choices, count, minimum, maximum, help },
  value,
  isFixed,
) {
  const limits = {
    min: minimum,
    max: maximum ?? undefined,
    step: type === "integer" ? "1" : "any",
  };
  return {
    id: `train-${name}`,
    value,
    isFixed,
    title: capitalized(title),
    help: `${capitalized(help)}.`,
    options:
      type === "choice" ? (choices ?? []).map((option) => [option, option]) : undefined,
    look: count === null ? { type: "number", ...limits } : { type: "text" },
  };
}

/**
 * @param {HTMLElement} form
 * @param {() => void} startFromNothing called where a hand asks for random weights
 */
export function mountKnobs(form, startFromNothing) {
  /** @type {Recipes | null} */
  let recipes = null;
  /** @type {Start | null} */
  let start = null;
  let architecture = "";
  /** Of a run from random weights, while a start decides it. */
  let architectureName = "";
  /** Of the fields, by name. @type {Record<string, string>} */
  let texts = {};
  /** Of a field, or of the whole. @type {{ name: string | null, words: string }} */
  let wrong = { name: null, words: "" };

  const settingsNow = () =>
    recipes?.architectures.find(({ name }) => name === architecture)?.settings ?? [];

  /** @param {string} name of an architecture */
  function use(name) {
    architecture = name;
    texts = Object.fromEntries(
      settingsNow().map((field) => [
        field.name,
        valueWords(start?.settings[field.name] ?? field.default),
      ]),
    );
    clear();
  }
  function clear() {
    wrong = { name: null, words: "" };
    draw();
  }
  /** @param {Start | null} next */
  function startFrom(next) {
    if (start === null) architectureName = architecture;
    start = next;
    use(next?.architecture ?? architectureName);
  }

  function draw() {
    const { first, groups } = arrange(settingsNow());
    const row = (/** @type {Setting} */ setting) => {
      const { name, group } = setting;
      const isFixed = start !== null && group === "network";
      const change = (/** @type {string} */ text) => {
        texts = { ...texts, [name]: text };
      };
      const message = wrong.name === name ? wrong.words : "";
      return field({
        ...fieldOf(setting, texts[name], isFixed),
        wrong: message,
        change,
      });
    };
    const ofAll = wrong.name === null && wrong.words;
    const all = recipes?.architectures ?? [];
    const networks = all.map(({ name }) => [name, networkTitle(name)]);
    fill(
      form,
      start &&
        h(
          "p",
          { class: "train-from", "data-from": "" },
          h("span", {}, start.words),
          " ",
          button("Start from random weights instead", startFromNothing, {
            class: "quiet",
          }),
        ),
      field({
        id: "train-architecture",
        title: "Architecture",
        value: architecture,
        options: networks,
        isFixed: start !== null,
        change: use,
      }),
      h("div", { class: "train-fields" }, first.map(row)),
      h(
        "details",
        { class: "numbers" },
        h("summary", {}, "More settings"),
        groups.map(([title, some]) =>
          h(
            "fieldset",
            { class: "train-group" },
            h("legend", {}, title),
            h("div", { class: "train-fields" }, some.map(row)),
          ),
        ),
      ),
      h("p", { class: "form-wrong", role: "alert" }, ofAll),
      h("button", { type: "submit" }, "Train with these settings"),
    );
  }

  return {
    /** @param {Recipes} next */
    show(next) {
      if (recipes !== null) return;
      recipes = next;
      use(next.default);
    },

    startFrom,
    clear,

    /** What is to be asked for. @returns {Record<string, unknown>} */
    recipe() {
      const changes = changesIn(settingsNow(), texts, start?.settings ?? {});
      return { ...(start ? { start: start.id } : { architecture }), ...changes };
    },

    /**
     * Say what is wrong, at the field if there is one.
     * @param {string} message the server's @param {string | null} name of a setting
     */
    fail(message, name) {
      const words = name ? message.replaceAll(name, settingTitle(name)) : message;
      const isField = name !== null && name in texts;
      wrong = { name: isField ? name : null, words: asSentence(words) };
      draw();
      if (isField) lead(form.querySelector(`#train-${name}`));
    },
  };
}
