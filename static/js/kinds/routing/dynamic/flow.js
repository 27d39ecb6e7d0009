/**
 * What flows from the capsule types to the classes in the iteration on show, or what routing
 * has moved since the first, even one, or what adds to the two winners, as ribbons.
 * @import { Ribbons } from "../../../geometry/ribbons.js"
 * @import { Flow, RibbonsStage } from "../../../draw/ribbons.js"
 * @import { Panel } from "../../../ui/panel.js"
 * @import { Values } from "../../../ui/values.js"
 * @import { DynamicScene as Scene, PanelAct } from "./types.js"
 */

import { ribbons } from "../../../draw/ribbons.js";
import { largestOf, reach, sum } from "../../../lib/arithmetic.js";
import { ownerColor } from "../../../lib/color.js";
import { capitalized, fixed, percent, signed } from "../../../lib/format.js";
import { memoize, memoizeByIndex, memoizeByObject } from "../../../lib/memoize.js";
import { h } from "../../../ui/h.js";
import { choices } from "../../../ui/inputs.js";
import { groupOf } from "../../capsules/places.js";
import { besidePicture, inSentence } from "./ends.js";
import { isSecondFirst, namesTwo, supportByType, winnersOf } from "./two.js";

/** Below the ribbons there is room for words; between the types, for their names. */
const ROOM = { bottom: 34, gap: 8 };
const NOTHING = "all even: nothing moved";

/** What the width of a ribbon is, for those of all classes and those of two winners. */
const WIDTHS = {
  flow: "Width: coupling × capsule length, Σ c·‖u‖ over the type’s capsules.",
  support:
    "Width: what the type’s capsules add to a winner’s length before squash, Σ c·(û·v) ∕ ‖v‖ over those that add. Each winner has its class’s colour.",
};

const CHOICES = {
  all: "all that flows",
  moved: "what routing moved",
  two: "support for the two longest",
};

/** A mean coupling that is nearer to an even one counts as even. */
const LEAST = 0.001;

/** Of lengths: what half precision leaves where all is even. */
const ROUNDING = 1e-3;

/** @typedef {Scene["figures"]} Figures */

const MODES = /** @type {const} */ (["all", "moved", "two"]);

/** @type {Panel<Scene, Scene, PanelAct>} */
export const flow = {
  id: "flow",
  isFolded: true,
  title: "What flows where",
  line: describeMoved,
  picture(scene, act) {
    const { step, place, classIndex, figures, grid: below, nouns, ends } = scene;
    const mode = flowIn(scene);
    const isForTwo = mode === "two";
    const own = isForTwo
      ? supportFlow(scene, isSecondFirst(scene, act.store.get()))
      : tintedFlow(figures, step, mode === "moved");
    const modes = namesTwo(scene) ? MODES : MODES.slice(0, 2);
    const groups = `${groupOf(below)}s`;
    return [
      choices(
        "Width",
        modes.map((each) => CHOICES[each]),
        modes.indexOf(mode),
        (i) => act.changeLook({ flow: modes[i] }),
        { "aria-label": "What the ribbons show", "data-flow-modes": "" },
      ),
      ribbons({
        label: `Ribbons from the ${groups}, left, to the ${nouns.many}, right. Up and down arrow keys choose a ${groupOf(below)}, left and right a ${nouns.one}.`,
        ...{ look: "flow-picture", room: ROOM },
        ...own,
        ...namesIn(scene, isForTwo),
        isEven: mode === "all",
        ...{ type: place.type, target: classIndex, choosable: scene.model.classes },
        // Widths of two kinds, and those of two passes, do not flow into each other.
        group: groupsOf(figures)[mode],
        words: (type, target) =>
          (isForTwo ? readSupport : readRibbon)(scene, type, target),
        choose: (end) => act.chooseEnds(scene, end),
        paintOver(stage, laid, { amounts }) {
          if (mode !== "moved") return;
          if (reach(amounts) <= ROUNDING) writeNothingMoved(stage, laid);
          else writeEnlarged(stage, laid, enlargement(scene));
        },
      }),
      h("p", { class: "fine", "data-flow-text": "" }, DESCRIBED[mode](scene)),
      h(
        "p",
        { class: "fine" },
        `Left: the ${groups}; right: the ${nouns.many}, with the length ‖v‖ of each`,
        ends.length > scene.model.classes &&
          ", and below them “none of the above”, with its share of all that flows",
        `. ${WIDTHS[isForTwo ? "support" : "flow"]}`,
      ),
      mode === "all" && tintLegend(figures.mostShare(), ends.length),
      mode === "moved" &&
        h(
          "p",
          { class: "fine flow-signs" },
          h("span", { class: "swatch is-gain" }),
          " more than an even share ",
          h("span", { class: "swatch is-loss" }),
          " less",
        ),
    ];
  },
  table: { title: "Table: mean couplings", of: (scene) => [couplingsOf(scene)] },
};

