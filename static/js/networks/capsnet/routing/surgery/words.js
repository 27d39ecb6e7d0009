/**
 * Interventions in words.
 * @import { SurgeryScene } from "./index.js"
 * @import { Surgery } from "../../types.js"
 */
import { counted, fixed } from "../../../../lib/format.js";
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

/**
 * What both runs read, and what becomes of the length of the intact one's answer.
 * @param {Pick<SurgeryScene, "model" | "surgery" | "intact" | "changed">} found
 */
export function answerInWords({ model, surgery, intact, changed }) {
  const names = model.class_names;
  const before = intact.tensors["digits.lengths"].data;
  const after = changed.tensors["digits.lengths"].data;
  const [was, is] = [intact.prediction, changed.prediction];
  const [from, to] = [fixed(before[was]), fixed(after[was])];
  if (isIntact(surgery))
    return `The network reads ${names[was]}, with length ${from}. Choose an experiment.`;
  const changes = from === to ? `stays ${to}` : `goes from ${from} to ${to}`;
  return was === is
    ? `The network still reads ${names[is]}; its length ${changes}.`
    : `The network now reads ${names[is]}, with length ${fixed(after[is])}; the length of ${names[was]} ${changes}.`;
}
