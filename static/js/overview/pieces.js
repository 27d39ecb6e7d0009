/**
 * The pictures at the parts that give most: what each saw in this image, seeks and says.
 * @import { Box, Seen, Standing } from "./layout.js"
 * @import { Look, Tile } from "./picture.js"
 * @import { PictureKind } from "./pictured.js"
 * @import { Scene } from "./types.js"
 * @import { Described } from "../ui/h.js"
 */
import { largestOf } from "../lib/arithmetic.js";
import { listed } from "../lib/format.js";
import { ownOf } from "../lib/own.js";
import { h } from "../ui/h.js";
import { round, seenFrom } from "./layout.js";
import { ownColor } from "./owners.js";
import { BETWEEN, sharesOf } from "./pictured.js";

const ABOVE = 4; // px from a picture to its heading
const BASELINE = 4; // px from the middle of letters to their foot
const FADED = 0.35; // while another class is pointed at
const LEAST = 0.005; // a smaller share is not written

/**
 * A part with pictures.
 * @typedef {object} Pictured
 * @property {number} part
 * @property {number} type its tile
 * @property {number} x where its pictures begin @property {number} y
 * @property {readonly number[]} shares of what speaks for each of the answers
 */

/**
 * @typedef {PictureKind & { part: number, type: number, box: Box, is: "shown" | "any" | "against" }} Piece
 *   any: it answers to anything, so it seeks nothing that a picture shows; against: its votes
 *   take away from the class
 */

/**
 * @param {Look} look @param {Standing} standing
 * @returns {{ rows: Pictured[], pieces: Piece[] }}
 */
export function piecesOf(look, standing) {
  const { layout, flows, scene, moment, answers, pictured } = look;
  const { pictures, axes } = layout;
  if (!pictures || !flows || !moment) return { rows: [], pieces: [] };
  const { level } = pictures;
  const { groups, column } = flows.levels[level];
  // Of all parts, as in words: some are drawn together, and add up to less.
  const all = flows.ungrouped(Math.round(look.step));
  const shares = answers.map((each) => sharesOf(all, each));
  const rows = pictured.map((part) => {
    const { y, height } = standing.slots[level][part];
    const [type] = groups[part];
    return {
      ...{ part, type },
      x: axes[level] + pictures.tile / 2 + BETWEEN,
      y: y + (height - pictures.side) / 2,
      shares: shares.map((own) => own[type]),
    };
  });
  const isAny = ownOf(scene.sought, column.id)?.isOfAnything;
  const pieces = rows.flatMap(({ part, type, x, y, shares: own }) =>
    pictures.shown
      .filter(({ answer }) => answer < answers.length)
      .map((kind, at) => ({
        ...kind,
        ...{ part, type },
        is: stateOf(kind, own, isAny?.(type) === true),
        box: {
          x: x + at * (pictures.side + BETWEEN),
          y,
          width: pictures.side,
          height: pictures.side,
        },
      })),
  );
  return { rows, pieces };
}

/**
 * @param {PictureKind} kind @param {readonly number[]} shares @param {boolean} isOfAnything
 * @returns {Piece["is"]}
 */
function stateOf({ of, answer }, shares, isOfAnything) {
  if (of === "seeks" && isOfAnything) return "any";
  return of === "says" && !(shares[answer] > 0) ? "against" : "shown";
}

/** @param {Look} look @param {readonly Piece[]} pieces @returns {Tile[]} */
export function pieceTiles(look, pieces) {
  const { answers, step, flows } = look;
  const alpha = isOfOther(look) ? FADED : 1;
  const now = Math.round(step);
  return pieces
    .filter(({ is }) => is === "shown")
    .map(({ of, part, type, answer, box }) => ({
      from: of,
      number: type,
      of: flows?.levels.at(-1)?.column,
      ...{ alpha, box },
      ...(of === "saw" && { window: windowOf(look, part, now) }),
      ...(of === "says" && { answer: answers[answer] }),
    }));
}

/** Whether another class is pointed at than that of the pictures. @param {Look} look */
const isOfOther = ({ focus, answers }) => focus !== null && !answers.includes(focus);

/**
 * What the capsule of a part that gives most to the answers sees of the image.
 * @param {Look} look @param {number} part @param {number} step a whole one
 */
function windowOf({ scene, flows, answers }, part, step) {
  if (!flows) return undefined;
  const [{ column, river }] = flows.levels;
  const { spoken } = flows.at(step);
  const given = Array.from({ length: river.places }, (_, place) => {
    const from = (part * river.places + place) * flows.classes;
    return answers.reduce((so, each) => so + Math.max(0, spoken[from + each]), 0);
  });
  const place = largestOf(given);
  const cell = {
    row: Math.floor(place / column.columns),
    column: place % column.columns,
  };
  return seenFrom(column, scene.columns, cell).at(-1);
}

