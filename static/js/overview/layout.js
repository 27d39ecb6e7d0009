/**
 * Where everything stands in the picture of the whole network. Pure geometry, in CSS px.
 *
 * Columns are pictures, gaps are flows. A part is as high as what passes through it; one
 * scale, px for a flow of 1, holds for all rivers and all iterations, so that what grows is
 * seen to grow.
 * @import { Column, Scene } from "./types.js"
 * @import { Flows, Moment } from "./flows.js"
 */
import { bothOf } from "../geometry/windows.js";
import { clamp } from "../lib/arithmetic.js";
import { cutInMiddle, unisolated } from "../lib/format.js";
import { isColour } from "../lib/pixels.js";
import { arriving, throughOf } from "./flows.js";
import { picturesRoom, scaleWith } from "./pictured.js";

export const NARROW = 760; // up to here pictures stand above the flow
const TITLES = 46; // two lines of names and sizes
const GAP = 1.5; // between parts
const FILLED = 0.7; // the most of a column that parts take before anything flows
const PLAN = 16; // below a column of maps: how many there are
const LETTER = { slim: 7, usual: 10.8, broad: 16.5 }; // of a class's name, in any font
const NARROWER = 13 / 15; // names on a phone
const MOST_PITCH = 0.066; // of the width, for the names of columns beside each other
export const ROUTED = 120; // px between levels and classes that have room for a name
const [NUMBER, POWER] = [46, 80]; // px of a score; of one with a power of ten
const MOST_NAME = 0.2; // of the width: longer names are cut
const BENT = 110; // px from pictures of parts to the classes, in which ribbons bend
const PICTURES = 4; // at a part, at most
const WRITTEN = 15; // px from one line of names to the next
const SHOWN = { wide: 8, least: 2, narrow: 4 }; // maps
const APART = 18; // px between names of layers beside each other
const LEGIBLE = 24; // px of a map, where there is room for fewer
const OF_PHOTOGRAPHS = { shown: 5, larger: 1.2 }; // maps, so that what is in them is seen

/** @typedef {{ x: number, y: number, width: number, height: number }} Box */

/**
 * @typedef {object} MapsPlace
 * @property {Column} column
 * @property {readonly number[]} numbers of the maps shown
 * @property {readonly Box[]} boxes
 * @property {Box | null} plan where all maps are a cell each; null where all are shown
 * @property {number} across cells of the plan in a row
 */

/**
 * @typedef {object} Layout
 * @property {number} width
 * @property {number} height
 * @property {boolean} isWide
 * @property {number} top of the flow
 * @property {number} space down to its end
 * @property {Box} image
 * @property {Box | null} drawn
 * @property {readonly MapsPlace[]} maps
 * @property {number} scale px for a flow of 1
 * @property {readonly number[]} axes the middle of each level
 * @property {readonly number[]} bases the least height of a part of each level
 * @property {number} bead the most that a part is wide
 * @property {number} classesX
 * @property {number} nameWidth of a class
 * @property {number} nameRoom the most that a class's name is wide
 * @property {number} barWidth
 * @property {number} row the least height of a class
 * @property {number} titlesY
 * @property {import("./pictured.js").PicturesRoom | null} pictures of parts; null: none
 */

/**
 * @param {Scene} scene @param {Flows | null} flows
 * @param {{ width: number, height: number }} size
 * @param {Flows | null} [before] what flowed in the intact run: what is changed keeps its place
 * @returns {Layout}
 */
export function layOut(scene, flows, size, before = null) {
  for (let most = PICTURES; most > 0; most--) {
    const layout = layOutWith(scene, flows, size, before, most);
    const { pictures, classesX, axes } = layout;
    const room = classesX - axes[pictures?.level ?? 0] - (pictures?.reach ?? 0);
    if (!pictures || room >= (axes.length > 1 ? BENT / 2 : BENT)) return layout;
  }
  return layOutWith(scene, flows, size, before, 0);
}

/**
 * @param {Scene} scene @param {Flows | null} flows
 * @param {{ width: number, height: number }} size @param {Flows | null} before
 * @param {number} mostPictures of a part
 * @returns {Layout}
 */