/** @param {Scene} scene @returns {Values} */
function couplingsOf({ figures, step, ends, grid }) {
  const { types, classes, data } = figures.couplings(step);
  return {
    of: "c",
    names: Array.from({ length: types }, (_, type) => `${groupOf(grid)} ${type}`),
    columns: ends.map((end, n) => [
      end,
      data.filter((_, i) => i % classes === n),
      (value) => fixed(value, 4),
    ]),
  };
}

/**
 * What the ribbons show: in a network that names one class, a link may ask for two.
 * @param {Pick<Scene, "look" | "model">} scene
 */
export const flowIn = ({ look: { flow }, model }) =>
  flow === "two" && !namesTwo({ model }) ? "moved" : flow;

const groupsOf = memoizeByObject(
  (/** @type {Figures} */ figures) => figures,
  () => ({ moved: {}, all: {}, two: {} }),
);

/** Those of all classes. */
const tintedFlow = memoize(tinted);

/**
 * @param {Figures} figures @param {number} step @param {boolean} isMoved
 * @returns {Pick<Flow, "types" | "targets" | "amounts" | "tints" | "full">}
 */
function tinted(figures, step, isMoved) {
  const { types, classes: targets, data: all } = figures.flow(step);
  if (isMoved) {
    const { data: amounts } = figures.moved(step);
    const full = figures.mostMoved();
    return { types, targets, amounts, tints: amounts.map(Math.sign), full };
  }
  const most = figures.mostShare();
  const tints = figures.shares(step).data.map((share) => share / most);
  return { types, targets, amounts: all, tints, full: sum(figures.flow(0).data) };
}

/** What capsule types add to the two winners in each iteration; the most in any. */
const supportIn = memoizeByObject(
  (/** @type {Scene} */ { figures }) => figures,
  (scene) => {
    const at = memoizeByIndex((step) => supportByType(scene, step));
    const all = Array.from({ length: scene.iterations }, (_, step) => sum(at(step)));
    return { at, most: Math.max(ROUNDING, ...all) };
  },
);

/**
 * Names and lengths beside the classes; where ribbons lead to two of them, only at these
 * and at the one in focus: the others have no height and stand too close together.
 * @param {Scene} scene @param {boolean} isForTwo
 */
function namesIn(scene, isForTwo) {
  const { figures, step, classIndex, model, ends } = scene;
  const told = [...winnersOf(scene).slice(0, 2), classIndex];
  const only = (/** @type {string} */ words, /** @type {number} */ i) =>
    isForTwo && !told.includes(i) ? "" : words;
  const notes = figures.lengths().map((values) => fixed(values[step], 3));
  if (isForTwo) return { names: model.class_names.map(only), notes: notes.map(only) };
  const isWithNone = ends.length > notes.length;
  return {
    names: besidePicture(ends),
    notes: isWithNone ? [...notes, percent(figures.none(step) || 0, 1)] : notes,
  };
}

/**
 * What adds to each of the two winners, in the colour of its digit.
 * @param {Scene} scene @param {boolean} isTurned whether the longer one is the second digit
 * @returns {Pick<Flow, "types" | "targets" | "amounts" | "tints" | "full" | "ends">}
 */
function supportFlow(scene, isTurned) {
  const { types } = scene.grid;
  const { classes: targets } = scene.model;
  const { at, most: full } = supportIn(scene);
  const amounts = at(scene.step);
  const [one] = winnersOf(scene);
  const tints = amounts.map((_, i) => (i % targets === one ? -1 : 1));
  const [first, second] = [ownerColor(1), ownerColor(0)];
  const ends = isTurned ? [second, first] : [first, second];
  return { types, targets, amounts, tints, full, ends: [ends[0], ends[1]] };
}

/**
 * The legend of colours from less over even to more, as the theme has them.
 * @param {number} most what the full colour stands for @param {number} ends
 */
function tintLegend(most, ends) {
  const points = `${(100 * most).toFixed(1)} pp`;
  return h(
    "div",
    { class: "legend", "data-flow-shares": "" },
    h(
      "span",
      { class: "legend-unit" },
      `share of a type’s length that goes there, beyond an even 1/${ends}`,
    ),
    h("span", { class: "legend-ramp tint-ramp" }),
    h(
      "span",
      { class: "legend-ends" },
      [`−${points}`, "0", `+${points}`].map((each) => h("span", {}, each)),
    ),
  );
}

/** @param {RibbonsStage} stage @param {Ribbons} ribbons */
function writeNothingMoved({ context, height, colors, font }, { left, right }) {
  context.fillStyle = colors.muted;
  context.font = `14px ${font}`;
  context.textAlign = "center";
  context.fillText(NOTHING, (left + right) / 2, height / 2);
}

/** @param {RibbonsStage} stage @param {Ribbons} ribbons @param {number} times */
function writeEnlarged({ context, height, colors, font }, { left, right }, times) {
  context.fillStyle = colors.text;
  context.font = `13px ${font}`;
  context.textAlign = "center";
  context.textBaseline = "alphabetic";
  const words = `widths ×${times} against “all that flows”`;
  context.fillText(words, (left + right) / 2, height - 6);
}

