/**
 * What a card says of how legible capsules that vote are, for *About this model*; measured
 * by `model/legibility.py`.
 * @import { LayerDescription, Model } from "./types.js"
 */
import { counted, fixed, listed, percent } from "../lib/format.js";

/** Whether a type of capsules answers to anything, as its card says. @param {Pick<Model, "card">} model @param {number} type */
export const isOfAnything = ({ card }, type) =>
  card?.anything?.types.includes(type) === true;

/**
 * @param {NonNullable<Model["card"]["anything"]>} anything
 * @param {number | undefined} alone how many capsules there are, where each is a type of its own
 * @returns {[string, string][]}
 */
function anythingFacts({ ratio, types, share }, alone) {
  const rule = `the mean length is more than ${fixed(ratio, 1)} times that of the longest`;
  const noun = alone ? "capsule" : "type";
  const who =
    types.length === alone
      ? `every ${noun}`
      : `${counted(types.length, noun)} (${listed(types.map(String))})`;
  const words =
    types.length === 0
      ? `no ${noun} (${rule})`
      : `${who}: ${rule}; ${percent(share, 0)} of what speaks for a class`;
  return [["Answers to anything", words]];
}

/**
 * @param {Model & { primary_capsules?: number }} model
 * @param {readonly LayerDescription[]} layers
 * @returns {[string, string][]} none where the card has no such figures
 */
export function legibilityFacts({ card, ...model }, layers) {
  const { legibility: measured, anything } = card;
  const capsules = layers.find(({ kind }) => kind.name === "capsules");
  if (measured === undefined || capsules === undefined) return [];
  const alone = capsules.form === "alone" ? model.primary_capsules : undefined;
  const voters = alone
    ? `about ${fixed(measured.voters, 1)} of ${alone} capsules contribute to a class (effective number)`
    : `about ${fixed(measured.voters, 1)} capsules of ${fixed(measured.types, 1)} types contribute to a class (effective numbers)`;
  return [
    [
      "Routing",
      `${voters}; the largest contributes ${percent(measured.largest_share, 0)}; contributing capsules have a coupling of ${fixed(measured.heard_coupling, 2)} (medians over the images)`,
    ],
    ...(anything ? anythingFacts(anything, alone) : []),
    [
      "Empty image",
      `median share of a class’s input that an empty image would give too: ${percent(measured.blank_share, 0)}; the longest class capsule of an empty image has length ${fixed(measured.empty_length, 2)}`,
    ],
    [
      capsules.title,
      `${percent(measured.saturated, 1)} of the capsules are longer than 0.95, saturated`,
    ],
    [
      layers[0].title,
      `${percent(measured.conv1_alive, 0)} of the maps respond at all (above 0.02); ${percent(measured.conv1_bright, 1)} of all values do`,
    ],
  ];
}