/**
 * Frames, headings and shares.
 * @param {Look} look @param {ReturnType<typeof piecesOf>} what
 * @returns {Described[]}
 */
export function pieceMarks(look, { rows, pieces }) {
  if (rows.length === 0) return [];
  return [
    ...rows.map((row) => framesOf(look, row, pieces)),
    ...headings(rows, pieces),
    ...rows.flatMap((row) => rowWords(look, row)),
  ];
}

/** Whose parts have pictures. @param {Look} look */
const levelOf = ({ layout }) => layout.pictures?.level ?? 0;

/** A part's pictures, which open it; keys reach its tile instead. @param {Look} look @param {Pictured} row @param {readonly Piece[]} pieces */
function framesOf(look, row, pieces) {
  const own = pieces.filter(({ part }) => part === row.part);
  return h(
    "g",
    { "aria-hidden": "true", "data-pieces": pieceWords(look, row.part, pieces) },
    own.flatMap(({ of, answer, is, box, part }) => [
      h("rect", {
        class: is === "shown" ? "overview-piece" : "overview-piece is-blank",
        "data-tile": `${levelOf(look)}/${part}`,
        "data-says":
          of === "says" ? `${levelOf(look)}/${part}/${look.answers[answer]}` : null,
        x: round(box.x),
        y: round(box.y),
        width: round(box.width),
        height: round(box.height),
      }),
      h(
        "text",
        {
          class: "overview-piece-words",
          x: round(box.x + box.width / 2),
          y: round(box.y + box.height / 2 + BASELINE),
          "text-anchor": "middle",
        },
        { shown: "", any: "any", against: "−" }[is],
      ),
    ]),
  );
}

/** Over the uppermost. @param {readonly Pictured[]} rows @param {readonly Piece[]} pieces */
function headings(rows, pieces) {
  const [first] = rows.toSorted((a, b) => a.y - b.y);
  return pieces
    .filter(({ part }) => part === first.part)
    .map(({ of, box }) =>
      h(
        "text",
        {
          class: "overview-piece-words",
          x: round(box.x + box.width / 2),
          y: round(box.y - ABOVE),
          "text-anchor": "middle",
        },
        of,
      ),
    );
}

/** Its number, and what it gives of what speaks for each answer. @param {Look} look @param {Pictured} row */
function rowWords(look, { type, y, shares }) {
  const { layout, answers, owners } = look;
  const { pictures, isWide } = layout;
  if (!pictures) return [];
  const axis = layout.axes[pictures.level];
  const middle = round(y + pictures.side / 2 + BASELINE);
  const line = { class: "overview-piece-words", y: middle };
  const written = shares
    .map((share, at) => ({ share, answer: answers[at] }))
    .filter(({ share }) => share >= LEAST && !isOfOther(look));
  return [
    h(
      "text",
      { ...line, x: round(axis - pictures.tile / 2 - 4), "text-anchor": "end" },
      isWide ? String(type) : "",
    ),
    h(
      "text",
      {
        ...line,
        class: "overview-piece-words is-share",
        x: round(axis + pictures.reach + 5),
      },
      written.map(({ share, answer }, at) =>
        h(
          "tspan",
          { "--own": ownColor(owners, answer) },
          `${at > 0 ? " " : ""}${Math.round(100 * share)}%`,
        ),
      ),
    ),
  ];
}

/**
 * Such as "saw rows 3 to 19, columns 9 to 25; says 4".
 * @param {Look} look @param {number} part @param {readonly Piece[]} pieces
 * @returns {string} empty of a part without pictures
 */
export function pieceWords(look, part, pieces) {
  const { scene, step, answers } = look;
  const own = pieces.filter((piece) => piece.part === part);
  const says = (/** @type {Piece["is"]} */ state) =>
    listed(
      own
        .filter(({ of, is }) => of === "says" && is === state)
        .map(({ answer }) => scene.names[answers[answer]]),
    );
  const isSeen = own.some(({ of }) => of === "saw");
  return [
    isSeen && sawWords(scene.pixels, windowOf(look, part, Math.round(step))),
    own.some(({ is }) => is === "any") && "answers to anything",
    says("shown") && `says ${says("shown")}`,
    says("against") && `speaks against ${says("against")}`,
  ]
    .filter(Boolean)
    .join("; ");
}

/**
 * @param {Scene["pixels"]} pixels
 * @param {Seen | undefined} window
 */
function sawWords({ rows, columns }, window) {
  if (!window) return "";
  const range = (
    /** @type {number} */ from,
    /** @type {number} */ count,
    /** @type {number} */ most,
  ) => `${Math.max(0, from)} to ${Math.min(most, from + count) - 1}`;
  return `saw rows ${range(window.row, window.rows, rows)}, columns ${range(window.column, window.columns, columns)}`;
}
