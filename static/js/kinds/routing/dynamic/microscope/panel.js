/**
 * One capsule under the microscope: its place among those of its type, its numbers with
 * every class and in every iteration, the five steps of an iteration worked out with them,
 * and, folded in, its vote.
 * @import { Content } from "../../../../ui/h.js"
 * @import { Panel } from "../../../../ui/panel.js"
 * @import { Surgery } from "../../types.js"
 * @import { DynamicScene as Scene, PanelAct, RoutedTensors } from "../types.js"
 */
import { grid } from "../../../../draw/grid.js";
import { legend, tiles } from "../../../../draw/tiles.js";
import { crosses } from "../../../../geometry/tiles.js";
import { reach } from "../../../../lib/arithmetic.js";
import { diverging } from "../../../../lib/color.js";
import { presence } from "../../../../lib/decimals.js";
import { fixed, numbered, signed } from "../../../../lib/format.js";
import { latinOf } from "../../../../lib/keys.js";
import { memoize } from "../../../../lib/memoize.js";
import { hasModifier } from "../../../../ui/controls.js";
import { h, note } from "../../../../ui/h.js";
import { button } from "../../../../ui/inputs.js";
import {
  capsuleInWords,
  choosing,
  numberOf,
  placeIn,
} from "../../../capsules/places.js";
import { belowOf } from "../../../capsules/source.js";
import { capsulesOfType, isIntact, withSilence } from "../../surgery/changes.js";
import { couplingText } from "../course.js";
import { isOperable } from "../ends.js";
import { beyondEven, ofCapsule, ofClass, poseAt } from "../sums.js";
import { courseOf, DECIMALS, distanceFrom, ruleOf, softmaxOf } from "./course.js";
import { squashOf } from "./one-vote.js";
import { stepsIn } from "./steps.js";
import { rowOf, table } from "./table.js";
import { closeVote, voteFold } from "./votes.js";
import { weightsWords } from "./weights.js";

/** Of the scale, so that the first, even iteration does not show rounding as colour. */
const LEAST_REACH = 0.001;

/** What every part of the panel is drawn from. @typedef {ReturnType<typeof numbersOf>} CapsuleScene */

/** @type {Panel<Scene, CapsuleScene, PanelAct>} */
export const microscope = {
  id: "capsule",
  hook: "microscope",
  isFolded: true,
  title(scene) {
    const { grid, capsule, ran, followsStrongest, name } = scene;
    const origin = followsStrongest
      ? `none gives more to ${name} after the last iteration`
      : "";
    const words = `One capsule: ${capsuleInWords(grid, capsule)}`;
    return [
      h("span", { "data-capsule-title": "" }, words),
      " ",
      h(
        "small",
        { class: "fine", "data-capsule-run": "" },
        isIntact(ran) ? origin : "under surgery",
      ),
    ];
  },
  numbers: numbersOf,
  line: ({ scene }) => findShare(scene),
  picture: (n, act) =>
    h(
      "div",
      {
        class: "capsule",
        onkeydown: (/** @type {KeyboardEvent} */ event) => onKey(event, act),
      },
      note(
        "The page calculates with the numbers as you see them, so you can check every sum.",
      ),
      h(
        "div",
        { class: "capsule-top" },
        h(
          "figure",
          { "data-together": "", "aria-label": "Capsules of the type" },
          typeGrid(n, act),
          silencing(n, act),
        ),
        endsTable(n, act),
        courseTable(n, act),
      ),
      stepsIn(n),
      weightsIn(n.scene),
      voteFold(n),
      insideOf(n, act),
    ),
};

// A capsule's course stays while its iterations are gone through.
const courseIn = memoize(
  (
    /** @type {RoutedTensors} */ tensors,
    /** @type {Surgery} */ ran,
    /** @type {number} */ capsule,
  ) => {
    const rule = ruleOf(ran, capsule);
    const ends = tensors.couplings.shape.slice(-1)[0];
    const course = courseOf(tensors.agreement, capsule, rule, ends);
    return { rule, course, distance: distanceFrom(course, tensors, capsule) };
  },
);

