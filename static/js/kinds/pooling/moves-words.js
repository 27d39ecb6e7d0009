/**
 * What a move of the image does to pooling, in words that follow from the counts.
 * @import { Counts } from "./moves.js"
 * @import { Shift } from "../../lib/shift.js"
 */
import { exactShare } from "../../lib/decimals.js";
import { counted, grouped, percent } from "../../lib/format.js";
import { isMoved, shiftWords } from "../../lib/shift.js";

/** A smaller share of the ink is not worth a sentence. */
const LITTLE = 0.0005;

/**
 * Which values stay and which pixels win.
 * @param {Counts} counts @param {Shift} shift
 * @param {string} whose such as "map 5"
 */
export function movedWords(counts, shift, whose) {
  if (!isMoved(shift))
    return "The image has not moved, and every window holds the same values as before.";
  const { windows, active, zero } = counts;
  if (active === 0)
    return `All ${grouped(windows)} windows of ${whose} are 0 before and after the move: none has a winner, and nothing in them can change.`;
  const subject = `${counted(active, "window")} of ${whose} ${active === 1 ? "is" : "are"} above 0 before the move or after it.`;
  const empty =
    zero === 0
      ? []
      : [
          zero === 1
            ? "The other one is 0 both times: it has no winner and is not counted."
            : `The other ${grouped(zero)} are 0 both times: they have no winner and are not counted.`,
        ];
  return [subject, ...changeWords(counts), ...empty].join(" ");
}

/**
 * @param {Counts} counts at least one window is active
 * @returns {string[]} sentences
 */
function changeWords({ active, kept, absorbed, contested, rewon }) {
  const gone = active - kept;
  if (gone === 0 && absorbed === 0)
    return ["Every value stays, and so does every winner: this move changes nothing."];
  if (gone === 0)
    return [
      `Every value stays, although another pixel wins ${placeOf(absorbed, active)}: pooling hides the whole move.`,
    ];
  if (kept === 0)
    return [
      "No value stays: pooling hides nothing of this move.",
      ...(contested === 0
        ? []
        : [
            `Another pixel wins in ${rewon} of the ${contested} with a winner both times.`,
          ]),
    ];
  const stays = `The value stays in ${grouped(kept)} (${percent(kept / active, 0)})`;
  const rest = `The value changes in ${grouped(gone)}.`;
  if (absorbed === 0) return [`${stays}, with the same winner as before.`, rest];
  return [
    `${stays}; ${placeOf(absorbed, kept)} another pixel wins now, so that pooling hides the move there.`,
    rest,
  ];
}

/** @param {number} count @param {number} of */
function placeOf(count, of) {
  if (count < of) return `in ${grouped(count)} of these`;
  return of === 1 ? "in that one" : "in all of these";
}

/**
 * Whether pooling makes the layer less sensitive to a move.
 * @param {{ below: number, own: number }} changes of all values, as shares of their sum;
 *   not a number where there is no activation
 * @param {{ below: string, own: string }} names of the layers
 */
export function softenedWords(changes, names) {
  if (Number.isNaN(changes.below) || Number.isNaN(changes.own)) return "";
  const [before, after] = [changes.below, changes.own].map((share) =>
    percent(share, 1),
  );
  if (changes.below === 0 && changes.own === 0)
    return "Over all maps, no value changes, before pooling or after it.";
  const facts = `Over all maps, the values of ${names.below} change by ${before} of their sum, those of ${names.own} by ${after}`;
  if (before === after) return `${facts}: pooling makes no difference to this move.`;
  return changes.own < changes.below
    ? `${facts}: pooling softens this move.`
    : `${facts}: pooling does not soften this move.`;
}

/**
 * Where the image moved by whole windows.
 * @param {{ active: number, kept: number }} along windows that hold what the one before
 *   them held
 * @param {Shift} by in windows
 */
export function alongWords({ active, kept }, by) {
  if (active === 0) return "";
  const all = active === 1 ? "the only window" : `all ${grouped(active)} windows`;
  const held =
    kept === active ? all : `${grouped(kept)} of ${counted(active, "window")}`;
  const keep = active === 1 || kept === 1 ? "keeps its" : "keep their";
  return `The windows cover the same parts of the image as before, so the pooled map moves too: ${shiftWords(by, "window")}. At the moved places, ${held} ${keep} value.`;
}

/** @param {number} share of the ink, in 0..1 */
export function lostInkWords(share) {
  return share < LITTLE
    ? ""
    : `${percent(share, 1)} of the ink has left the image over its edge.`;
}

/**
 * What the network answers before and after.
 * @param {{ names: readonly string[], before: ArrayLike<number>, after: ArrayLike<number>, first: number, now: number }} scores
 *   first: the class of highest probability before, now: the one after the move
 */
export function answerWords({ names, before, after, first, now }) {
  const was = `${names[first]} with a probability of ${exactShare(before[first])}`;
  const is = `of ${exactShare(after[now])}`;
  return first === now
    ? `Before the move the network reads ${was}; after it, ${names[now]} again, with a probability ${is}.`
    : `Before the move the network reads ${was}; after it, ${names[now]} with a probability ${is}.`;
}
