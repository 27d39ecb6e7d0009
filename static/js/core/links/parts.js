/**
 * How a link says an image that is made of parts.
 */

/** What stands for an image where there is none. */
export const EMPTY = "none";

/** Stands between the parts of one thing. */
export const BETWEEN_PARTS = ".";

let turns = 0;

/** The next number of what a hand does until it lets go: all of it is undone at once. */
export function nextTurn() {
  return ++turns;
}
