/**
 * What is said of pieces and of what networks make of them; every sentence follows from
 * its numbers.
 * @import { Assembled, Move } from "./arrangement.js"
 * @import { Cut } from "./cut.js"
 */

import { exactShare, fewestDecimals, presence, rounded } from "../../lib/decimals.js";
import { capitalized, counted, listed, percent } from "../../lib/format.js";
import { isStill } from "./arrangement.js";

/** Less of the ink than this may be what turns interpolate … */
const LITTLE = 0.0005;
/** … and less than this what sums miss. */
const NOTHING = 1e-9;

/**
 * A piece and where it is.
 * @param {Cut} cut @param {number} piece @param {Move} move
 */
export function pieceWords({ pieces }, piece, move) {
  return `Piece ${piece + 1} of ${pieces.length}: ${moveWords(move)}`;
}

/** @param {Move} move */
export function moveWords(move) {
  if (isStill(move)) return "where it was";
  const { down, right, turn } = move;
  const moved = [
    ...(right === 0 ? [] : [`${Math.abs(right)} px ${right > 0 ? "right" : "left"}`]),
    ...(down === 0 ? [] : [`${Math.abs(down)} px ${down > 0 ? "down" : "up"}`]),
  ];
  const turned =
    turn === 0
      ? []
      : [turn <= 180 ? `turned ${turn}°` : `turned ${360 - turn}° clockwise`];
  return [...moved, ...turned].join(", ");
}

/**
 * How much was changed, and what became of the ink.
 * @param {readonly Move[]} moves @param {Pick<Assembled, "beyond" | "covered" | "hasInk">} assembled
 */
export function arrangementWords(moves, { beyond, covered, hasInk }) {
  if (moves.length === 0 || !hasInk) return "There is no ink to cut.";
  const many = moves.filter((move) => !isStill(move)).length;
  if (moves.length === 1 && many === 0)
    return "The image is a single piece: nothing can change places.";
  if (many === 0) return `${counted(moves.length, "piece")}, all where they were.`;
  const count = `${many} of ${counted(moves.length, "piece")} moved or turned.`;
  const lost = [
    ...(beyond < LITTLE
      ? []
      : [`${percent(beyond, 1)} of the ink lies outside the image`]),
    ...(covered < LITTLE
      ? []
      : [
          `${percent(covered, 1)} ${beyond < LITTLE ? "of the ink lies " : ""}under other ink`,
        ]),
  ];
  const rest = Math.max(beyond, covered) < NOTHING ? "All" : "Nearly all";
  if (lost.length === 0) return `${count} ${rest} of the ink is still there.`;
  return `${count} ${capitalized(lost.join(", "))}.`;
}

/** What a network does with an image, such as `reads 4`, and its highest score. @typedef {{ reads: string, score: number }} Best */

/**
 * What one network says of the whole image and of the jumbled one.
 * @typedef {object} Verdict
 * @property {string} name of the network
 * @property {Best} whole
 * @property {Best} jumbled
 * @property {number | null} passing the score that 95 % of clean test digits reach; null
 *   where it was not measured
 */

/**
 * The highest score of the whole image, and what 95 % of clean ones reach, for a verdict.
 * @param {Verdict} verdict
 */
export function wholeWords({ whole, passing }) {
  if (passing === null) return `whole: ${presence(whole.score)}`;
  const [score, level] = apart([whole.score, passing]);
  return `whole: ${score}; 95${THIN}% of test images reach ${level}`;
}

/**
 * Which networks read otherwise, and which notice, by what their own clean images reach,
 * because their scores are different things.
 * @param {readonly Verdict[]} verdicts
 * @param {boolean} isMoved whether any piece is
 * @returns {string[]}
 */
export function verdictWords(verdicts, isMoved) {
  if (verdicts.length === 0) return ["No network takes part."];
  if (!isMoved)
    return ["The image is as it was. Move, turn or shuffle some of its pieces."];
  return [readingsWords(verdicts), ...together(verdicts)];
}

const THIN = "\u202f";

/** Scores are written with no more decimals than these. */
const MOST_DECIMALS = 4;

/**
 * Scores, with as many decimals as it takes to tell which of two is the higher one.
 * @param {readonly number[]} scores
 */
function apart(scores) {
  const decimals = fewestDecimals(2, (count) =>
    scores.every((score) =>
      scores.every(
        (other) => score <= other || rounded(score, count) > rounded(other, count),
      ),
    ),
  );
  return scores.map((score) => exactShare(score, Math.min(decimals, MOST_DECIMALS)));
}

/** @param {readonly Verdict[]} verdicts */
function readingsWords(verdicts) {
  const [same, other] = [true, false].map((isSame) =>
    verdicts
      .filter(({ whole, jumbled }) => (whole.reads === jumbled.reads) === isSame)
      .map(({ name }) => name),
  );
  const does = (/** @type {readonly string[]} */ names) =>
    names.length === 1 ? "says" : "say";
  if (other.length === 0)
    return `${listed(same)} still ${does(same)} of the pieces what ${same.length === 1 ? "it says" : "they say"} of the whole image.`;
  const changed = `${listed(other)} ${does(other)} something else of the pieces than of the whole image`;
  return same.length === 0
    ? `${changed}.`
    : `${changed}; ${listed(same)} still ${does(same)} the same.`;
}

/** @param {readonly Verdict[]} verdicts @returns {string[]} */
function together(verdicts) {
  const known = verdicts.filter(
    ({ passing, whole }) => passing !== null && whole.score >= passing,
  );
  if (known.length < 2) return [];
  const [notices, misses] = [false, true].map((isSure) =>
    known
      .filter(({ passing, jumbled }) => jumbled.score >= (passing ?? 0) === isSure)
      .map(({ name }) => name),
  );
  const start = `By the score that 95${THIN}% of its own clean images reach`;
  if (misses.length === 0)
    return [`${start}, ${listed(notices)} notice: they fall below it.`];
  if (notices.length === 0)
    return [`${start}, ${listed(misses)} do not notice: they still reach it.`];
  return [
    `${start}, ${listed(notices)} ${notices.length === 1 ? "notices" : "notice"} that something is wrong; ${listed(misses)} ${misses.length === 1 ? "does" : "do"} not.`,
  ];
}
