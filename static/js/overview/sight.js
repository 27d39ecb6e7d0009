/**
 * What the strongest cell sees, down to the image; and which places of the image spoke for a
 * class.
 * @import { Box, Standing } from "./layout.js"
 * @import { Look } from "./picture.js"
 * @import { Described } from "../ui/h.js"
 */
import { h } from "../ui/h.js";
import { leadOf } from "./labels.js";
import { gridIn, round, seenFrom } from "./layout.js";

/**
 * The cell of the lowest level that gives most to the class in the lead.
 * @param {Look} look
 * @returns {{ part: number, row: number, column: number } | null}
 */
export function strongestCell(look) {
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

/**
 * What the strongest cell sees in each layer down to the image, and the cell itself.
 * @param {Look} look @param {Standing} standing
 * @param {ReturnType<typeof strongestCell>} cell
 * @returns {Box[][]} from the cell down; those of a layer side by side
 */
export function seenBoxes({ scene, flows, layout }, standing, cell) {
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
export function fans({ layout }, seen) {
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

/** @param {Box[][]} seen */
export function windows(seen) {
  return seen.flat().map((box) => h("rect", { class: "overview-window", ...box }));
}

/**
 * Which places spoke for the class in focus: circles at the middle of what they see.
 * @param {Look} look
 * @returns {Described[]}
 */
export function dots(look) {
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
    /** @type {import("./flows.js").Numbers} */ spoken,
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