function layOutWith(scene, flows, { width, height }, before, mostPictures) {
  const isWide = width > NARROW;
  const levels = flows?.levels ?? [];
  const columns = scene.columns.filter(
    (each) => !levels.some(({ column }) => column === each),
  );
  const isPhotograph = isColour(scene.pixels);
  const room = { width, height, isWide, several: levels.length > 1, isPhotograph };
  const ends = endsOf(scene, room, columns.length);
  const { top, space, image, side } = ends;
  const classes = classesPlace(scene, room, side);
  const { classesX } = classes;
  const strong = (/** @type {Column} */ column, /** @type {number} */ most) =>
    strongest(scene.before?.columns.find(({ id }) => id === column.id) ?? column, most);
  // Where nothing is known to flow, maps take the room up to the classes.
  const end = levels.length === 0 ? classesX : null;
  const around = { left: image.width, top, space, width, end, isPhotograph };
  const maps = isWide
    ? mapsBeside(columns, around, strong)
    : mapsAbove(columns, { side, width, y: ends.pictureY }, strong);
  const row = Math.min(30, space / (scene.names.length + 9));
  const parts = partsRoom(
    scene,
    { flows, before },
    { ...room, space, row, mostPictures },
  );
  const { bead } = parts;
  const first = isWide
    ? firstAxis(maps, levels, image, { ...room, bead, classesX })
    : bead / 2;
  const beside = room.several && parts.pictures ? parts.pictures.reach - bead / 2 : 0;
  const pitch = (classesX - first - bead / 2 - beside) / Math.max(1, levels.length);
  const apart = pitch + (room.several ? bead / 2 / levels.length : 0);
  return {
    ...{ width, height, isWide, top, space, image, maps, row },
    ...parts,
    ...classes,
    drawn: ends.drawn,
    axes: levels.map((_, at) => first + at * apart),
    titlesY: isWide ? 16 : top - 28,
  };
}

/**
 * @typedef {object} Room
 * @property {number} width @property {number} height
 * @property {boolean} isWide
 * @property {boolean} several levels
 * @property {boolean} isPhotograph
 */

/**
 * The image, what is drawn of it, and the flow between them; on a phone below them.
 * @param {Pick<Scene, "pixels" | "drawn">} scene @param {Room} room @param {number} columns
 */
function endsOf({ pixels, drawn }, room, columns) {
  const { width, height, isWide } = room;
  const side = sideOf(room, columns);
  const top = isWide ? TITLES + 6 : TITLES + side + 2 * TITLES - 34;
  const space = height - top - 4;
  const shape = inShape(side, pixels.columns / pixels.rows);
  const pictureY = isWide ? top + space / 2 - side / 2 : TITLES;
  const picture = { y: pictureY + (side - shape.height) / 2, ...shape };
  return {
    ...{ side, top, space, pictureY },
    image: { x: 0, ...picture },
    drawn: drawn && { x: width - picture.width, ...picture },
  };
}

/** @param {Scene} scene @param {Room} room @param {number} side of what is drawn */
function classesPlace(scene, { width, isWide }, side) {
  const nameRoom = MOST_NAME * width;
  const longest = Math.min(nameRoom, Math.max(...scene.names.map(widthOf)));
  const isShort = scene.names.every((name) => name.length < 3);
  const nameWidth = isShort ? 20 : 14 + longest * (isWide ? 1 : NARROWER);
  const barWidth = clamp((isWide ? 0.075 : 0.11) * width, 34, 110);
  const atEnd = isWide ? (scene.drawn ? side : 90) + Math.max(34, 0.042 * width) : 4;
  const number = !isWide && scene.measure === "probability" ? POWER : NUMBER;
  const classesX = width - atEnd - barWidth - nameWidth - number;
  return { nameRoom, nameWidth, barWidth, classesX };
}

/**
 * How high parts are, and what of them is pictures.
 * @param {Scene} scene @param {{ flows: Flows | null, before: Flows | null }} runs
 * @param {Room & { space: number, row: number, mostPictures: number }} room
 * @returns {Pick<Layout, "pictures" | "bases" | "scale" | "bead">}
 */
