/**
 * What flows from the capsule types to the classes in the iteration on show, or what routing
 * has moved since the first, even one, as ribbons.
 * @import { Ribbons } from "../../../geometry/ribbons.js"
 * @import { Flow, FlowStage } from "../flow.js"
 * @import { DynamicPanel, DynamicScene as Scene } from "./types.js"
 */
import { largestOf, reach, sum } from "../../../lib/arithmetic.js";
import { fixed, percent, signed } from "../../../lib/format.js";
import { memoize, memoizeByObject } from "../../../lib/memoize.js";
import { listenToChoices, pressChoice } from "../../../ui/controls.js";
import { findElement, make, setText } from "../../../ui/dom.js";
import { mountFlow } from "../flow.js";

/** Below the ribbons there is room for words; between the types, for their names. */
const ROOM = { bottom: 34, gap: 8 };
const NOTHING = "all even: nothing moved";

/** Of lengths: what half precision leaves where all is even. */
const ROUNDING = 1e-3;

/** @typedef {Scene["figures"]} Figures */

/** @type {DynamicPanel} */
export function mountRibbons(root, { scenes, hand }) {
  const caption = findElement(root, "[data-flow-caption]");
  const modes = findElement(root, "[data-flow-modes]");
  const shares = findElement(root, "[data-flow-shares]");
  const signs = findElement(root, "[data-flow-signs]");
  const legend = tintLegend(shares);
  const tinted = memoize(tintedFlow);

  listenToChoices(modes, (value) =>
    hand.look({ flow: value === "all" ? "all" : "moved" }),
  );
  scenes.watch(({ look: { flow }, figures, step, iterations, model }) => {
    pressChoice(modes, flow);
    setText(caption, `iteration ${step + 1} of ${iterations}`);
    if (flow === "all") legend(figures.mostShare(), model.classes);
    shares.hidden = flow === "moved";
    signs.hidden = flow !== "moved";
  });
  mountFlow(root, scenes, {
    room: ROOM,
    flowOf({ figures, step, look: { flow }, place, classIndex, model }) {
      const isMoved = flow === "moved";
      const lengths = figures.lengths();
      return {
        ...tinted(figures, step, isMoved),
        isEven: !isMoved,
        type: place.type,
        target: classIndex,
        names: model.class_names,
        notes: lengths.map((values) => fixed(values[step], 3)),
        // Widths of two kinds, and those of two passes, do not flow into each other.
        group: groupsOf(figures)[flow],
      };
    },
    describe: (scene) =>
      scene.look.flow === "moved" ? describeMoved(scene) : describeFlow(scene),
    find: describeMoved,
    read: readRibbon,
    choose: hand.typeAndClass,
    paintOver(stage, { look, figures }, ribbons, { amounts }) {
      if (look.flow === "all") return;
      if (reach(amounts) <= ROUNDING) writeNothingMoved(stage, ribbons);
      else writeEnlarged(stage, ribbons, enlargement({ figures }));
    },
  });
}

const groupsOf = memoizeByObject(
  (/** @type {Figures} */ figures) => figures,
  () => ({ moved: {}, all: {} }),
);

/**
 * @param {Figures} figures @param {number} step @param {boolean} isMoved
 * @returns {Pick<Flow, "types" | "targets" | "amounts" | "tints" | "full">}
 */
function tintedFlow(figures, step, isMoved) {
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

/**
 * The legend of colours from less over even to more, as the theme has them.
 * @param {HTMLElement} root filled once
 * @returns {(most: number, classes: number) => void} most: what the full colour stands for
 */
function tintLegend(root) {
  const [low, high] = [make("span"), make("span")];
  const unit = make("span", "legend-unit");
  const ends = make("span", "legend-ends", low, make("span", "", "0"), high);
  root.classList.add("legend");
  root.append(unit, make("span", "legend-ramp tint-ramp"), ends);
  return (most, classes) => {
    const points = `${(100 * most).toFixed(1)} pp`;
    setText(
      unit,
      `share of a type’s length that goes there, beyond an even 1/${classes}`,
    );
    setText(low, `−${points}`);
    setText(high, `+${points}`);
  };
}

/** @param {FlowStage} stage @param {Ribbons} ribbons */
function writeNothingMoved({ context, height, colors, font }, { left, right }) {
  context.fillStyle = colors.muted;
  context.font = `14px ${font}`;
  context.textAlign = "center";
  context.fillText(NOTHING, (left + right) / 2, height / 2);
}

/** @param {FlowStage} stage @param {Ribbons} ribbons @param {number} times */
function writeEnlarged({ context, height, colors, font }, { left, right }, times) {
  context.fillStyle = colors.text;
  context.font = `13px ${font}`;
  context.textAlign = "center";
  context.textBaseline = "alphabetic";
  const words = `widths ×${times} against “all that flows”`;
  context.fillText(words, (left + right) / 2, height - 6);
}

/** @param {Scene} scene @returns {string} what all ribbons together show */
export function describeFlow({ figures, step, classIndex, name }) {
  const { classes, data } = figures.flow(step);
  if (sum(data) === 0) return "No capsule sends anything to any digit.";
  const mine = data.filter((_, i) => i % classes === classIndex);
  const share = percent(sum(mine) / sum(data), 1);
  return `${share} of all capsule length goes to ${name}; an even share would be ${percent(1 / classes, 0)}. Type ${largestOf(mine)} sends it the most.`;
}

/** @param {Scene} scene @returns {string} what routing has moved */
export function describeMoved({ figures, step, classIndex, name }) {
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
        ? `On balance ${name} has gained ${net}, the most from type ${largestOf(own)}.`
        : `On balance ${name} has lost ${net}, the most from type ${largestOf(own.map((amount) => -amount))}.`;
  return `Routing has moved ${percent(moved / total, 2)} of all capsule length. ${balance}`;
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
 * @param {Scene} scene @param {number} type @param {number} classIndex
 * @returns {string} one ribbon's numbers
 */
function readRibbon({ figures, step, model }, type, classIndex) {
  const { classes, data } = figures.flow(step);
  const at = type * classes + classIndex;
  const share = figures.shares(step).data[at] + 1 / classes;
  const moved = figures.moved(step).data[at];
  return `type ${type} → ${model.class_names[classIndex]}: Σ c·‖u‖ = ${fixed(data[at], 3)}, ${percent(share, 1)} of the type; ${signed(moved, 3)} beyond even`;
}
