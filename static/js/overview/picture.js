/**
 * The picture of the whole network as a description of what is drawn: what flows, which
 * lies below the tiles; the tiles; and what lies above them.
 * @import { Box, Layout, Standing } from "./layout.js"
 * @import { Flows, Moment } from "./flows.js"
 * @import { Column, Scene } from "./types.js"
 * @import { Described } from "../ui/h.js"
 */
import { ranked } from "../lib/arithmetic.js";
import { fixed } from "../lib/format.js";
import { h } from "../ui/h.js";
import { classRows, leadOf, titles, verdict } from "./labels.js";
import { gridIn, ribbon, round, seenFrom, stand } from "./layout.js";
import { ownColor } from "./owners.js";
import { movedColor } from "./shades.js";
import { flowing, gifts } from "./words.js";

const THIN = 0.4; // px; what is thinner is not drawn
const APART = 6; // px between two digits
const LEAST = 0.02; // of a class's sum: what gives less does not lead to it

/**
 * @typedef {object} Tile
 * @property {Column | "image" | "drawn" | "alone" | "plan"} from what it shows; alone: one of
 *   two digits
 * @property {Column} [of] whose plan it is
 * @property {number} number which tile of a column, by its place among those that have come
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
 */

/** @param {Look} shown @returns {Picture} */
export function picture(shown) {
  const { scene, flows, layout, moment, was, part } = shown;
  // Who points at what is silent wants to see what became of the others.
  const look = { ...shown, part: part && isSilent(shown, part) ? null : part };
  const standing = stand(layout, flows, moment, scene.names.length, was);
  const strongest = strongestCell(look);
  const seen = seenBoxes(look, standing, strongest);
  const { paths, ways } = ribbons(look, standing);
  const levels = parts(look, standing);
  return {
    under: [
      group([...fans(look, seen), ...unknown(look, standing)]),
      group(wedge(look, standing)),
      group(paths),
    ],
    tiles: tilesOf(look, standing),
    over: [
      framed("input", "Image", layout.image),
      group(titles(look), "Layers"),
      group(maps(look)),
      group(levels.flatMap((each, level) => [each, waysOf(look, ways, level)])),
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

/** What arrow keys walk up and down, and from one to the next. @param {string} [name] */
const column = (name) => ({ role: "group", "aria-label": name, "data-column": true });

// What flows.

/** A ribbon that can be reached by keys. @typedef {{ level: number, from: number, to: number, d: string, wide: number }} Way */

/**
 * @param {Look} look @param {Standing} standing
 * @returns {{ paths: Described[], ways: Way[] }}
 */
function ribbons(look, standing) {
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
          ...{ "data-river": `${level}/${t}/${u}`, "data-layer": id },
          class: isHeld ? "overview-flow is-held" : "overview-flow",
        };
        if (slot < THIN && !isHeld) paths.push(h("path", { ...key, d: "" }));
        else {
          const wide = Math.max(isHeld ? 1 : 0, width);
          const from = box.x + box.width;
          const d = ribbon(from, outY[t] + shift, to, inY[u] + shift, wide);
          ways.push({ level, from: t, to: u, d, wide: isHeld ? Infinity : slot });
          paths.push(
            h("path", {
              ...{ ...key, d },
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
function waysOf(look, ways, level) {
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
          ...{ class: "overview-way", d: way.d, role: "button" },
          ...{ "data-way": ends.join("/"), "data-layer": river.id },
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
 * The coupling at which a ribbon is held in the run on stage.
 * @param {Pick<Look, "scene" | "flows">} look @param {number} level
 * @param {number} from @param {number} to
 */
function heldAt(look, level, from, to) {
  const held = look.scene.stage?.held ?? [];
  if (held.length === 0) return undefined;
  const tile = silenceable(look, { level, tile: from });
  return held.find((each) => each.tile === tile && each.target === to)?.coupling;
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

// What the strongest cell sees.

/**
 * The cell of the lowest level that gives most to the class in the lead.
 * @param {Look} look
 * @returns {{ part: number, row: number, column: number } | null}
 */
function strongestCell(look) {
  const { flows, step } = look;
  if (flows === null) return null;
  const part = lowest(look);
  const [{ column, river, groups }] = flows.levels;
  const { spoken } = flows.at(Math.round(step));
  const lead = leadOf(look);
  let best = { part: 0, place: 0, value: Number.NEGATIVE_INFINITY };
  for (let t = 0; t < groups.length; t++) {
    if (groups[t].length > 1 || (part !== null && part !== t)) continue;
    for (let p = 0; p < river.places; p++) {
      const value = spoken[(t * river.places + p) * flows.classes + lead];
      if (value > best.value) best = { part: t, place: p, value };
    }
  }
  const { columns } = column;
  const [row, at] = [Math.floor(best.place / columns), best.place % columns];
  return { part: best.part, row, column: at };
}

/** The part of the lowest level that is pointed at. @param {Look} look */
const lowest = ({ part }) => (part?.level === 0 ? part.tile : null);

/** A layer's boxes in which what the strongest cell sees is marked. @typedef {{ boxes: readonly Box[] }} Seen */

/**
 * What the strongest cell sees in each layer down to the image, and the cell itself.
 * @param {Look} look @param {Standing} standing
 * @param {ReturnType<typeof strongestCell>} cell
 * @returns {Box[][]} from the cell down; those of a layer side by side
 */
function seenBoxes({ scene, flows, layout }, standing, cell) {
  if (flows === null || cell === null) return [];
  const { column } = flows.levels[0];
  const { row, column: at, part } = cell;
  const own = within(standing.parts[0][part], gridIn(flows.levels[0]), {
    row,
    column: at,
    rows: 1,
    columns: 1,
  });
  /** @type {Box[][]} */
  const found = [[own]];
  for (const window of seenFrom(column, scene.columns, { row, column: at })) {
    if (window.id === null) {
      found.push([within(layout.image, scene.pixels, window)]);
      continue;
    }
    const place = layout.maps.find((each) => each.column.id === window.id);
    if (place) found.push(place.boxes.map((box) => within(box, place.column, window)));
  }
  return found;
}

/**
 * A window of cells in a box that shows all of them.
 * @param {Box} box @param {{ rows: number, columns: number }} grid
 * @param {{ row: number, column: number, rows: number, columns: number }} window
 * @returns {Box} no part of it outside
 */
function within(box, grid, window) {
  const [wide, high] = [box.width / grid.columns, box.height / grid.rows];
  const clip = (/** @type {number} */ value, /** @type {number} */ most) =>
    Math.min(most, Math.max(0, value));
  const [left, right] = [window.column, window.column + window.columns].map((x) =>
    clip(x, grid.columns),
  );
  const [top, bottom] = [window.row, window.row + window.rows].map((y) =>
    clip(y, grid.rows),
  );
  return {
    x: round(box.x + left * wide),
    y: round(box.y + top * high),
    width: round((right - left) * wide),
    height: round((bottom - top) * high),
  };
}

/** @param {Look} look @param {Box[][]} seen */
function fans({ layout }, seen) {
  if (!layout.isWide) return [];
  /** @type {Described[]} */
  const found = [];
  for (let level = seen.length - 1; level > 0; level--)
    for (const below of seen[level]) {
      // Of several maps above, only those beside it: lines to all would be a mist.
      const targets =
        seen[level].length > 1 && seen[level - 1].length > 1
          ? [seen[level - 1][seen[level].indexOf(below)]]
          : seen[level - 1];
      for (const above of targets)
        if (above)
          found.push(
            h("path", {
              class: "overview-fan",
              d: `M${round(below.x + below.width)} ${below.y}L${above.x} ${above.y}v${above.height}L${round(below.x + below.width)} ${round(below.y + below.height)}Z`,
            }),
          );
    }
  return found;
}

/**
 * To the classes, where it is not known what flows there.
 * @param {Look} look @param {Standing} standing
 * @returns {Described[]}
 */
function unknown({ flows, layout, scene }, standing) {
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

/** @param {Box[][]} seen */
function windows(seen) {
  return seen.flat().map((box) => h("rect", { class: "overview-window", ...box }));
}

/**
 * Which places spoke for the class in focus: circles at the middle of what they see.
 * @param {Look} look
 * @returns {Described[]}
 */
function dots(look) {
  const { flows, scene, layout, focus, step } = look;
  if (flows === null || focus === null) return [];
  const part = lowest(look);
  const [{ column, river, groups }] = flows.levels;
  const { classes } = flows;
  const { places } = river;
  const sees = seenFrom(column, scene.columns, { row: 0, column: 0 }).at(-1);
  const next = seenFrom(column, scene.columns, { row: 1, column: 1 }).at(-1);
  if (places === 1 || sees === undefined || sees.id !== null || next === undefined)
    return [];
  const spokenAt = (
    /** @type {Float64Array} */ spoken,
    /** @type {number} */ p,
    /** @type {number} */ k,
  ) => {
    let sum = 0;
    for (let t = 0; t < groups.length; t++)
      if (part === null || part === t) sum += spoken[(t * places + p) * classes + k];
    return sum;
  };
  // One scale for all classes of an image: the loudest place for the verdict.
  const { spoken: last } = flows.at(flows.steps - 1);
  let loudest = 1e-9;
  for (let p = 0; p < places; p++)
    loudest = Math.max(loudest, Math.abs(spokenAt(last, p, scene.prediction)));
  const { spoken } = flows.at(Math.round(step));
  const px = layout.image.width / scene.pixels.columns;
  const reach = (next.column - sees.column) * px * 0.56;
  return Array.from({ length: places }, (_, p) => {
    const value = spokenAt(spoken, p, focus);
    const r = Math.min(1.6, Math.sqrt(Math.abs(value) / loudest)) * reach;
    const [row, at] = [Math.floor(p / column.columns), p % column.columns];
    const place = (/** @type {number} */ cell, /** @type {"row" | "column"} */ axis) =>
      (sees[axis] + cell * (next[axis] - sees[axis]) + sees.rows / 2) * px;
    return h("circle", {
      class: value < 0 ? "overview-dot is-less" : "overview-dot",
      cx: round(layout.image.x + place(at, "column")),
      cy: round(layout.image.y + place(row, "row")),
      r: r < 0.8 ? 0 : round(r),
    });
  });
}

// Tiles and their frames.

/** @param {Look} look @param {Standing} standing @returns {Tile[]} */
function tilesOf(look, standing) {
  const { layout, flows, focus, scene } = look;
  const image = { from: /** @type {const} */ ("image"), number: 0, box: layout.image };
  /** @type {Tile[]} */
  const tiles = [{ ...image, alpha: scene.isEmpty ? 0 : focus === null ? 1 : 0.6 }];
  if (layout.drawn)
    tiles.push({ from: "drawn", number: 0, box: layout.drawn, alpha: 1 });
  for (const number of look.owners.keys())
    if (layout.drawn && layout.isWide)
      tiles.push({
        ...{ from: "alone", number, alpha: 1 },
        box: besideOther(layout.drawn, number),
      });
  if (scene.isEmpty) return tiles;
  for (const { column, numbers, boxes, plan } of layout.maps) {
    for (const [at, map] of numbers.entries()) {
      const number = column.numbers.indexOf(map);
      tiles.push({ from: column, number, box: boxes[at], alpha: 1 });
    }
    if (plan)
      tiles.push({ from: "plan", of: column, number: 0, box: plan, alpha: 0.85 });
  }
  for (const [level, { column, groups }] of (flows?.levels ?? []).entries())
    for (const [at, [first, ...others]] of groups.entries())
      tiles.push({
        from: column,
        // One for all others has no picture.
        number: others.length > 0 ? -1 : column.numbers.indexOf(first),
        box: standing.parts[level][at],
        alpha: isOn(look, level, at) && !isSilent(look, { level, tile: at }) ? 1 : 0.22,
      });
  return tiles;
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

/**
 * What a part gives of what leads to a class; of that what is above zero.
 * @param {Moment["outs"][number]} out @param {number} part @param {number} classIndex
 * @param {number} classes
 */
function ledFrom({ above, led }, part, classIndex, classes) {
  let sum = 0;
  for (let u = 0; u < above; u++)
    sum += Math.max(0, led[(part * above + u) * classes + classIndex]);
  return sum;
}

/** The image, or what is drawn of it, which opens its view. @param {string} id @param {string} title @param {Box} box */
const framed = (id, title, box) =>
  h(
    "g",
    column(title),
    frame(box, { "data-layer": id, role: "button", tabindex: 0, "aria-label": title }),
  );

/** The maps of each layer, which open it. @param {Look} look @returns {Described[]} */
function maps({ layout }) {
  return layout.maps.map(({ column: of, numbers, boxes }) =>
    h(
      "g",
      column(`${of.title}: ${of.many}`),
      boxes.map((box, at) =>
        frame(box, {
          ...{ "data-layer": of.id, "data-part": numbers[at], role: "button" },
          ...{ tabindex: at === 0 ? 0 : -1, "aria-label": `${of.one} ${numbers[at]}` },
        }),
      ),
    ),
  );
}

/**
 * The parts of each level, which can be pointed at and reached by keys: Tab comes to the one
 * that gives most to the class in the lead.
 * @param {Look} look @param {Standing} standing
 * @returns {Described[]}
 */
function parts(look, standing) {
  const { flows, moment, scene } = look;
  if (flows === null || moment === null) return [];
  const lead = leadOf(look);
  return flows.levels.map(({ column: { id, title, one, many }, groups }, level) => {
    const out = moment.outs[level];
    const [best] = ranked(groups.map((_, at) => ledFrom(out, at, lead, flows.classes)));
    return h(
      "g",
      column(`${title}: ${many}`),
      standing.parts[level].map((box, at) =>
        frame(box, {
          class: groups[at].length > 1 ? "overview-frame is-rest" : "overview-frame",
          ...{ "data-tile": `${level}/${at}`, "data-layer": id, role: "button" },
          "data-part": groups[at].length > 1 ? null : groups[at][0],
          tabindex: at === best ? 0 : -1,
          "aria-label": scene.isEmpty
            ? `${one} ${groups[at][0]}`
            : `${gifts(flows, moment, { level, tile: at }, scene.names)}${isSilent(look, { level, tile: at }) ? "; silent" : ""}`,
        }),
      ),
    );
  });
}

/**
 * The tile of a part that can be silenced; null where it cannot.
 * @param {Pick<Look, "scene" | "flows">} look @param {PartAt} part
 */
export function silenceable({ scene: { stage }, flows }, { level, tile }) {
  const { column, groups } = flows?.levels[level] ?? {};
  const [first, ...others] = groups?.[tile] ?? [];
  const isIt =
    column !== undefined && column.id === stage?.below && others.length === 0;
  return isIt ? first : null;
}

/** Whether a part is silent in the run on show. @param {Pick<Look, "scene" | "flows">} look @param {PartAt} part */
function isSilent(look, part) {
  const tile = silenceable(look, part);
  return tile !== null && look.scene.stage?.silent.includes(tile) === true;
}

/** Through what is silent. @param {Look} look @param {Standing} standing @returns {Described[]} */
function strikes(look, standing) {
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
  ...{ x: round(x), y: round(y), width: round(width), height: round(height) },
});

/** Where the maps shown are among all. @param {Look} look @returns {Described[]} */
function plans({ layout }) {
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