function partsRoom(scene, { flows, before }, room) {
  const { space, row, isWide, several, isPhotograph, mostPictures } = room;
  const levels = flows?.levels ?? [];
  const isPair = scene.present.length === 2 && !isPhotograph;
  const answers = isPair ? scene.present : [scene.prediction];
  const pictures = picturesRoom(scene, levels, {
    ...{ space, isWide, most: mostPictures, answers: answers.length },
    hasFields: levels.length === 1 && seesImage(levels[0].column, scene.columns),
  });
  const bases = levels.map(({ groups }) => baseOf(groups.length, { several, space }));
  if (pictures && !several) bases[0] = Math.min(bases[0], pictures.base);
  const runs = [flows, before].filter((each) => each !== null);
  const cap = capOf(room);
  const scales = runs.map((each) =>
    scaleOf(each, { bases, cap: pictures && !several ? Infinity : cap, space, row }),
  );
  if (pictures && flows) {
    const own = { base: bases[pictures.level], gap: GAP, space };
    scales.push(scaleWith(pictures, { flows, before, answers }, own));
  }
  const scale = scales.length > 0 ? Math.min(...scales) : 1;
  const beads = runs.map((each) => beadOf(each, { bases, cap, scale }));
  const bead = Math.max(0, ...beads);
  if (!pictures || !several)
    return { pictures, bases, scale, bead: pictures?.tile ?? bead };
  // Of several levels, tiles keep their size.
  const reach = pictures.reach + (bead - pictures.tile) / 2;
  return { pictures: { ...pictures, tile: bead, reach }, bases, scale, bead };
}

/** The most that a part is wide. @param {Room} room */
function capOf({ width, isWide, several }) {
  if (isWide) return (several ? 0.058 : 0.105) * width;
  return several ? 34 : 74;
}

/** The least that each of so many parts is high. @param {number} parts @param {{ several: boolean, space: number }} room */
function baseOf(parts, { several, space }) {
  const usual = several ? 34 : parts > 16 ? 12 : 20;
  const least = Math.max(0.5, (FILLED * space) / parts - GAP); // what is low shows flows, too
  return Math.min(usual, space / (parts * 1.72), least);
}

/**
 * The middle of the lowest level.
 * @param {readonly MapsPlace[]} maps @param {Flows["levels"]} levels @param {Box} image
 * @param {Room & { bead: number, classesX: number }} room
 */
function firstAxis(
  maps,
  levels,
  image,
  { width, several, isPhotograph, bead, classesX },
) {
  const mapsEnd = Math.max(image.width, ...maps.flatMap(rightOf));
  const isNear = isPhotograph && maps.length < 3;
  const afterMaps = mapsEnd + (isNear ? 0.03 : 0.05) * width + bead / 2;
  if (several) return Math.max(afterMaps, 0);
  const named = afterNames(maps, levels[0]?.column, classesX - bead);
  return Math.max(afterMaps, 0.36 * width, named);
}

/**
 * As large as fits a square of a side, in a shape of so many columns to a row.
 * @param {number} side @param {number} ratio @param {number} [most] of the side in width
 */
function inShape(side, ratio, most = 1) {
  const width = side * Math.min(most, ratio);
  return { width, height: width / ratio };
}

/** How large the image and what is drawn are. @param {Room} room @param {number} columns */
function sideOf(room, columns) {
  const { width, height, isWide, several, isPhotograph } = room;
  if (!isWide) return Math.min(150, 0.29 * width);
  const share = (several || columns > 2 ? 0.125 : 0.155) + (isPhotograph ? 0.02 : 0);
  const most = Math.min(220, (height - TITLES) * 0.45);
  return clamp(share * width, Math.min(100, (height - TITLES) * 0.75), most);
}

/**
 * The rows that can be written on without one line lying on another.
 * @param {readonly { y: number, height: number }[]} rows
 * @param {readonly number[]} order rows, those that matter most first
 * @returns {Set<number>}
 */
export function writable(rows, order) {
  const middles = rows.map(({ y, height }) => y + height / 2);
  const found = new Set();
  for (const row of order) {
    const isFree = (/** @type {number} */ other) =>
      Math.abs(middles[other] - middles[row]) >= WRITTEN;
    if ([...found].every(isFree)) found.add(row);
  }
  return found;
}

/**
 * A bold name has at most this width in px: letters differ by more than fonts do.
 * @param {string} name
 */
export function widthOf(name) {
  let width = 0;
  for (const letter of unisolated(name))
    width += /[ijlrtfI1.,:; -]/.test(letter)
      ? LETTER.slim
      : /[mwMWQO@%]/.test(letter)
        ? LETTER.broad
        : LETTER.usual;
  return width;
}

