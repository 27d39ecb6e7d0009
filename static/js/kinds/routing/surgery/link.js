/**
 * Interventions as text that is safe and short in a link.
 * @import { Field } from "../../../core/schema.js"
 * @import { Pin, Surgery } from "../types.js"
 * @import { Told } from "./changes.js"
 */

import { choice, group, listed, packed, transient } from "../../../core/schema.js";
import { fromBase64, toBase64 } from "../../../lib/encoding.js";
import { ranges } from "../../../lib/format.js";
import { changeInWords, heldIn, MOST_PINS, NO_SURGERY } from "./changes.js";

/** Decimals of a held coupling; its slider's step is 0.01. */
const COUPLING_DECIMALS = 2;

/** Longer lists are written as bits where those are shorter. People can read a list. */
const LONG = 64;

/** Begins a list that is written as one bit for each capsule. */
const BITS = "m";

/** Where a network runs no routing but its own. */
export const NO_SURGERY_FIELDS = { surgery: transient(NO_SURGERY) };

/** The fields of surgery. @param {Told} parts */
export function surgeryFields(parts) {
  const { types, cells, names } = parts;
  const sizes = { capsules: types * cells, cells, classes: names.length };
  return surgeryOf(parts, {
    routing: choice("routing", ["agreement", "uniform"]),
    pins: listed({
      link: "pin",
      start: NO_SURGERY.pins,
      pack: (pins) => packPins(pins, cells),
      unpack: (texts) => unpackPins(texts, sizes),
    }),
  });
}

/** The same where nothing is routed, and parts can be silenced alone. @param {Told} parts */
export const silenceFields = (parts) =>
  surgeryOf(parts, {
    routing: transient(NO_SURGERY.routing),
    pins: transient(NO_SURGERY.pins),
  });

/** @param {Told} parts @param {Record<"routing" | "pins", Field<any>>} ofRouting */
function surgeryOf(parts, ofRouting) {
  const { types, cells } = parts;
  const surgery = group({
    silenced: packed({
      link: "silence",
      start: /** @type {readonly number[]} */ (NO_SURGERY.silenced),
      pack: (silenced) => packSilence(silenced, cells),
      unpack: (text) => unpackSilence(text, { capsules: types * cells, cells }),
    }),
    ...ofRouting,
  });
  return {
    surgery: {
      ...surgery,
      step: (/** @type {Surgery} */ before, /** @type {Surgery} */ after) =>
        changeInWords(before, after, parts),
    },
  };
}

/**
 * Whole types as `t3`, single capsules as `112`, runs of either as `t0-4` and `112-117`,
 * with points between them; capsules strewn over many types as bits.
 * @param {readonly number[]} silenced ascending
 * @param {number} cells capsules of one type
 */
export function packSilence(silenced, cells) {
  const known = new Set(silenced);
  const types =
    cells === 1
      ? [] // a type is a capsule
      : [...new Set(silenced.map((capsule) => Math.floor(capsule / cells)))];
  const whole = types.filter((type) =>
    Array.from({ length: cells }, (_, cell) => type * cells + cell).every((capsule) =>
      known.has(capsule),
    ),
  );
  const single = silenced.filter(
    (capsule) => !whole.includes(Math.floor(capsule / cells)),
  );
  const list = [...ranges(whole).map((run) => `t${run}`), ...ranges(single)].join(".");
  const bits = BITS + packBits(silenced);
  return list.length > LONG && bits.length < list.length ? bits : list;
}

/**
 * @param {string} text @param {{ capsules: number, cells: number }} sizes
 * @returns {number[]} ascending, each once; of what is wrong, nothing
 */
export function unpackSilence(text, { capsules, cells }) {
  if (text.startsWith(BITS)) return unpackBits(text.slice(BITS.length), capsules);
  /** @type {Set<number>} */
  const silenced = new Set();
  for (const item of text.split(".")) {
    const [, type, firstText, lastText] =
      /^(t?)(\d{1,9})(?:-(\d{1,9}))?$/.exec(item) ?? [];
    if (firstText === undefined) continue;
    const size = type ? cells : 1;
    const first = Number(firstText) * size;
    const end = (Number(lastText ?? firstText) + 1) * size;
    if (end > capsules) continue;
    for (let capsule = first; capsule < end; capsule++) silenced.add(capsule);
  }
  return [...silenced].sort((a, b) => a - b);
}

/**
 * Those of a whole type as `t3:4=0.5`, single ones as `112:4=0.5`.
 * @param {readonly Pin[]} pins @param {number} cells capsules of one type
 */
export function packPins(pins, cells) {
  return heldIn(pins, cells).map(({ type, capsules, classIndex, coupling }) => {
    const who = type === null ? capsules[0] : `t${type}`;
    return `${who}:${classIndex}=${Number(coupling.toFixed(COUPLING_DECIMALS))}`;
  });
}

/**
 * @param {readonly string[]} texts such as `112:4=0.5`
 * @param {{ capsules: number, cells: number, classes: number }} sizes
 * @returns {Pin[]} of a capsule named twice, the first; those of at most `MOST_PINS` texts
 */
export function unpackPins(texts, { capsules, cells, classes }) {
  /** @type {Map<number, Pin>} */
  const pins = new Map();
  let read = 0;
  for (const text of texts) {
    const match = /^(t?)(\d{1,9}):(\d{1,9})=(\d?\.?\d{1,9})$/.exec(text);
    if (match === null || read === MOST_PINS) continue;
    const [first, classIndex, coupling] = match.slice(2).map(Number);
    const size = match[1] ? cells : 1;
    const isThere = (first + 1) * size <= capsules && classIndex < classes;
    if (!isThere || coupling > 1 || pins.has(first * size)) continue;
    read++;
    for (let capsule = first * size; capsule < (first + 1) * size; capsule++)
      if (!pins.has(capsule)) pins.set(capsule, { capsule, classIndex, coupling });
  }
  return [...pins.values()];
}

/** @param {readonly number[]} silenced */
function packBits(silenced) {
  const bytes = new Uint8Array(Math.floor((silenced.at(-1) ?? 0) / 8) + 1);
  for (const capsule of silenced) bytes[capsule >> 3] |= 1 << (capsule & 7);
  return toBase64(bytes);
}

/** @param {string} text @param {number} capsules */
function unpackBits(text, capsules) {
  const bytes = fromBase64(text) ?? [];
  return Array.from({ length: capsules }, (_, capsule) => capsule).filter(
    (capsule) => (bytes[capsule >> 3] ?? 0) & (1 << (capsule & 7)),
  );
}
