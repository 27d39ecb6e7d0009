/**
 * What is said of pieces and of what networks make of them; every sentence follows from
 * its numbers.
 * @import { ScoreKind } from "../../core/scores.js"
 * @import { Assembled, Move } from "./arrangement.js"
 * @import { Cut } from "./cut.js"
 * @import { Measurement } from "../../types.js"
 */

import { exactShare, fewestDecimals, rounded } from "../../lib/decimals.js";
import {
  capitalized,
  counted,
  fixed,
  grouped,
  listed,
  percent,
} from "../../lib/format.js";
import { isStill } from "./arrangement.js";

/** What the highest score is called, by its kind. */
const WINNERS = /** @type {Record<ScoreKind, string>} */ ({
  length: "longest capsule",
  probability: "highest probability",
  activation: "highest activation",
  score: "highest score",
});

/** Less of the ink than this may be what turns interpolate … */
const LITTLE = 0.0005;
/** … and less than this what sums miss. */
const NOTHING = 1e-9;

/** @param {ScoreKind} kind */
export function winnerName(kind) {
  return WINNERS[kind];
}

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

/**
 * What a network does with an image, such as `reads 4`; its best class, and that one's score.
 * @typedef {{ reads: string, best: string, score: number }} Best
 */

/**
 * What one network says of the whole image and of the jumbled one.
 * @typedef {object} Verdict
 * @property {string} name of the network
 * @property {ScoreKind} kind of its scores
 * @property {Best} whole
 * @property {Best} jumbled
 * @property {number | null} passing the score that 95 % of clean test digits reach; null
 *   where it was not measured
 * @property {{ whole: number, jumbled: number } | null} errors of its reconstructions
 */

/**
 * The highest score of the whole image, and what 95 % of clean ones reach, for a verdict.
 * @param {Verdict} verdict
 */
export function wholeWords({ whole, passing }) {
  if (passing === null) return `whole: ${exactShare(whole.score, 2)}`;
  const [score, level] = apart([whole.score, passing]);
  return `whole: ${score}; 95${THIN}% of test images reach ${level}`;
}

/**
 * A sentence for each network, and one that compares them by what their own clean images
 * reach, because their scores are different things.
 * @param {readonly Verdict[]} verdicts
 * @param {boolean} isMoved whether any piece is
 * @returns {string[]}
 */
export function verdictWords(verdicts, isMoved) {
  if (verdicts.length === 0) return ["No network takes part."];
  if (!isMoved)
    return ["The image is as it was. Move, turn or shuffle some of its pieces."];
  return [...verdicts.map(oneVerdict), ...together(verdicts)];
}

/** @param {Verdict} verdict */
function oneVerdict({ name, kind, whole, jumbled, passing, errors }) {
  const winner = winnerName(kind);
  const reads =
    whole.reads === jumbled.reads
      ? `${name} still ${jumbled.reads}`
      : `${name} ${whole.reads} in the whole image and now ${jumbled.reads}`;
  const [from, to, needed] = apart([whole.score, jumbled.score, passing ?? 0]);
  const scores = `${reads}: its ${winner} ${from === to ? `stays at ${to}` : `goes from ${from} to ${to}`}`;
  const drawn = errors === null ? "" : ` ${drawnWords(errors, jumbled.best)}`;
  if (passing === null) return `${scores}.${drawn}`;
  const level = `the ${needed} that 95${THIN}% of whole test images reach`;
  const [was, is] = [whole.score >= passing, jumbled.score >= passing];
  const held = {
    "true true": `both reach ${level}`,
    "true false": `the whole image reaches ${level}, the jumbled one does not`,
    "false true": `the jumbled image reaches ${level}, the whole one does not`,
    "false false": `neither reaches ${level}`,
  }[`${was} ${is}`];
  return `${scores}; ${held}.${drawn}`;
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
    scores.every((one) =>
      scores.every(
        (other) => one <= other || rounded(one, count) > rounded(other, count),
      ),
    ),
  );
  return scores.map((score) => exactShare(score, Math.min(decimals, MOST_DECIMALS)));
}

/**
 * What a capsule believes, against what there is to see.
 * @param {{ whole: number, jumbled: number }} errors @param {string} read
 */
function drawnWords({ whole, jumbled }, read) {
  const [was, is] = [whole, jumbled].map((error) => fixed(error, 3));
  const what = `The ${read} that it draws is off by ${is}, mean squared`;
  if (was === is) return `${what}, as much as for the whole image.`;
  return jumbled > whole
    ? `${what}; for the whole image it was ${was}.`
    : `${what}, less than for the whole image (${was}).`;
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

/**
 * What so many tiles do to the test set.
 * @param {Measurement} test
 * @param {number} across tiles in a row
 * @returns {string} empty where this was not measured
 */
export function measuredTiles(test, across) {
  const place = test.values.indexOf(across);
  if (place < 0) return "";
  const { images, accuracy, passing, passing_score, roc_area } = test;
  const how = across === 1 ? "left whole" : `in ${across}×${across} shuffled tiles`;
  const right = `Of ${grouped(images)} test images ${how}, ${percent(accuracy[place], 1)} are read right`;
  if (passing === undefined || passing_score === undefined || roc_area === undefined)
    return `${right}.`;
  const reach = `${right}. The highest score is at least ${exactShare(passing_score, 3)} in ${percent(passing[place], 1)} of all`;
  return across === 1
    ? `${reach}.`
    : `${reach}, as in 95\u202f% of whole images. As a test for shuffling, the highest score has an area under the ROC curve of ${fixed(roc_area[place], 3)} (0.5: it tells nothing; 1: it tells all).`;
}
