/**
 * What flows from the parts of a level to those of the next, as ribbons; and what keys reach
 * of them.
 * @import { Standing } from "./layout.js"
 * @import { Moment } from "./flows.js"
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
  const { flows, moment, layout, focus, part, scene, owners } = look;
  if (flows === null || moment === null) return { paths: [], ways: [] };
  const { scale, classesX } = layout;
  const first = flows.at(0);
  const lead = leadOf(look);
  const isMoved = scene.steps > 1;
  const isLit = focus !== null || part !== null;
  /** @type {Described[]} */
  const paths = [];
  /** @type {Way[]} */
  const ways = [];
  moment.outs.forEach((out, level) => {
    const { parts, above, all } = out;
    const isLast = level === moment.outs.length - 1;
    const mine =
      isLast && focus === null ? all : ledTo(out, lead, isLast, flows.classes);
    const start = first.outs[level];
    const before =
      isLast && focus === null ? start.all : ledTo(start, lead, isLast, flows.classes);
    const { unit, id } = flows.levels[level].river;
    const slots = standing.slots[level];
    const ends = isLast ? standing.rows : standing.slots[level + 1];
    const outY = startsOf(all, parts, above, slots, scale, true);
    const inY = startsOf(all, parts, above, ends, scale, false);
    for (let t = 0; t < parts; t++) {
      const box = standing.parts[level][t];
      for (let u = 0; u < above; u++) {
        const at = t * above + u;
        const slot = Math.max(0, all[at]) * scale;
        const wanted = Math.max(0, mine[at]) * scale;
        const isOn = wanted >= THIN && touches(part, level, t, u);
        const width = isOn ? wanted : slot;
        const shift = (slot - width) / 2;
        const to = isLast ? classesX - 4 : standing.parts[level + 1][u].x;
        const isHeld = heldAt(look, level, t, u) !== undefined;
        const key = {
          "data-river": `${level}/${t}/${u}`,
          "data-layer": id,
          class: isHeld ? "overview-flow is-held" : "overview-flow",
        };
        if (slot < THIN && !isHeld) paths.push(h("path", { ...key, d: "" }));
        else {
          const wide = Math.max(isHeld ? 1 : 0, width);
          const from = box.x + box.width;
          const bend = level === 0 ? bendOf(layout, from) : from;
          const d = ribbon(bend, outY[t] + shift, to, inY[u] + shift, wide, from);
          ways.push({ level, from: t, to: u, d, wide: isHeld ? Infinity : slot });
          paths.push(
            h("path", {
              ...key,
              d,
              fill:
                owners.length > 0
                  ? (ownColor(owners, isLast ? u : lead) ?? "var(--even)")
                  : isMoved
                    ? movedColor((mine[at] - before[at]) / unit)
                    : "var(--even)",
              // Not `opacity`, with which each of hundreds would be a layer of its own.
              "fill-opacity": !isOn
                ? 0.05
                : isLit || isHeld
                  ? 0.95
                  : width < 1
                    ? 0.22
                    : width < 2
                      ? 0.4
                      : 0.84,
            }),
          );
        }
        outY[t] += slot;
        inY[u] += slot;
      }
    }
  });
  return { paths, ways };
}

const REACHED = 12; // ribbons of a level: the widest, and those that are held

/**
 * What keys reach of the ribbons from a level to the next: Tab comes to the widest.
 * @param {Look} look @param {readonly Way[]} ways @param {number} level
 */
export function waysOf(look, ways, level) {
  const { flows, moment, scene } = look;
  if (flows === null || moment === null || scene.isEmpty) return h("g", {});
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
 * @param {Float64Array} all (parts, above) @param {number} parts @param {number} above
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