/** @param {Scene} scene */
function numbersOf(scene) {
  const { tensors, ran, capsule, step, classIndex } = scene;
  const path = courseIn(tensors, ran, capsule);
  const now = path.course[step];
  const softmax = softmaxOf(now, path.rule);
  const squash = squashOf(poseAt(tensors.capsules, step, classIndex));
  return { scene, ...path, now, softmax, squash };
}

/**
 * @param {Pick<Scene, "tensors" | "capsule" | "step" | "classIndex" | "name">} scene
 * @returns {string} what the chosen capsule sends to the class in focus
 */
export function findShare({ tensors, capsule, step, classIndex, name }) {
  const [share, agreement] = [tensors.couplings, tensors.agreement].map(
    (tensor) => ofCapsule(tensor, step, capsule)[classIndex],
  );
  return `It sends ${name} c = ${couplingText(share)} of its output; û·v is ${signed(agreement, 2)}.`;
}

/**
 * The capsules of the chosen type at their places, coloured by their coupling to the class
 * in focus; silent ones are crossed out.
 * @param {CapsuleScene} n @param {PanelAct} act
 */
function typeGrid({ scene }, act) {
  const {
    tensors,
    ends,
    surgery,
    step,
    classIndex,
    name,
    position,
    grid: below,
  } = scene;
  const { rows, columns } = below;
  const capsules = capsulesOfType(position.type, rows * columns);
  const all = ofClass(tensors.couplings, step, classIndex);
  const couplings = all.slice(capsules[0], capsules[0] + capsules.length);
  const beyond = beyondEven(couplings, ends.length);
  const scale = diverging(Math.max(reach(beyond), LEAST_REACH));
  const silent = capsules.flatMap((capsule, cell) =>
    surgery.silenced.includes(capsule) ? [cell] : [],
  );
  return [
    h(
      "div",
      { "data-type-grid": "" },
      grid({
        label:
          "The capsules of the chosen type, at their places; X silences the chosen capsule, Shift X its whole type",
        rows: { of: "row", names: numbered(rows) },
        columns: { of: "column", names: numbered(columns) },
        isBare: true,
        mark: {
          ...tiles({ name: "c", data: beyond, scale }),
          look: "type-grid",
          over: (_, { row: y, column: x }) => [
            h("path", {
              class: "silent",
              "data-silent": "",
              d: crosses(silent, columns),
            }),
            h("rect", { class: "chosen", x, y, width: 1, height: 1 }),
          ],
        },
        chosen: { row: position.row, column: position.column },
        choose: ({ row, column }) =>
          act.set(choosing(numberOf(below, { type: position.type, row, column }))),
        hover: act.lookAtPlace,
        words({ row, column }) {
          const cell = row * columns + column;
          const length = tensors.lengths.data[capsules[cell]];
          const silence = silent.includes(cell) ? "; silenced" : "";
          return `row ${row}, column ${column}: c to ${name} = ${couplingText(couplings[cell])}; length ‖u‖ = ${presence(length)}${silence}`;
        },
      }),
    ),
    legend(scale, `coupling c to ${name}, beyond an even 1/${ends.length}`, 3),
  ];
}

/** Buttons that silence the chosen capsule, or its type. @param {CapsuleScene} n @param {PanelAct} act */
function silencing({ scene: { capsule, position, grid, surgery, layer, model } }, act) {
  if (!isOperable(layer, model)) return null;
  const all = capsulesOfType(position.type, grid.rows * grid.columns);
  const silence = (
    /** @type {"capsule" | "type"} */ what,
    /** @type {string} */ named,
    /** @type {readonly number[]} */ capsules,
    /** @type {string} */ key,
  ) =>
    button(
      [h("span", { "data-word": "" }, `Silence ${named}`), " ", h("kbd", {}, key)],
      () => toggle(act, what === "type"),
      {
        pressed: capsules.every((capsule) => surgery.silenced.includes(capsule)),
        "data-silence": what,
      },
    );
  return h(
    "div",
    { class: "capsule-tools" },
    silence("capsule", "this capsule", [capsule], "X"),
    silence("type", `type ${position.type}`, all, "⇧X"),
  );
}

/**
 * Silence the chosen capsule or its type, or let it speak again.
 * @param {PanelAct} act @param {boolean} isType
 */
