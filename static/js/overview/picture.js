/**
 * The picture of the whole network as a description of what is drawn: what flows, which
 * lies below the tiles; the tiles; and what lies above them.
 * @import { Box, Layout, Seen, Standing } from "./layout.js"
 * @import { Flows, Moment } from "./flows.js"
 * @import { Column, Scene } from "./types.js"
 * @import { Described } from "../ui/h.js"
 */
import { h } from "../ui/h.js";
import { ledFrom } from "./flows.js";
import { column, framed, maps, parts, plans, strikes } from "./frames.js";
import { classRows, leadOf, titles, verdict } from "./labels.js";
import { round, stand } from "./layout.js";
import { pieceMarks, piecesOf, pieceTiles } from "./pieces.js";
import { ribbons, unknown, waysOf } from "./ribbons.js";
import { dots, fans, seenBoxes, strongestCell, windows } from "./sight.js";
import { isSilent } from "./stage.js";

const APART = 6; // px between two digits
const LEAST = 0.02; // of a class's sum: what gives less does not lead to it

/**
 * @typedef {object} Tile
 * @property {Column | "image" | "drawn" | "alone" | "plan" | "saw" | "seeks" | "says"} from
 *   what it shows; alone: one of two digits
 * @property {Column} [of] whose plan it is, or what its types seek
 * @property {number} number which tile of a column, by its place among those that have come;
 *   which type, of what it saw, seeks and says
 * @property {Seen} [window] of the image, that was seen
 * @property {number} [answer] the class that is spoken of
 * @property {Box} box
 * @property {number} alpha
 */

/**
 * @typedef {object} Picture
 * @property {Described[]} under
 * @property {Tile[]} tiles
 * @property {Described[]} over
 */

/** A part of a level, from the lowest up. @typedef {{ level: number, tile: number }} PartAt */

/**
 * @typedef {object} Look
 * @property {Scene} scene
 * @property {Flows | null} flows
 * @property {Moment | null} moment between two iterations while it moves
 * @property {Layout} layout
 * @property {number} step with a fraction while it moves
 * @property {number | null} focus the class pointed at or chosen
 * @property {number | null} held the class chosen
 * @property {PartAt | null} part pointed at
 * @property {Moment | null} was the same moment before something was changed
 * @property {readonly number[]} owners two classes that have colours of their own, or none
 * @property {readonly number[]} answers the classes that pictures at parts are of: chosen or
 *   named, and never one that is only pointed at, so that nothing moves under the pointer
 * @property {readonly number[]} pictured parts of the last level that carry pictures
 * @property {boolean} isHasty the next reading comes at once: what is only for keys and for
 *   who cannot see is left out
 */

/** @param {Look} shown @returns {Picture} */
export function picture(shown) {
  const { scene, flows, layout, moment, was, part } = shown;
  // Who points at what is silent wants to see what became of the others.
  const look = { ...shown, part: part && isSilent(shown, part) ? null : part };
  const { pictured } = shown;
  const standing = stand(layout, flows, moment, scene.names.length, was, pictured);
  const pieces = piecesOf(look, standing);
  const strongest = strongestCell(look);
  const seen = seenBoxes(look, standing, strongest);
  const { paths, ways } = ribbons(look, standing);
  const levels = parts(look, standing, pieces.pieces);
  return {
    under: [
      group([...fans(look, seen), ...unknown(look, standing)]),
      group(wedge(look, standing)),
      group(paths),
    ],
    tiles: [...tilesOf(look, standing), ...pieceTiles(look, pieces.pieces)],
    over: [
      framed("input", "Image", layout.image),
      group(titles(look), "Layers"),
      group(maps(look)),
      group(levels.flatMap((each, level) => [each, waysOf(look, ways, level)])),
      group(pieceMarks(look, pieces)),
      group(strikes(look, standing)),
      group(plans(look)),
      group(windows(seen)),
      group(dots(look)),
      group(verdict(look)),
      h("g", column(scene.classes?.title), classRows(look, standing)),
      scene.drawn && layout.drawn
        ? framed(scene.drawn.id, scene.drawn.title, layout.drawn)
        : group([]),
    ],
  };
}

