/**
 * What is asked of a network's routing, as the fields of an address.
 * @import { Options } from "../types.js"
 */
import { ranges } from "./format.js";

/**
 * Options as fields: numbers of capsules as ranges ("0-35,40"), couplings that are held as
 * ranges of capsules with a class and a value ("0-35:4:0.5"), the others as they are.
 * @param {Options} options
 * @returns {[string, string][]} none for what is left as it is
 */
export function routingFields(options) {
  return Object.entries(options).flatMap(([name, value]) => {
    const text = textOf(name, value);
    return text === "" ? [] : [/** @type {[string, string]} */ ([name, text])];
  });
}

/**
 * The options that fields of an address say; the other way round.
 * @param {readonly [string, string][]} fields others than those of routing do not count
 * @returns {Options}
 */
export function routingIn(fields) {
  const { iterations, silence, routing, pin } = Object.fromEntries(fields);
  return {
    ...(iterations === undefined ? {} : { iterations: Number(iterations) }),
    ...(silence === undefined ? {} : { silence: silence.split(",").flatMap(spanned) }),
    ...(routing === undefined ? {} : { routing }),
    ...(pin === undefined ? {} : { pin: pin.split(",").flatMap(pinned) }),
  };
}

/** @param {string} text such as "4" or "7-9" @returns {number[]} */
function spanned(text) {
  const [first, last = first] = text.split("-").map(Number);
  return Array.from({ length: last - first + 1 }, (_, i) => first + i);
}

/** @param {string} text such as "7-9:4:0.5" */
function pinned(text) {
  const [capsules, digit, coupling] = text.split(":");
  const held = { digit: Number(digit), coupling: Number(coupling) };
  return spanned(capsules).map((capsule) => ({ capsule, ...held }));
}

/** @param {string} name @param {unknown} value */
function textOf(name, value) {
  if (name === "silence") return ranges(/** @type {number[]} */ (value)).join();
  if (name !== "pin") return String(value);
  const pins = /** @type {{ capsule: number, digit: number, coupling: number }[]} */ (
    value
  );
  /** @type {Record<string, number[]>} */
  const held = {};
  for (const { capsule, digit, coupling } of pins) {
    const rest = `${digit}:${coupling}`;
    held[rest] = [...(held[rest] ?? []), capsule];
  }
  return Object.entries(held)
    .flatMap(([rest, those]) => ranges(those).map((range) => `${range}:${rest}`))
    .join();
}