function toggle({ store, gridIn }, isType) {
  // Asked of the state: a key may come before the run of the choice before is here.
  const state = store.shown();
  if (state === null || !isOperable(state.layer, state.model)) return;
  const { surgery, capsule } = state;
  const grid = gridIn(state.model);
  const { type } = placeIn(grid, capsule);
  const capsules = isType ? capsulesOfType(type, grid.rows * grid.columns) : [capsule];
  const areSilent = capsules.every((capsule) => surgery.silenced.includes(capsule));
  store.set({ surgery: withSilence(surgery, capsules, !areSilent) });
}

/** @param {KeyboardEvent} event @param {PanelAct} act */
function onKey(event, act) {
  if (event.key === "Escape") return closeVote(event);
  if (hasModifier(event) || event.repeat) return;
  const isLetter = latinOf(event) === "x";
  if (isLetter || event.key === "Delete") toggle(act, isLetter && event.shiftKey);
  else return;
  event.preventDefault();
}

/** Its numbers with every end in this iteration. @param {CapsuleScene} n @param {PanelAct} act */
function endsTable({ scene, now, softmax }, act) {
  const { ends, classIndex, step, iterations, nouns } = scene;
  const rows = ends.map((name, j) => {
    const exponential = softmax.terms[j];
    const isClass = j < now.agreement.length;
    const cells = [
      signed(now.logits[j], DECIMALS),
      exponential === null ? "held" : fixed(exponential, softmax.decimals),
      fixed(now.couplings[j], DECIMALS),
      isClass ? signed(now.agreement[j], DECIMALS) : "–",
      signed(now.next[j], DECIMALS),
    ].map((text) => ({ text }));
    // None of the above, which agrees with nothing, cannot be put in focus.
    const choose = isClass ? () => act.chooseClass(j) : undefined;
    return rowOf(name, cells, j === classIndex, choose);
  });
  const empty = h("td");
  const sum = { "data-exponential-sum": "" };
  return table({
    label: `Logits, couplings and agreements of the chosen capsule with every ${nouns.singular}`,
    look: "capsule-table",
    caption: h(
      "caption",
      { "data-capsule-caption": "" },
      `Iteration ${step + 1} of ${iterations}, all ${nouns.plural}`,
    ),
    head: [
      ...[nouns.singular, "logit b", ["e", h("sup", {}, "b")]],
      ...["coupling c", "agreement û·v", "next b"],
    ],
    rows,
    bodyLook: { "data-capsule-rows": "" },
    foot: [
      h("th", { scope: "row" }, "sum"),
      empty,
      h("td", sum, fixed(softmax.sum, softmax.decimals)),
      ...[empty, empty, empty],
    ],
  });
}

/** Its numbers with the class in focus. @param {CapsuleScene} n @param {PanelAct} act */
function courseTable({ scene, course }, act) {
  const { step: current, classIndex, nouns, name } = scene;
  const rows = course.map(({ logits, couplings, agreement }, step) => {
    const cells = [
      signed(logits[classIndex], DECIMALS),
      fixed(couplings[classIndex], DECIMALS),
      signed(agreement[classIndex], DECIMALS),
    ].map((text) => ({ text }));
    return rowOf(String(step + 1), cells, step === current, () =>
      act.set({ step: step + 1 }),
    );
  });
  return table({
    label: `The chosen capsule and the ${nouns.singular} in focus, iteration by iteration`,
    look: "capsule-table",
    caption: h(
      "caption",
      { "data-course-caption": "" },
      `All iterations, ${nouns.singular} ${name}`,
    ),
    head: ["iteration", "b", "c", "û·v"],
    rows,
  });
}

/** @param {Scene} scene */
function weightsIn({ model, tensors, nouns }) {
  const capsules = tensors.lengths.data.length;
  const words = weightsWords(model, {
    capsules,
    classes: model.classes,
    noun: nouns.singular,
  });
  return words !== "" && h("p", { class: "fine", "data-weights": "" }, words);
}

/**
 * Where the capsule's own numbers stand, before and after squash.
 * @param {CapsuleScene} n @param {PanelAct} act @returns {Content}
 */
function insideOf({ scene: { layer } }, { openView }) {
  const below = belowOf(layer);
  if (!below?.tensors.before) return null;
  const open = { class: "link", onclick: () => openView(below.id) };
  return note(
    "Its own numbers, before and after squash, stand in ",
    h("button", open, below.title),
    ".",
  );
}