/**
 * A name that is at most so wide, cut where it is wider.
 * @param {string} name @param {number} room px
 */
export const shortened = (name, room) =>
  cutInMiddle(name, (cut) => widthOf(cut) <= room);

/** From the middle of a layer's name to that of the next, in px. */
const fromName = (/** @type {string} */ one, /** @type {string} */ next) =>
  (widthOf(one) + widthOf(next)) / 2 + APART;

/**
 * Where the name of a level no longer runs into that of the last maps, as far as there is
 * room.
 * @param {readonly MapsPlace[]} maps @param {Column | undefined} level @param {number} end
 */
function afterNames(maps, level, end) {
  const last = maps.at(-1);
  if (last === undefined || level === undefined) return 0;
  const [{ x, width }] = last.boxes;
  const at = x + width / 2 + fromName(last.column.title, level.title);
  return Math.min(at, end - ROUTED);
}

/** @param {MapsPlace} place */
const rightOf = ({ boxes }) => boxes.map(({ x, width }) => x + width);

/**
 * Columns of maps, one beside the other.
 * @param {readonly Column[]} columns
 * @param {{ left: number, top: number, space: number, width: number, end: number | null, isPhotograph: boolean }} room
 *   end: what they are spread up to
 * @param {typeof strongest} strong
 * @returns {MapsPlace[]}
 */
function mapsBeside(columns, room, strong) {
  const { left, top, space, width, end, isPhotograph } = room;
  const count = columns.length;
  const gap = 7;
  const start = left + (count > 2 ? 0.04 : isPhotograph ? 0.05 : 0.07) * width;
  const spread = end === null ? 0 : (end - start) / Math.max(1, count);
  const usual = Math.max(
    count > 3 ? 40 : count > 1 ? 52 : 68,
    Math.min(68, spread / 2),
  );
  const most = usual * (isPhotograph ? OF_PHOTOGRAPHS.larger : 1);
  const fitting = Math.floor((space - PLAN) / (LEGIBLE + gap)) - 1;
  const many = isPhotograph ? OF_PHOTOGRAPHS.shown : SHOWN.wide;
  const shown = clamp(fitting, SHOWN.least, many);
  const tile = Math.min(most, (space - shown * gap - PLAN) / (shown + 1));
  const near = tile + Math.max(14, (count > 1 ? 0.028 : 0.05) * width);
  const names = Math.max(
    0,
    ...columns.slice(1).map(({ title }, at) => fromName(columns[at].title, title)),
  );
  const pitch = Math.max(near, spread, Math.min(names, MOST_PITCH * width));
  return columns.map((column, at) => {
    const numbers = strong(column, shown);
    const isPart = numbers.length < column.count;
    const lines = numbers.length + (isPart ? 1 : 0);
    const high = lines * (tile + gap) - gap + (isPart ? PLAN : 0);
    const x = start + at * pitch;
    const y = top + Math.max(0, (space - high) / 2);
    const shape = inShape(tile, column.columns / column.rows, 1.6);
    const box = (/** @type {number} */ line) => ({
      x,
      y: y + line * (tile + gap),
      ...shape,
    });
    const across = Math.ceil(Math.sqrt(column.count));
    return {
      column,
      numbers,
      across,
      boxes: numbers.map((_, line) => box(line)),
      plan: isPart
        ? {
            ...box(numbers.length),
            height: (tile / across) * Math.ceil(column.count / across),
          }
        : null,
    };
  });
}

/**
 * On a phone: a few maps of the first column between the image and what is drawn.
 * @param {readonly Column[]} columns
 * @param {{ side: number, width: number, y: number }} room
 * @param {typeof strongest} strong
 * @returns {MapsPlace[]}
 */
function mapsAbove(columns, { side, width, y }, strong) {
  return columns.slice(0, 1).map((column) => {
    const numbers = strong(column, SHOWN.narrow);
    const tile = (side - 4) / 2;
    const boxes = numbers.map((_, at) => ({
      x: (width - side) / 2 + (at % 2) * (tile + 4),
      y: y + Math.floor(at / 2) * (tile + 4),
      ...inShape(tile, column.columns / column.rows),
    }));
    return { column, numbers, boxes, plan: null, across: 1 };
  });
}