/** @param {Scene} scene @returns {string} what all ribbons together show */
export function describeFlow(scene) {
  const { figures, step, classIndex, name, grid, nouns } = scene;
  const { classes, data } = figures.flow(step);
  if (sum(data) === 0) return `No capsule sends anything to any ${nouns.one}.`;
  const mine = data.filter((_, i) => i % classes === classIndex);
  const share = percent(sum(mine) / sum(data), 1);
  return `${share} of all capsule length goes to ${name}; an even share would be ${percent(1 / classes, 0)}. ${capitalized(groupOf(grid))} ${largestOf(mine)} sends it the most. ${findCoupling(scene)}`;
}

/**
 * @param {Pick<Scene, "figures" | "step" | "ends" | "grid">} scene
 * @returns {string} which type sends which end most beyond an even share
 */
export function findCoupling({ figures, step, ends, grid }) {
  const { classes, data } = figures.couplings(step);
  const best = largestOf(data);
  const [type, end] = [Math.floor(best / classes), best % classes];
  if (data[best] - 1 / classes < LEAST)
    return `No mean coupling lies ${LEAST} or more above an even 1/${classes}.`;
  return `${capitalized(groupOf(grid))} ${type} sends ${inSentence(ends[end])} the most, c = ${fixed(data[best], 3)} on average.`;
}

/** @param {Scene} scene @returns {string} what routing has moved */
export function describeMoved({ figures, step, classIndex, name, grid }) {
  const { classes, data } = figures.moved(step);
  const total = sum(figures.flow(step).data) || 1;
  const moved = sum(data.filter((amount) => amount > 0));
  if (figures.uneven(step) === 0)
    return step === 0
      ? "In the first iteration every capsule splits evenly: nothing has been moved yet."
      : "Every capsule splits evenly: nothing has been moved.";
  if (moved < ROUNDING)
    return `Routing has moved a capsule length of less than ${ROUNDING} in all.`;
  const own = data.filter((_, i) => i % classes === classIndex);
  const mine = sum(own);
  const net = percent(Math.abs(mine) / total, 2);
  const balance =
    net === percent(0, 2)
      ? `What ${name} gains and loses cancels out.`
      : mine > 0
        ? `${name} has gained ${net}, the most from ${groupOf(grid)} ${largestOf(own)}.`
        : `${name} has lost ${net}, the most from ${groupOf(grid)} ${largestOf(own.map((amount) => -amount))}.`;
  return `Routing has moved ${percent(moved / total, 2)} of all length. ${balance}`;
}

/** @param {Scene} scene @returns {string} what adds to the two winners, and from where */
export function describeSupport(scene) {
  const { step, model, grid } = scene;
  const amounts = supportIn(scene).at(step);
  const told = winnersOf(scene)
    .slice(0, 2)
    .map((each) => {
      const name = model.class_names[each];
      const own = amounts.filter((_, i) => i % model.classes === each);
      const whole = sum(own);
      if (whole < ROUNDING) return `Capsules add less than ${ROUNDING} to ${name}.`;
      const most = largestOf(own);
      return `Capsules add ${fixed(whole, 2)} to ${name}, of which ${groupOf(grid)} ${most} adds the most: ${percent(own[most] / whole, 0)}.`;
    });
  return told.join(" ");
}

/** What all ribbons together show, in words. */
const DESCRIBED = {
  moved: describeMoved,
  all: describeFlow,
  two: describeSupport,
};

/**
 * @param {Scene} scene @param {number} type @param {number} classIndex
 * @returns {string} what one type adds to one winner
 */
export function readSupport(scene, type, classIndex) {
  const { step, model, grid } = scene;
  const name = model.class_names[classIndex];
  if (!winnersOf(scene).slice(0, 2).includes(classIndex))
    return `${name} is not one of the two longest.`;
  const added = supportIn(scene).at(step)[type * model.classes + classIndex];
  return `${groupOf(grid)} ${type} → ${name}: adds ${fixed(added, 3)}`;
}

/**
 * How many times as wide as in the picture of all that flows ribbons are drawn that show
 * what was moved: at its scale, the most that is moved would be thinner than a hair.
 * @param {Pick<Scene, "figures">} scene
 */
function enlargement({ figures }) {
  return Math.round(sum(figures.flow(0).data) / figures.mostMoved());
}

/**
 * @param {Scene} scene @param {number} type @param {number} end
 * @returns {string} one ribbon's numbers
 */
function readRibbon({ figures, step, ends, grid }, type, end) {
  const { classes, data } = figures.flow(step);
  const at = type * classes + end;
  const share = figures.shares(step).data[at] + 1 / classes;
  const moved = figures.moved(step).data[at];
  const mean = fixed(figures.couplings(step).data[at], 4);
  return `${groupOf(grid)} ${type} → ${ends[end]}: Σ c·‖u‖ = ${fixed(data[at], 3)}, ${percent(share, 1)} of the ${groupOf(grid)}; ${signed(moved, 3)} beyond even; mean coupling c = ${mean}`;
}
