/**
 * Interventions in words.
 * @import { Surgery } from "../../types.js"
 */
import { counted } from "../../../../lib/number.js";
import { isIntact, silentByType } from "./changes.js";

/**
 * @param {Surgery} surgery
 * @param {{ types: number, cells: number }} sizes cells: capsules of one type
 * @returns {string} such as "2 types and 3 capsules are silent; no routing."
 */
export function surgeryInWords(surgery, { types, cells }) {
  if (isIntact(surgery)) return "Nothing is changed.";
  const { silenced, routing, pins } = surgery;
  const whole = silentByType(silenced, types, cells).filter((count) => count === cells);
  const single = silenced.length - whole.length * cells;
  const silent = [
    ...(whole.length > 0 ? [counted(whole.length, "type")] : []),
    ...(single > 0 ? [counted(single, "capsule")] : []),
  ].join(" and ");
  const isOne = silent !== "" && whole.length + single === 1;
  const parts = [
    ...(silent === "" ? [] : [`${silent} ${isOne ? "is" : "are"} silent`]),
    ...(routing === "uniform" ? ["no routing"] : []),
    ...(pins.length > 0 ? [`${counted(pins.length, "coupling")} held`] : []),
  ];
  const text = parts.join("; ");
  return `${text[0].toUpperCase()}${text.slice(1)}.`;
}
