/**
 * What is written on the picture of the whole network: names of layers, which open them;
 * what the network says; and a row for each class, which can be chosen.
 * @import { Box, Layout, Standing } from "./layout.js"
 * @import { Look } from "./picture.js"
 * @import { Titled } from "./types.js"
 * @import { Described } from "../ui/h.js"
 */
import { barsOf, saidOf, scoreText } from "../core/scores.js";
import { clamp } from "../lib/arithmetic.js";
import { unisolated } from "../lib/format.js";
import { h } from "../ui/h.js";
import { ROUTED, round, shortened, writable } from "./layout.js";
import { ownColor } from "./owners.js";
import { scoresAt } from "./words.js";

const LINE = 16; // px from the top to the names there
// Letters of a name in px, in a wide font such as DejaVu Sans.
const [NARROW, LETTER] = [6, 10.6];
const SMALL = 7; // px of a size
const SECOND = 17; // px to the line below
const [APART, BETWEEN] = [11, 4]; // px between names on a line, and between sizes
const NAMED = 15; // px of the letters by which names are cut
const LEAST_VERDICT = 13; // px of its letters
const VALUE = 46; // px right of the bars

/** The class whose part is shown: in focus, else what the network says. */
export const leadOf = (/** @type {Look} */ { focus, scene }) =>
  focus ?? scene.prediction;

/** @typedef {Titled & { x: number, y: number, anchor: "start" | "middle" | "end" }} Title */

/** @param {Look} look @returns {Title[]} */
function titlesOf({ layout, scene, flows }) {
  const { drawn, maps, axes, titlesY: y, isWide, classesX, width, bead } = layout;
  const { rows, columns, channels } = scene.pixels;
  const size = `${channels > 1 ? `${channels}×` : ""}${rows}×${columns}`;
  const middle = /** @type {const} */ ({ anchor: "middle" });
  /** @type {Title[]} */
  const found = [
    { id: "input", title: "Image", size, x: 0, y: LINE, anchor: "start" },
    ...maps.map(({ column, boxes }) => {
      const left = Math.min(...boxes.map((box) => box.x));
      const right = Math.max(...boxes.map((box) => box.x + box.width));
      return { ...column, x: (left + right) / 2, y: LINE, ...middle };
    }),
  ];
  const levels = flows?.levels ?? [];
  levels.forEach(({ column }, at) => {
    const isAtEdge = at === 0 && !isWide;
    found.push({ ...column, x: axes[at], y, ...middle });
    if (isAtEdge) Object.assign(found[found.length - 1], { x: 0, anchor: "start" });
  });
  const last = levels.at(-1);
  const from = (axes.at(-1) ?? 0) + (layout.pictures?.reach ?? bead / 2);
  if (last && isWide && classesX - from > ROUTED) {
    const rightmost = classesX - APART - nameWide(last.river) / 2;
    const x = Math.min((from + classesX) / 2, rightmost);
    found.push({ ...last.river, x, y, ...middle });
  }
  if (scene.classes) found.push({ ...scene.classes, x: classesX, y, anchor: "start" });
  if (scene.drawn && drawn)
    found.push({ ...scene.drawn, x: width, y: LINE, anchor: "end" });
  return found;
}

const nameWide = (/** @type {Titled} */ { title }) => {
  const narrow = title.match(/[fijlrt .,:-]/g)?.length ?? 0;
  return narrow * NARROW + (title.length - narrow) * LETTER;
};
const sizeWide = (/** @type {Title} */ { size }) => size.length * SMALL;

/** @param {Title} title @param {number} wide */
function across({ x, anchor }, wide) {
  const left = { start: x, middle: x - wide / 2, end: x - wide }[anchor];
  return { left, wide };
}

/**
 * The line of each name, of those at the same height; −1 where neither has room for it.
 * @param {readonly Title[]} all
 */
function linesOf(all) {
  /** @type {Map<number, [number, number]>} */
  const ends = new Map();
  const lines = all.map(() => 0);
  const boxes = all.map((each) => across(each, nameWide(each)));
  const inOrder = all.map((_, at) => at).sort((a, b) => boxes[a].left - boxes[b].left);
  for (const at of inOrder) {
    const end = ends.get(all[at].y) ?? [-Infinity, -Infinity];
    const { left, wide } = boxes[at];
    lines[at] = end.findIndex((each) => left >= each + APART);
    if (lines[at] >= 0) end[lines[at]] = left + wide;
    ends.set(all[at].y, end);
  }
  return lines;
}

