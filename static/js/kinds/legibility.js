/**
 * What a card says of how legible capsules that vote are, for *About this model*; measured
 * by `model/legibility.py`.
 * @import { LayerDescription, Model } from "./types.js"
 */
import { fixed, percent } from "../lib/format.js";

/**
 * @param {Model & { primary_capsules?: number, card: { legibility?: Record<string, number> } }} model
 * @param {readonly LayerDescription[]} layers
 * @returns {[string, string][]} none where the card has no such figures
 */
export function legibilityFacts({ card: { legibility: found }, ...model }, layers) {
  const capsules = layers.find(({ kind }) => kind.name === "capsules");
  if (found === undefined || capsules === undefined) return [];
  const alone = capsules.form === "alone" && model.primary_capsules;
  const voters = alone
    ? `about ${fixed(found.voters, 1)} of ${alone} capsules contribute to a class (effective number)`
    : `about ${fixed(found.voters, 1)} capsules of ${fixed(found.types, 1)} types contribute to a class (effective numbers)`;
  return [
    [
      "Routing",
      `${voters}; the largest contributes ${percent(found.largest_share, 0)}; contributing capsules have a coupling of ${fixed(found.heard_coupling, 2)} (medians over the images)`,
    ],
    [
      "Empty image",
      `median share of a class’s input that an empty image would give too: ${percent(found.blank_share, 0)}; the longest class capsule of an empty image has length ${fixed(found.empty_length, 2)}`,
    ],
    [
      capsules.title,
      `${percent(found.saturated, 1)} of the capsules are longer than 0.95, saturated`,
    ],
    [
      layers[0].title,
      `${percent(found.conv1_alive, 0)} of the maps respond at all (above 0.02); ${percent(found.conv1_bright, 1)} of all values do`,
    ],
  ];
}
