/**
 * What of the picture the run on stage changes: parts that are silent, and ribbons that are
 * held.
 * @import { Look, PartAt } from "./picture.js"
 */

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
export function isSilent(look, part) {
  const tile = silenceable(look, part);
  return tile !== null && look.scene.stage?.silent.includes(tile) === true;
}

/**
 * The coupling at which a ribbon is held in the run on stage.
 * @param {Pick<Look, "scene" | "flows">} look @param {number} level
 * @param {number} from @param {number} to
 */
export function heldAt(look, level, from, to) {
  const held = look.scene.stage?.held ?? [];
  if (held.length === 0) return undefined;
  const tile = silenceable(look, { level, tile: from });
  return held.find((each) => each.tile === tile && each.target === to)?.coupling;
}
