/**
 * What the move did, worked out: the sentences, and what the table counts.
 * @import { Place, PooledMap } from "../windows.js"
 * @import { Run } from "../view.js"
 * @import { Kind } from "./comparison.js"
 * @import { Shift } from "./shift.js"
 */
import { fourOf } from "../windows.js";
import { maximumWords } from "../words.js";
import {
  changeOf,
  countsOf,
  keptAlong,
  keptValues,
  movedWindows,
} from "./comparison.js";
import { KIND_WORDS } from "./kinds.js";
import { inkLost } from "./shift.js";
import {
  alongWords,
  answerWords,
  lostInkWords,
  movedWords,
  softenedWords,
} from "./words.js";

/**
 * @typedef {object} Asked
 * @property {readonly PooledMap[]} maps the chosen map before and after
 * @property {number} map its number
 * @property {Shift} shift
 * @property {number} step from one window to the next, in pixels of the image
 * @property {{ below: string, own: string }} names of the layers
 * @property {readonly string[]} classes their names
 */

/**
 * @param {Run} run
 * @param {Run} moved
 * @param {Asked} asked
 */
export function tellMove(run, moved, { maps, map, shift, step, names, classes }) {
  const [before, after] = maps;
  const [was, is] = [run.layer, moved.layer];
  const own = countsOf(before, after);
  const all = countsOf(
    { pooled: was.pooled.data, winners: was.winners.data },
    { pooled: is.pooled.data, winners: is.winners.data },
  );
  const changes = {
    below: changeOf(was.below.data, is.below.data),
    own: changeOf(was.pooled.data, is.pooled.data),
  };
  const by = movedWindows(shift, step);
  const sentences = [
    movedWords(own, shift, `map ${map}`),
    softenedWords(changes, names),
    by === null
      ? ""
      : alongWords(keptAlong(was.pooled.data, is.pooled.data, before.across, by), by),
    answerWords({
      names: classes,
      before: run.scores,
      after: moved.scores,
      first: run.prediction,
      now: moved.prediction,
    }),
    lostInkWords(inkLost(run.pixels, moved.pixels)),
  ];
  return {
    sentences: sentences.filter((sentence) => sentence !== ""),
    columns: [
      { windows: own, pixels: keptValues(before.below, after.below) },
      { windows: all, pixels: keptValues(was.below.data, is.below.data) },
    ],
  };
}

/**
 * One window before and after.
 * @param {readonly PooledMap[]} maps before and after
 * @param {Place} at
 * @param {Kind} kind
 */
export function windowText(maps, at, kind) {
  const [before, after] = maps.map((map) =>
    maximumWords(fourOf(map, at), map.winners[at.row * map.across + at.column]),
  );
  const { words } = KIND_WORDS[kind];
  return `row ${at.row}, column ${at.column}: before ${before}; after ${after}; ${words}`;
}