/**
 * However many dots or windows there are, what follows keeps its place, and its focus.
 * @param {Described | Described[]} content @param {string} [name] of what can be reached
 */
function group(content, name) {
  return h("g", name ? { role: "group", "aria-label": name } : {}, content);
}

/** @param {Look} look @param {Standing} standing @returns {Tile[]} */
function tilesOf(look, standing) {
  const { layout, focus, scene } = look;
  const alpha = scene.isEmpty ? 0 : focus === null ? 1 : 0.6;
  /** @type {Tile} */
  const image = { from: "image", number: 0, box: layout.image, alpha };
  const ends = [image, ...drawnTiles(look)];
  if (scene.isEmpty) return ends;
  return [...ends, ...layout.maps.flatMap(mapTiles), ...partTiles(look, standing)];
}

/** What is drawn of the image; of two digits also of each alone. @param {Look} look @returns {Tile[]} */
function drawnTiles({ layout, owners }) {
  const { drawn, isWide } = layout;
  if (!drawn) return [];
  const alone = isWide ? [...owners.keys()] : [];
  return [
    { from: "drawn", number: 0, box: drawn, alpha: 1 },
    ...alone.map((number) => ({
      from: /** @type {const} */ ("alone"),
      ...{ number, box: besideOther(drawn, number), alpha: 1 },
    })),
  ];
}

/** @param {Layout["maps"][number]} place @returns {Tile[]} */
function mapTiles({ column, numbers, boxes, plan }) {
  const shown = numbers.map((map, at) => ({
    from: column,
    number: column.numbers.indexOf(map),
    ...{ box: boxes[at], alpha: 1 },
  }));
  return plan
    ? [...shown, { from: "plan", of: column, number: 0, box: plan, alpha: 0.85 }]
    : shown;
}

/** @param {Look} look @param {Standing} standing @returns {Tile[]} */
function partTiles(look, standing) {
  const levels = look.flows?.levels ?? [];
  return levels.flatMap(({ column, groups }, level) =>
    groups.map(([first, ...others], at) => {
      const isLit = isOn(look, level, at) && !isSilent(look, { level, tile: at });
      return {
        from: column,
        // One for all others has no picture.
        number: others.length > 0 ? -1 : column.numbers.indexOf(first),
        box: standing.parts[level][at],
        alpha: isLit ? 1 : 0.22,
      };
    }),
  );
}

/** Below what is drawn, each of the two digits alone. @param {Box} drawn @param {number} number 0 or 1 */
function besideOther({ x, y, width, height }, number) {
  const side = (width - APART) / 2;
  const size = { width: side, height: (side * height) / width };
  return { ...size, x: x + number * (side + APART), y: y + height + APART };
}

/** Whether a part leads to what is in focus. @param {Look} look @param {number} level @param {number} at */
function isOn({ moment, focus, part, flows }, level, at) {
  if (moment === null || flows === null) return true;
  if (part?.level === level && part.tile !== at) return false;
  if (focus === null) return true;
  const given = ledFrom(moment.outs[level], at, focus, flows.classes);
  return given > LEAST * Math.max(1e-6, Math.abs(moment.sums[focus]));
}

/** @param {Look} look @param {Standing} standing */
function wedge(look, standing) {
  const { layout, scene } = look;
  const { drawn, isWide, classesX, nameWidth, barWidth } = layout;
  if (drawn === null || !isWide || scene.classes === null)
    return h("path", { class: "overview-wedge", d: "" });
  const { y, height } = standing.rows[leadOf(look)];
  const from = `${round(classesX + nameWidth + barWidth + 46)} ${round(y + height / 2)}`;
  return h("path", {
    class: "overview-wedge",
    d: `M${from}L${round(drawn.x - 6)} ${round(drawn.y)}v${round(drawn.height)}Z`,
  });
}