/**
 * Sizes only where they leave room for each other; names that would lie on each other stand
 * on two lines.
 * @param {Look} look @returns {Described[]}
 */
export function titles(look) {
  const all = titlesOf(look);
  const lines = linesOf(all);
  const bounds = all.map((each) =>
    across(each, Math.max(nameWide(each), sizeWide(each))),
  );
  return all.flatMap(({ id, title, size, x, y, anchor }, at) => {
    const isTight =
      lines[at] !== 0 ||
      all.some(
        (other, to) =>
          to !== at &&
          other.y === y &&
          bounds[to].left < bounds[at].left + bounds[at].wide + BETWEEN &&
          bounds[at].left < bounds[to].left + bounds[to].wide + BETWEEN,
      );
    const { left, wide } = bounds[at];
    const place = { x: round(x), "text-anchor": anchor };
    const line = lines[at];
    const nameY = y + Math.max(0, line) * SECOND;
    return [
      h(
        "g",
        {
          class: isTight ? "overview-title is-tight" : "overview-title",
          "data-layer": id,
          role: "button",
          tabindex: at === 0 ? 0 : -1,
          "aria-label": `${title}, ${size}`,
        },
        h("rect", {
          class: "overview-hit",
          x: round(left - 5),
          y: nameY - LINE + 1,
          rx: 6,
          width: line < 0 ? 0 : round(wide + 10),
          height: isTight ? 21 : 38,
        }),
        h(
          "text",
          { class: "overview-name", ...place, y: nameY },
          line < 0 ? "" : title,
        ),
      ),
      h(
        "text",
        { class: "overview-size", "aria-hidden": "true", ...place, y: y + SECOND },
        isTight ? "" : size,
      ),
    ];
  });
}

/** The classes that are written large; null where none is chosen for it. @param {ReturnType<typeof saidOf> | null} said */
const toldOf = (said) =>
  said?.state === "undecided" ? said.order.slice(0, 2) : (said?.named ?? null);

/** What the network says, large. @param {Look} look @returns {Described[]} */
export function verdict(look) {
  const { layout, scene, focus, owners } = look;
  const { drawn, isWide, width, top, space } = layout;
  if (!isWide) return [];
  const { names, classes, steps } = scene;
  const said =
    focus === null && classes ? saidOf(scoresAt(scene, steps - 1), scene.saying) : null;
  const told = toldOf(said) ?? [leadOf(look)];
  const parts = told.length === 0 ? ["none"] : told.map((each) => names[each]);
  const isShort = parts.every((each) => each.length < 3);
  const isDoubt = said?.state === "undecided";
  const between = isDoubt ? " or " : isShort ? "+" : " ";
  const box = drawn ?? { x: width - 90, y: top + space / 2 + 30, width: 90 };
  const room = (box.width * NAMED) / LEAST_VERDICT / parts.length;
  const shown = parts.map((each) => shortened(each, room)).join(between);
  const words = isDoubt ? `${shown}?` : shown;
  const letters = Math.max(2, unisolated(words).length);
  const size = round(clamp((1.35 * box.width) / letters, LEAST_VERDICT, 58));
  const place = { x: round(box.x), y: round(box.y - 12) };
  return [
    h(
      "text",
      { class: "overview-verdict", ...place, "--size": `${size}px` },
      owners.length === 0 || said?.state !== "several"
        ? words
        : told.flatMap((each, at) => [
            at > 0 && between,
            h(
              "tspan",
              { "--own": ownColor(owners, each) },
              shortened(names[each], room),
            ),
          ]),
    ),
  ];
}

/** @param {Look} look @param {Standing} standing @returns {Described[]} */
export function classRows(look, standing) {
  const { scene, step } = look;
  if (scene.classes === null) return [];
  const [before, after] = [scoresAt(scene, step), scoresAt(scene, Math.ceil(step))];
  const ghosts = scene.before && barsOf(scoresAt(scene.before, step), scene.measure);
  const order = [...scene.names.keys()].sort((a, b) => after[b] - after[a]);
  const written = writable(standing.rows, [leadOf(look), ...order]);
  const bars = barsOf(before, scene.measure);
  return scene.names.flatMap((_, k) => {
    const score = before[k] + (step % 1) * (after[k] - before[k]);
    return classRow(look, standing, {
      ...{ k, score, isWritten: written.has(k), ghost: ghosts?.[k] ?? 0 },
      bar: scene.measure === "score" ? bars[k] : score,
    });
  });
}

