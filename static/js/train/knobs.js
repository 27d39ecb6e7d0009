/**
 * The settings of a run to start: the most useful first, the rest behind a line. What the
 * server has against one of them stands beside it.
 * @import { Recipes, Setting, SettingValue } from "../types.js"
 */
import { asSentence, capitalized } from "../lib/format.js";
import { find, findElement, make, setText, unfold } from "../ui/dom.js";
import { networkTitle, settingTitle, valueWords } from "./words.js";

/** What most readers want to turn, in this order, as far as an architecture has it. */
const FIRST = [
  ...["routing_iterations", "learning_rate", "class_loss"],
  ...["reconstruction_weight", "examples"],
  ...["epochs", "shift", "conv1_kernels", "primary_types", "seed"],
];

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
 * What is to be asked for: what is otherwise than usual, or than in the run to fork.
 * @param {readonly Setting[]} settings
 * @param {Readonly<Record<string, string>>} texts of the fields, by name
 * @param {Readonly<Record<string, SettingValue>>} base
 * @returns {Record<string, unknown>}
 */
export function changesIn(settings, texts, base) {
  const changed = settings.filter(({ name, default: usual }) => {
    const text = texts[name];
    return text !== undefined && text.trim() !== valueWords(base[name] ?? usual);
  });
  return Object.fromEntries(
    changed.map((setting) => [setting.name, valueIn(setting, texts[setting.name])]),
  );
}

/**
 * The settings in the order of the form.
 * @param {readonly Setting[]} settings
 * @returns {{ first: Setting[], groups: [title: string, Setting[]][] }}
 */
export function arranged(settings) {
  const first = FIRST.flatMap((name) =>
    settings.filter((setting) => setting.name === name),
  );
  const rest = settings.filter((setting) => !first.includes(setting));
  const groups = Object.entries(GROUPS).map(
    /** @returns {[string, Setting[]]} */
    ([group, title]) => [title, rest.filter((each) => each.group === group)],
  );
  return { first, groups: groups.filter(([, some]) => some.length > 0) };
}

/** @param {HTMLElement} root a form */
export function mountKnobs(root) {
  const kinds = find(root, "[data-architecture]", HTMLSelectElement);
  const places = { first: findElement(root, "[data-first]") };
  const more = findElement(root, "[data-more-settings]");
  const from = findElement(root, "[data-from]");
  const problem = findElement(root, "[data-problem]");
  /** @type {Recipes | null} */
  let recipes = null;
  /** @type {Start | null} */
  let start = null;
  /** @type {Map<string, ReturnType<typeof createField>>} */
  let fields = new Map();

  const settingsNow = () =>
    recipes?.architectures.find(({ name }) => name === kinds.value)?.settings ?? [];

  function build() {
    const { first, groups } = arranged(settingsNow());
    fields = new Map();
    const made = (/** @type {Setting} */ setting) => {
      const isFixed = start !== null && setting.group === "network";
      const value = start?.settings[setting.name] ?? setting.default;
      const field = createField(setting, valueWords(value), isFixed);
      fields.set(setting.name, field);
      return field.element;
    };
    places.first.replaceChildren(...first.map(made));
    more.replaceChildren(
      ...groups.map(([title, some]) =>
        make(
          "fieldset",
          "train-group",
          make("legend", "", title),
          make("div", "train-fields", ...some.map(made)),
        ),
      ),
    );
    kinds.disabled = start !== null;
    from.hidden = start === null;
    setText(findElement(from, "[data-from-words]"), start?.words ?? "");
    clear();
  }
  function clear() {
    problem.hidden = true;
    for (const field of fields.values()) field.fail("");
  }
  /** @param {Start | null} next */
  function startFrom(next) {
    start = next;
    if (next !== null) kinds.value = next.architecture;
    build();
  }
  kinds.addEventListener("change", build);
  findElement(from, "[data-from-nothing]").addEventListener("click", () =>
    startFrom(null),
  );

  return {
    /** @param {Recipes} next */
    show(next) {
      if (recipes !== null) return;
      recipes = next;
      kinds.replaceChildren(
        ...next.architectures.map(({ name }) => new Option(networkTitle(name), name)),
      );
      kinds.value = next.default;
      build();
    },

    startFrom,
    clear,

    /** What is to be asked for. @returns {Record<string, unknown>} */
    recipe() {
      const texts = Object.fromEntries(
        [...fields].map(([name, { text }]) => [name, text()]),
      );
      const changes = changesIn(settingsNow(), texts, start?.settings ?? {});
      if (start !== null) return { start: start.id, ...changes };
      return { architecture: kinds.value, ...changes };
    },

    /**
     * Say what is wrong, at the field if there is one.
     * @param {string} message the server's @param {string | null} name of a setting
     */
    fail(message, name) {
      clear();
      const field = fields.get(name ?? "");
      const words = asSentence(
        name ? message.replaceAll(name, settingTitle(name)) : message,
      );
      field?.fail(words);
      problem.hidden = field !== undefined;
      setText(problem, words);
    },
  };
}

/** @param {Setting} setting @param {string} value @param {boolean} isFixed */
function createField(setting, value, isFixed) {
  const { name, type, choices, minimum, maximum, count, help } = setting;
  const id = `train-${name}`;
  const control =
    type === "choice"
      ? make("select", { id })
      : make("input", { id, type: count === null ? "number" : "text" });
  if (control instanceof HTMLSelectElement)
    control.append(...(choices ?? []).map((choice) => new Option(choice, choice)));
  else if (count === null) {
    if (minimum !== null) control.min = String(minimum);
    if (maximum !== null) control.max = String(maximum);
    control.step = type === "integer" ? "1" : "any";
  }
  control.value = value;
  control.disabled = isFixed;
  const wrong = make("span", {
    class: "train-wrong",
    id: `${id}-wrong`,
    role: "alert",
  });
  const label = make("label", { for: id }, capitalized(settingTitle(name)));
  const words = make(
    "span",
    { class: "fine", id: `${id}-help` },
    `${capitalized(help)}.`,
  );
  control.setAttribute("aria-describedby", `${id}-help ${id}-wrong`);
  return {
    element: make("div", "train-field", label, control, words, wrong),
    text: () => control.value,

    /** @param {string} message "": nothing is wrong */
    fail(message) {
      setText(wrong, message);
      control.setAttribute("aria-invalid", String(message !== ""));
      if (message === "") return;
      unfold(control);
      control.focus();
    },
  };
}