/**
 * Of the maps that have come those with the most in them, in their order.
 * @param {Column} column @param {number} most
 */
function strongest({ numbers, strength }, most) {
  return numbers
    .toSorted((a, b) => strength[b] - strength[a])
    .slice(0, most)
    .sort((a, b) => a - b);
}

/**
 * The largest scale at which no column is higher than the space, and no part wider than
 * its cap, in any iteration.
 * @param {Flows} flows
 * @param {{ bases: readonly number[], cap: number, space: number, row: number }} room
 */
function scaleOf(flows, { bases, cap, space, row }) {
  let scale = 1e4;
  for (let step = 0; step < flows.steps; step++) {
    const moment = flows.at(step);
    const got = total(arriving(moment.outs[moment.outs.length - 1]));
    if (got > 0) scale = Math.min(scale, (space - flows.classes * row - 8) / got);
    flows.levels.forEach(({ groups }, level) => {
      const through = throughOf(moment, level);
      const [sum, most] = [total(through), Math.max(...through)];
      if (sum <= 0) return;
      const left = space - groups.length * (bases[level] + GAP);
      scale = Math.min(scale, left / sum, (cap - bases[level] * 0.4) / most);
    });
  }
  return Math.max(0, scale);
}

/** @param {Flows} flows @param {Pick<Layout, "bases" | "scale"> & { cap: number }} size */
function beadOf(flows, { bases, cap, scale }) {
  let most = 0;
  for (let step = 0; step < flows.steps; step++)
    flows.levels.forEach((_, level) => {
      const through = throughOf(flows.at(step), level);
      most = Math.max(most, Math.max(...through) * scale + bases[level]);
    });
  return Math.min(cap, most);
}

/** @param {ArrayLike<number>} values */
function total(values) {
  let sum = 0;
  for (let at = 0; at < values.length; at++) sum += values[at];
  return sum;
}

/**
 * Where parts and classes stand in one iteration.
 * @typedef {object} Standing
 * @property {readonly (readonly Box[])[]} parts by level
 * @property {readonly (readonly { y: number, height: number }[])[]} slots by level: the
 *   room of each part, with what passes through it
 * @property {readonly { y: number, height: number }[]} rows of the classes
 * @property {Float64Array} got px that come to each class
 */

/**
 * @param {Layout} layout @param {Flows | null} flows @param {Moment | null} moment
 * @param {number} classes
 * @param {Moment | null} [was] what had passed before something was changed keeps its room
 * @param {readonly number[]} [pictured] parts of the last level that carry pictures
 * @returns {Standing}
 */
export function stand(layout, flows, moment, classes, was = null, pictured = []) {
  const { scale, bases, bead, axes, top, space, row, pictures } = layout;
  const least = (/** @type {number} */ level, /** @type {number} */ part) =>
    level === pictures?.level && pictured.includes(part) ? pictures.slot : 0;
  const levels = flows?.levels ?? [];
  const slots = levels.map((_, level) => {
    const own = throughOf(/** @type {Moment} */ (moment), level);
    const through = was ? most(own, throughOf(was, level)) : own;
    return stacked(
      Array.from(through, (value, part) =>
        Math.max(bases[level] + GAP + value * scale, least(level, part)),
      ),
      top,
      space,
    );
  });
  const last = moment?.outs.at(-1);
  const got = last
    ? arriving(last).map((value) => value * scale)
    : new Float64Array(classes);
  return {
    slots,
    parts: slots.map((level, at) => {
      const { rows, columns } = gridIn(levels[at]);
      return level.map(({ y, height }) => {
        const side = Math.min(height - GAP, bead);
        const width = side * Math.min(1, columns / rows);
        const [x, high] = [axes[at] - width / 2, side * Math.min(1, rows / columns)];
        return { x, y: y + (height - high) / 2, width, height: high };
      });
    }),
    rows: stacked(
      Array.from(was && last ? most(got, arrivingIn(was, scale)) : got, (value) =>
        Math.max(row, value + Math.min(8, row)),
      ),
      top,
      space,
    ),
    got,
  };
}

/**
 * The places of a tile. One that stands alone is drawn as a square: what is in it is the
 * numbers of its pose.
 * @param {Flows["levels"][number]} level
 */
