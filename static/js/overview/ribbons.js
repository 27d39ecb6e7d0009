/**
 * What flows from the parts of a level to those of the next, as ribbons; and what keys reach
 * of them.
 * @import { Standing } from "./layout.js"
 * @import { Moment, Numbers } from "./flows.js"
 * @import { Look, PartAt } from "./picture.js"
 * @import { Described } from "../ui/h.js"
 */
import { fixed } from "../lib/format.js";
import { h } from "../ui/h.js";
import { column } from "./frames.js";
import { leadOf } from "./labels.js";
import { bendOf, ribbon, round } from "./layout.js";
import { ownColor } from "./owners.js";
import { movedColor } from "./shades.js";
import { heldAt } from "./stage.js";
import { flowing } from "./words.js";

const THIN = 0.4; // px; what is thinner is not drawn

/** A ribbon that can be reached by keys. @typedef {{ level: number, from: number, to: number, d: string, wide: number }} Way */

/**
 * @param {Look} look @param {Standing} standing
 * @returns {{ paths: Described[], ways: Way[] }}
 */
export function ribbons(look, standing) {
  const { flows, moment } = look;
  if (flows === null || moment === null) return { paths: [], ways: [] };
  const all = moment.outs.flatMap((_, level) => ribbonsOf(look, standing, level));
  return {
    paths: all.map((each) => pathOf(look, each)),
    ways: look.isHasty ? [] : all.filter(({ d }) => d !== "").map(wayOf),
  };
}

/**
 * @typedef {object} Ribbon
 * @property {number} level
 * @property {number} from @property {number} to parts
 * @property {string} d empty where it is too thin to be drawn
 * @property {number} slot px that it has room for: all that flows
 * @property {number} width px of what leads to the class in focus
 * @property {number} moved since the first iteration, of that
 * @property {boolean} isOn whether it leads there, and touches the part pointed at
 * @property {boolean} isHeld
 */

/**
 * Those from the parts of a level to the parts above it.
 * @param {Look} look @param {Standing} standing @param {number} level
 * @returns {Ribbon[]}
 */
function ribbonsOf(look, standing, level) {
  const { layout, part, flows, moment } = look;
  if (flows === null || moment === null) return [];
  const { parts, above, all } = moment.outs[level];
  const isLast = level === moment.outs.length - 1;
  const [now, first] = [moment, flows.at(0)].map((each) => led(look, each, level));
  const { scale } = layout;
  const ends = isLast ? standing.rows : standing.slots[level + 1];
  const outY = startsOf(all, parts, above, standing.slots[level], scale, true);
  const inY = startsOf(all, parts, above, ends, scale, false);
  /** @type {Ribbon[]} */
  const found = [];
  for (let at = 0; at < parts * above; at++) {
    const [from, to] = [Math.floor(at / above), at % above];
    const slot = Math.max(0, all[at]) * scale;
    const wanted = Math.max(0, now[at]) * scale;
    const isHeld = heldAt(look, level, from, to) !== undefined;
    const isDrawn = slot >= THIN || isHeld;
    const isOn = wanted >= THIN && touches(part, level, from, to);
    const width = isOn ? wanted : slot;
    const y = outY[from] + (slot - width) / 2;
    const toY = inY[to] + (slot - width) / 2;
    outY[from] += slot;
    inY[to] += slot;
    // As elements, also those that are too thin keep their place.
    if (!isDrawn && look.isHasty) continue;
    const { x, width: wide } = standing.parts[level][from];
    const start = x + wide;
    const bend = bendOf(layout, level, start);
    const end = isLast ? layout.classesX - 4 : standing.parts[level + 1][to].x;
    const high = isHeld ? Math.max(1, width) : width;
    const d = isDrawn ? ribbon(bend, y, end, toY, high, start) : "";
    const moved = now[at] - first[at];
    found.push({ level, from, to, d, slot, width, moved, isOn, isHeld });
  }
  return found;
}

/**
 * What flows from a level that leads to the class in focus; all of it where none is and it
 * flows to the classes.
 * @param {Look} look @param {Moment} moment @param {number} level
 */
function led(look, { outs }, level) {
  const { focus, flows } = look;
  const isLast = level === outs.length - 1;
  if (isLast && focus === null) return outs[level].all;
  return ledTo(outs[level], leadOf(look), isLast, flows?.classes ?? 0);
}

/** @param {Look} look @param {Ribbon} ribbon */
function pathOf(look, ribbon) {
  const { level, from, to, d, isHeld } = ribbon;
  const key = {
    "data-river": `${level}/${from}/${to}`,
    "data-layer": look.flows?.levels[level].river.id,
    class: `overview-flow${isHeld ? " is-held" : ""}${hasLost(look, ribbon) ? " is-lost" : ""}`,
  };
  if (d === "") return h("path", { ...key, d });
  // Not `opacity`, with which each of hundreds would be a layer of its own.
  const opacity = { "fill-opacity": opacityOf(look, ribbon) };
  return h("path", { ...key, d, fill: fillOf(look, ribbon), ...opacity });
}

const WIDE = 2; // px from which an edge is seen
const MUCH = 0.1; // of a unit

