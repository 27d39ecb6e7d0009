/**
 * Frames of tiles, which open their layers, by pointer and by keys; and marks on tiles.
 * @import { Box, Standing } from "./layout.js"
 * @import { Look, PartAt } from "./picture.js"
 * @import { Piece } from "./pieces.js"
 * @import { Described } from "../ui/h.js"
 */
import { ranked } from "../lib/arithmetic.js";
import { ownOf } from "../lib/own.js";
import { h } from "../ui/h.js";
import { ledFrom } from "./flows.js";
import { leadOf } from "./labels.js";
import { round } from "./layout.js";
import { seeksWords, standsWords } from "./looks.js";
import { pieceWords } from "./pieces.js";
import { isSilent } from "./stage.js";
import { gifts } from "./words.js";

/** What arrow keys walk up and down, and from one to the next. @param {string} [name] */
export const column = (name) => ({
  role: "group",
  "aria-label": name,
  "data-column": true,
});

/** The image, or what is drawn of it, which opens its view. @param {string} id @param {string} title @param {Box} box */
export const framed = (id, title, box) =>
  h(
    "g",
    column(title),
    frame(box, { "data-layer": id, role: "button", tabindex: 0, "aria-label": title }),
  );

/** The maps of each layer, which open it. @param {Look} look @returns {Described[]} */
export function maps({ layout }) {
  return layout.maps.map(({ column: of, numbers, boxes }) =>
    h(
      "g",
      column(`${of.title}: ${of.many}`),
      boxes.map((box, at) =>
        frame(box, {
          "data-layer": of.id,
          "data-part": numbers[at],
          role: "button",
          tabindex: at === 0 ? 0 : -1,
          "aria-label": `${of.one} ${numbers[at]}`,
        }),
      ),
    ),
  );
}

/**
 * The parts of each level, which can be pointed at and reached by keys: Tab comes to the one
 * that gives most to the class in the lead.
 * @param {Look} look @param {Standing} standing @param {readonly Piece[]} pieces
 * @returns {Described[]}
 */
export function parts(look, standing, pieces) {
  const { flows, moment } = look;
  if (flows === null || moment === null) return [];
  const lead = leadOf(look);
  return flows.levels.map(({ column: { id, title, many }, groups }, level) => {
    const out = moment.outs[level];
    const [best] = ranked(groups.map((_, at) => ledFrom(out, at, lead, flows.classes)));
    return h(
      "g",
      column(`${title}: ${many}`),
      standing.parts[level].map((box, at) => {
        const isRest = groups[at].length > 1;
        return frame(box, {
          class: isRest ? "overview-frame is-rest" : "overview-frame",
          "data-tile": `${level}/${at}`,
          "data-layer": id,
          role: "button",
          "data-part": isRest ? null : groups[at][0],
          tabindex: at === best ? 0 : -1,
          "aria-label": look.isHasty
            ? null
            : partWords(look, { level, tile: at }, pieces),
        });
      }),
    );
  });
}

/**
 * What a part gives, and what its pictures show.
 * @param {Look} look @param {PartAt} part @param {readonly Piece[]} pieces
 */
function partWords(look, part, pieces) {
  const { flows, moment, scene } = look;
  if (flows === null || moment === null) return "";
  const { groups, column: of } = flows.levels[part.level];
  const [type, ...others] = groups[part.tile];
  if (scene.isEmpty) return `${of.one} ${groups[part.tile][0]}`;
  return [
    gifts(flows, moment, part, scene.names),
    others.length === 0 && standsWords(of, type),
    others.length === 0 && seeksWords(ownOf(scene.sought, of.id), type),
    part.level === look.layout.pictures?.level && pieceWords(look, part.tile, pieces),
    isSilent(look, part) && "silent",
  ]
    .filter(Boolean)
    .join("; ");
}

/** Through what is silent. @param {Look} look @param {Standing} standing @returns {Described[]} */
export function strikes(look, standing) {
  return standing.parts.flatMap((parts, level) =>
    parts.flatMap(({ x, y, width, height }, tile) =>
      isSilent(look, { level, tile })
        ? h("path", {
            class: "overview-strike",
            d: `M${round(x - 2)} ${round(y + height + 2)}L${round(x + width + 2)} ${round(y - 2)}`,
          })
        : [],
    ),
  );
}

/** @param {Box} box @param {Described["attributes"]} [more] */
function frame(box, more = {}) {
  return h("rect", { class: "overview-frame", ...rounded(box), ...more });
}

/** @param {Box} box */
const rounded = ({ x, y, width, height }) => ({
  x: round(x),
  y: round(y),
  width: round(width),
  height: round(height),
});

/** Where the maps shown are among all. @param {Look} look @returns {Described[]} */
export function plans({ layout }) {
  return layout.maps.flatMap(({ column, numbers, plan, across }) => {
    if (plan === null) return [];
    const cell = {
      width: plan.width / across,
      height: plan.height / Math.ceil(column.count / across),
    };
    return [
      ...numbers.map((number) =>
        h("rect", {
          class: "overview-window is-thin",
          ...rounded({
            x: plan.x + (number % across) * cell.width,
            y: plan.y + Math.floor(number / across) * cell.height,
            ...cell,
          }),
        }),
      ),
      h(
        "text",
        { x: round(plan.x), y: round(plan.y + plan.height + 13) },
        `${numbers.length} of ${column.count}`,
      ),
    ];
  });
}
