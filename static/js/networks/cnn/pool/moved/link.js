/**
 * How far the image is moved, in a link: `moved=-1,2` is one pixel up and two right.
 * @import { Shift } from "./shift.js"
 */
import { isMoved, MOST, UNMOVED } from "./shift.js";

/**
 * @param {URLSearchParams} link nothing is added to it where nothing is moved
 * @param {Shift} shift
 */
export function writeShift(link, shift) {
  if (isMoved(shift)) link.set("moved", `${shift.down},${shift.right}`);
}

/**
 * @param {URLSearchParams} link
 * @returns {Shift} unmoved where the link says none, or one that is too far
 */
export function readShift(link) {
  const found = /^(-?\d),(-?\d)$/.exec(link.get("moved") ?? "");
  if (found === null) return UNMOVED;
  const [down, right] = found.slice(1).map(Number);
  const isNear = Math.abs(down) <= MOST && Math.abs(right) <= MOST;
  return isNear && isMoved({ down, right }) ? { down, right } : UNMOVED;
}
