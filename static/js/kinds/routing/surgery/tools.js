/**
 * With what routing is operated on: experiments at one click, types of capsules as switches,
 * no routing at all, and a coupling that is held.
 * @import { Content } from "../../../ui/h.js"
 * @import { Act, Part, SurgeryScene } from "./panel.js"
 */
import { ranked, reach, sum } from "../../../lib/arithmetic.js";
import { fixed, inPercent, roundedTogether } from "../../../lib/format.js";
import { h, note } from "../../../ui/h.js";
import { button, sliderOf } from "../../../ui/inputs.js";
import { capsuleInWords } from "../../capsules/places.js";
import {
  capsulesOfType,
  heldIn,
  isSameSurgery,
  MOST_PINS,
  NO_SURGERY,
  silentByType,
  strongestTypes,
  withoutPins,
  withPins,
  withSilence,
} from "./changes.js";

/** @param {string} title @param {Content} content */
const tool = (title, content) =>
  h("section", { "aria-label": title }, h("h4", {}, title), content);

/**
 * Experiments at one click, each for the image on show.
 * @param {SurgeryScene} scene @param {Part} part @param {Act} act
 */
export function presetsTool(scene, { experiments }, { operate }) {
  const { intact, classIndex, model } = scene;
  const [first, second] = ranked(intact.tensors.scores.data);
  const rival = first === classIndex ? second : first;
  const offered = experiments({
    ...scene,
    lengths: intact.tensors.lengths.data,
    rival: { classIndex: rival, name: model.class_names[rival] },
  });
  const items = offered.map(({ name, question, surgery }) => {
    const pressed = isSameSurgery(surgery, scene.surgery);
    const texts = [h("span", {}, name), h("small", {}, question)];
    const press = () => operate(pressed ? NO_SURGERY : surgery);
    return h("li", {}, button(texts, press, { pressed }));
  });
  const look = { class: "surgery-presets", "data-presets": "" };
  return tool("Experiments", h("ul", look, items));
}

/**
 * The types of capsules as switches, each with what it gives to the class in focus, and a
 * slider that silences the strongest of them.
 * @param {SurgeryScene} scene @param {Part} part @param {Act} act
 */
export function typesTool(scene, { isOnce }, { operate }) {
  const { surgery, shares, types, rows, columns, name } = scene;
  const cells = rows * columns;
  const silent = silentByType(surgery.silenced, types, cells);
  const silentTypes = silent.filter((count) => count === cells).length;
  const most = reach(shares);
  const isGiven = most > 0;
  const texts = roundedTogether(
    Array.from(shares, (share) => 100 * share),
    100 * sum(shares),
    1,
  ).map((value, type) => shareText(value, shares[type]));
  const switches = silent.map((count, type) => {
    const text = texts[type];
    const isMixed = count > 0 && count < cells;
    const note = isMixed ? `; ${count} of its ${cells} capsules are silent` : "";
    const look = {
      "aria-pressed": isMixed ? "mixed" : String(count > 0),
      "data-type": String(type),
      title: `${text}${note}`,
      onclick: () =>
        operate(
          withSilence(surgery, capsulesOfType(type, cells), isMixed || count === 0),
        ),
    };
    const width = `${(100 * Math.abs(shares[type])) / (most || 1)}%`;
    return h(
      "button",
      look,
      h("b", {}, h("span", { class: "unseen" }, "type "), String(type)),
      h("small", {}, text),
      h("i", { class: shares[type] < 0 && "is-against", "--width": width }),
    );
  });
  const group = {
    class: "surgery-types",
    role: "group",
    "data-type-toggles": "",
    "aria-label": `${isOnce ? "Capsules" : "Types of capsules"}; a pressed one is silent`,
  };
  return tool(`${isOnce ? "Capsules" : "Types"}, with what each gives to ${name}`, [
    sliderOf(
      "Silence the strongest",
      {
        min: "0",
        max: String(types),
        value: String(silentTypes),
        "data-strongest": "",
      },
      (count) =>
        operate({ ...surgery, silenced: strongestTypes(shares, count, cells) }),
      `${silentTypes} of ${types}`,
    ),
    h("div", group, switches),
    note(
      `Shares of all that lengthens ${name}${isOnce ? "" : ", after the last iteration"} of the intact run${isGiven ? `; they add up to ${inPercent(roundedSum(shares), 1)}, which is left when what shortens it is taken away` : `, of which there is nothing`}. Striped: silent.`,
    ),
  ]);
}

/** Shares of 1 as a sum in percent. @param {ArrayLike<number>} shares */
const roundedSum = (shares) => Number((100 * sum(shares)).toFixed(1));

/** A share in percent: 0 only where it is none. @param {number} value rounded @param {number} share */
function shareText(value, share) {
  if (value !== 0 || share === 0) return inPercent(value, 1);
  return share > 0 ? "<0.1\u202f%" : ">−0.1\u202f%";
}

/**
 * Whether anything is routed at all.
 * @param {SurgeryScene} scene @param {Part} part @param {Act} act
 */
export function routingTool({ surgery }, { isOnce }, { operate }) {
  const kinds = /** @type {const} */ ([
    ["agreement", isOnce ? "by attention" : "by agreement"],
    [
      "uniform",
      isOnce
        ? "none: every share is even; the prior stays"
        : "none: every c stays even",
    ],
  ]);
  const buttons = kinds.map(([routing, words]) => {
    const look = { pressed: surgery.routing === routing, "data-value": routing };
    return button(words, () => operate({ ...surgery, routing }), look);
  });
  const group = { class: "choices", role: "group", "aria-label": "Routing" };
  return tool("Routing", h("div", group, buttons));
}

/**
 * Holding a coupling: that of the chosen capsule to the class in focus.
 * @param {SurgeryScene} scene @param {Act} act
 */
export function holdTool(scene, { operate, point }) {
  const { surgery, capsule, classIndex, pointed, model } = scene;
  const pin = surgery.pins.find((pin) => pin.capsule === capsule);
  const isHeld = pin?.classIndex === classIndex;
  const isAimed = pointed?.capsule === capsule && pointed.classIndex === classIndex;
  const coupling = isHeld ? pin.coupling : isAimed ? pointed.coupling : 1;
  const hold = (/** @type {number} */ coupling) =>
    operate(withPins(surgery, [{ capsule, classIndex, coupling }]));
  const held = heldIn(surgery.pins, scene.rows * scene.columns);
  const items = held.map(({ type, capsules, classIndex: to, coupling: at }) => {
    const where = type === null ? capsuleInWords(scene, capsules[0]) : `type ${type}`;
    const words = `${where} → ${model.class_names[to]}: c = ${fixed(at, 2)}`;
    const release = () => operate(withoutPins(surgery, capsules));
    const look = { "aria-label": `Release ${words}` };
    return h("li", {}, h("span", {}, words), button("Release", release, look));
  });
  const list = {
    class: "surgery-pins",
    "data-pins": "",
    "aria-label": "Couplings that are held",
  };
  return tool("Hold one coupling", [
    sliderOf(
      h("span", {}, `${capsuleInWords(scene, capsule)} to ${scene.name}`),
      { min: "0", max: "1", step: "0.01", value: String(coupling), "data-pin": "" },
      (to) => (isHeld ? hold(to) : point({ capsule, classIndex, coupling: to })),
      fixed(coupling, 2),
    ),
    button("Hold it there", () => hold(coupling), {
      disabled: isHeld || (!pin && held.length >= MOST_PINS),
    }),
    h("ul", list, items),
  ]);
}