/**
 * @typedef {object} Row
 * @property {number} k which class
 * @property {number} score
 * @property {boolean} isWritten whether there is room for its name
 * @property {number} bar how long that is, 0 to 1
 * @property {number} ghost before something was changed
 */

/** @param {Look} look @param {Standing} standing @param {Row} row @returns {Described[]} */
function classRow(look, standing, row) {
  const { scene, layout, focus, held } = look;
  const { k, score, isWritten } = row;
  const { classesX: x, nameWidth, barWidth, nameRoom } = layout;
  const { y, height } = standing.rows[k];
  const middle = y + height / 2;
  const lead = leadOf(look);
  const name = scene.names[k];
  const visibility = isWritten ? "inherit" : "hidden";
  const opacity = focus === null || focus === k ? 1 : 0.3;
  const told = scoreText(score, scene.measure);
  return [
    h(
      "g",
      {
        class: k === lead ? "overview-class is-lead" : "overview-class",
        "data-class": k,
        role: "button",
        tabindex: k === lead ? 0 : -1,
        "aria-label": scene.isEmpty ? name : `${name}, ${scene.measure} ${told}`,
        "aria-pressed": String(held === k),
        opacity,
      },
      h("rect", {
        class: "overview-ring",
        x: round(x - 6),
        y: round(y + 1),
        rx: 6,
        width: round(nameWidth + barWidth + VALUE + 4),
        height: round(Math.max(1, height - 2)),
      }),
      sumMarks(look, standing, k),
      h(
        "text",
        {
          class: "overview-digit",
          visibility,
          x: round(x + 6),
          y: round(middle + 5.5),
        },
        shortened(name, nameRoom),
      ),
      barMarks(look, standing, row),
    ),
    h(
      "text",
      {
        class: "overview-value",
        "aria-hidden": "true",
        opacity,
        visibility,
        x: round(x + nameWidth + barWidth + 6),
        y: round(middle + 4.5),
      },
      told,
    ),
  ];
}

/**
 * What comes to a class: all that is above zero; hollow what is below takes away again.
 * @param {Look} look @param {Standing} standing @param {number} k
 */
function sumMarks({ layout, moment }, standing, k) {
  const { classesX: x, scale } = layout;
  const { y, height } = standing.rows[k];
  const got = standing.got[k];
  const net = Math.max(0, Math.min(got, (moment?.sums[k] ?? 0) * scale));
  const top = y + height / 2 - got / 2;
  return [
    h("rect", {
      class: "overview-sum",
      x: round(x - 4),
      y: round(top),
      width: 4,
      height: round(net),
    }),
    h("rect", {
      class: "overview-less",
      x: round(x - 3.5),
      y: round(top + net),
      width: 3,
      height: round(Math.max(0, got - net - 0.5)),
      visibility: got - net > 1 ? "inherit" : "hidden",
    }),
  ];
}

/**
 * How present a class is; where it was after the first iteration, and before something was
 * changed.
 * @param {Look} look @param {Standing} standing @param {Row} row
 */
function barMarks({ scene, layout, owners }, standing, { k, score, bar, ghost }) {
  const { classesX, nameWidth, barWidth } = layout;
  const { y, height } = standing.rows[k];
  const [x, middle] = [classesX + nameWidth, y + height / 2];
  const thick = round(clamp(height - 1, 1, 10));
  const place = {
    x: round(x),
    y: round(middle - thick / 2),
    height: thick,
    rx: Math.min(3, thick / 2),
  };
  const first = scoresAt(scene, 0)[k];
  const isMoved = scene.steps > 1 && Math.abs(first - score) > 0.05;
  const was = `M${round(x + barWidth * first)} ${round(middle - 8)}v16`;
  const wide = (/** @type {number} */ share) => round(Math.max(0, barWidth * share));
  return [
    h("rect", { class: "overview-track", ...place, width: round(barWidth) }),
    h("rect", {
      class: "overview-bar",
      ...place,
      width: wide(bar),
      "--own": ownColor(owners, k),
    }),
    h("path", { class: "overview-was", d: isMoved ? was : "" }),
    h("rect", { class: "overview-ghost", ...place, width: wide(ghost) }),
  ];
}