/** Whether routing has made a ribbon narrower: its edge tells it where hues do not. @param {Look} look @param {Ribbon} ribbon */
function hasLost({ owners, flows, scene }, { level, moved, width, isOn }) {
  const unit = flows?.levels[level].river.unit ?? 1;
  const isTold = scene.steps > 1 && owners.length === 0 && isOn && width >= WIDE;
  return isTold && moved < -MUCH * unit;
}

/** @param {Look} look @param {Ribbon} ribbon */
function fillOf(look, { level, to, moved }) {
  const { owners, scene, flows } = look;
  const isLast = level === (flows?.levels.length ?? 0) - 1;
  if (owners.length > 0)
    return ownColor(owners, isLast ? to : leadOf(look)) ?? "var(--even)";
  const unit = flows?.levels[level].river.unit ?? 1;
  return scene.steps > 1 ? movedColor(moved / unit) : "var(--even)";
}

/** What is thin is pale, so that many of it do not darken the picture. @param {Look} look @param {Ribbon} ribbon */
function opacityOf({ focus, part }, { isOn, isHeld, width }) {
  if (!isOn) return 0.05;
  if (focus !== null || part !== null || isHeld) return 0.95;
  if (width < 1) return 0.22;
  return width < 2 ? 0.4 : 0.84;
}

/** @param {Ribbon} ribbon @returns {Way} */
const wayOf = ({ level, from, to, d, slot, isHeld }) => ({
  ...{ level, from, to, d },
  wide: isHeld ? Infinity : slot,
});

const REACHED = 12; // ribbons of a level: the widest, and those that are held

/**
 * What keys reach of the ribbons from a level to the next: Tab comes to the widest.
 * @param {Look} look @param {readonly Way[]} ways @param {number} level
 */
export function waysOf(look, ways, level) {
  const { flows, moment, scene } = look;
  if (flows === null || moment === null || scene.isEmpty || look.isHasty)
    return h("g", {});
  const { river, column: below } = flows.levels[level];
  const own = ways.filter((way) => way.level === level);
  const widest = own.toSorted((a, b) => b.wide - a.wide).slice(0, REACHED);
  const above = flows.levels[level + 1]?.column.title ?? scene.classes?.title;
  return h(
    "g",
    column(`${river.title}: from ${below.title} to ${above}`),
    own
      .filter((way) => widest.includes(way))
      .map((way) => {
        const ends = /** @type {const} */ ([level, way.from, way.to]);
        return h("path", {
          class: "overview-way",
          d: way.d,
          role: "button",
          "data-way": ends.join("/"),
          "data-layer": river.id,
          tabindex: way === widest[0] ? 0 : -1,
          "aria-label": riverWords(look, ends),
        });
      }),
  );
}

/**
 * What flows in a ribbon, and whether it is held there.
 * @param {Pick<Look, "scene" | "flows" | "moment">} look
 * @param {readonly [level: number, from: number, to: number]} ends
 */
export function riverWords(look, ends) {
  const { scene, flows, moment } = look;
  if (flows === null || moment === null) return "";
  const told = flowing({ flows, moment, steps: scene.steps }, ends, scene.names);
  const coupling = heldAt(look, ...ends);
  return coupling === undefined ? told : `${told}; held at ${fixed(coupling, 2)}`;
}

/**
 * Whether a ribbon begins or ends at the part pointed at; between other levels they all do.
 * @param {PartAt | null} part @param {number} level @param {number} from @param {number} to
 */
function touches(part, level, from, to) {
  if (part?.level === level) return part.tile === from;
  return part?.level === level + 1 ? part.tile === to : true;
}

/**
 * Where the ribbons of each part begin, or where those to each part above end.
 * @param {Numbers} all (parts, above) @param {number} parts @param {number} above
 * @param {readonly { y: number, height: number }[]} slots @param {number} scale
 * @param {boolean} isOut
 */
function startsOf(all, parts, above, slots, scale, isOut) {
  const sums = new Float64Array(isOut ? parts : above);
  for (let at = 0; at < all.length; at++)
    sums[isOut ? Math.floor(at / above) : at % above] += Math.max(0, all[at]) * scale;
  return sums.map((sum, at) => slots[at].y + (slots[at].height - sum) / 2);
}

/**
 * @param {Moment["outs"][number]} out @param {number} lead @param {boolean} isLast
 * @param {number} classes
 */
function ledTo({ parts, above, all, led }, lead, isLast, classes) {
  return Float64Array.from({ length: parts * above }, (_, at) =>
    isLast ? (at % above === lead ? all[at] : 0) : led[at * classes + lead],
  );
}

/**
 * To the classes, where it is not known what flows there.
 * @param {Look} look @param {Standing} standing
 * @returns {Described[]}
 */
export function unknown({ flows, layout, scene }, standing) {
  const { isWide, image, maps, classesX } = layout;
  if (flows !== null || !isWide || scene.classes === null) return [];
  const boxes = maps.at(-1)?.boxes ?? [image];
  const x = round(Math.max(...boxes.map((box) => box.x + box.width)));
  const [first, last] = [standing.rows[0], standing.rows[standing.rows.length - 1]];
  const [top, low] = [boxes[0].y, boxes[boxes.length - 1].y + boxes[0].height].map(
    round,
  );
  const [from, to] = [first.y, last.y + last.height].map(round);
  const end = round(classesX - 4);
  return [
    h("path", {
      class: "overview-fan",
      d: `M${x} ${top}L${end} ${from}V${to}L${x} ${low}Z`,
    }),
  ];
}