export function gridIn({ column: { rows, columns }, river }) {
  const isAlone = river.by === "capsules" && river.places === 1;
  return isAlone ? { rows: 1, columns: 1 } : { rows, columns };
}

/** @param {Moment} moment @param {number} scale px that come to each class */
const arrivingIn = ({ outs }, scale) =>
  arriving(outs[outs.length - 1]).map((value) => value * scale);

/** @param {Float64Array} one @param {Float64Array} other */
const most = (one, other) => one.map((value, at) => Math.max(value, other[at]));

/** @param {readonly number[]} wanted heights @param {number} top @param {number} space */
function stacked(wanted, top, space) {
  const share = Math.min(1, space / total(wanted));
  const heights = wanted.map((height) => share * height);
  let y = top + Math.max(0, space - total(heights)) / 2;
  return heights.map((height) => {
    const at = { y, height };
    y += height;
    return at;
  });
}

/** Where ribbons from a level begin to bend: beside its pictures. @param {Layout} layout @param {number} level @param {number} from */
export const bendOf = ({ pictures, axes }, level, from) =>
  level === pictures?.level ? Math.max(from, axes[level] + pictures.reach) : from;

/**
 * A ribbon of one width: both edges are the same curve.
 * @param {number} x @param {number} y where it bends, its upper edge
 * @param {number} toX @param {number} toY @param {number} width
 * @param {number} [start] where it begins, straight up to where it bends
 */
export function ribbon(x, y, toX, toY, width, start = x) {
  const middle = round((x + toX) / 2);
  const [a, b, c, d] = [round(y), round(toY), round(toY + width), round(y + width)];
  const [from, to] = [round(x), round(toX)];
  const straight = start < x ? `M${from} ${a}V${d}H${round(start)}V${a}Z` : "";
  return `M${from} ${a}C${middle} ${a} ${middle} ${b} ${to} ${b}V${c}C${middle} ${c} ${middle} ${d} ${from} ${d}Z${straight}`;
}

/**
 * How far a place is from the middle of a ribbon at its x, in px; across it, not along it.
 * @param {string} d as `ribbon` made it @param {{ x: number, y: number }} at
 */
export function offMiddle(d, at) {
  const [from, y, middle, , , , to, toY, lower] = (d.match(/-?[\d.]+/g) ?? []).map(
    Number,
  );
  let [low, high] = [0, 1];
  for (let turn = 0; turn < 20; turn++) {
    const t = (low + high) / 2;
    const x = from * (1 - t) ** 3 + 3 * middle * t * (1 - t) + to * t ** 3;
    if (x < at.x) low = t;
    else high = t;
  }
  const smooth = low ** 2 * (3 - 2 * low);
  return Math.abs(y + (toY - y) * smooth + (lower - toY) / 2 - at.y);
}

/** Whether it is known what its cells see of the image. @param {Column} column @param {readonly Column[]} columns */
const seesImage = (column, columns) =>
  seenFrom(column, columns, { row: 0, column: 0 }).at(-1)?.id === null;

/** To hundredths of a pixel. @param {number} value */
export const round = (value) => Math.round(value * 100) / 100;

/**
 * Cells of a layer, or pixels of the image where the id is null; they may reach beyond it.
 * @typedef {{ id: string | null, row: number, column: number, rows: number, columns: number }} Seen
 */

/**
 * The cells of each layer below, down to the pixels of the image, that one cell sees.
 * @param {Column} from @param {readonly Column[]} columns
 * @param {{ row: number, column: number }} cell
 * @returns {Seen[]} first those of the layer right below
 */
export function seenFrom(from, columns, cell) {
  const found = [];
  let seen = { ...cell, rows: 1, columns: 1 };
  /** @type {Column | undefined} */
  let at = from;
  while (at !== undefined && at.window !== null) {
    const { size, step, first = 0 } = at.window;
    const [sizes, steps, firsts] = [size, step, first].map(bothOf);
    seen = {
      row: firsts[0] + seen.row * steps[0],
      column: firsts[1] + seen.column * steps[1],
      rows: (seen.rows - 1) * steps[0] + sizes[0],
      columns: (seen.columns - 1) * steps[1] + sizes[1],
    };
    const below = /** @type {string | null} */ (at.below);
    at = columns.find(({ id }) => id === below);
    found.push({ id: at?.id ?? null, ...seen });
  }
  return found;
}
