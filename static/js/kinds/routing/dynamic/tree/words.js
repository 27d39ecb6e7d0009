/**
 * A parse tree in sentences, which follow from its numbers.
 * @import { AreaNode, Part, PlaceNode, Tree } from "./parts.js"
 * @import { ClassTree } from "./trees.js"
 */
import { fewestDecimals, presence, restOf, rounded } from "../../../../lib/decimals.js";
import { counted, fixed, percent } from "../../../../lib/format.js";
import { giftsWords } from "../../words.js";
import { AREA_NAMES } from "./parts.js";

/**
 * Such as "27 capsules at 20 places give 91 % of all that lengthens 4; the strongest gives
 * 9 %. Together, capsules lengthen it by 8.15 and shorten it by 2.10, which leaves 6.05 before
 * squash."
 * @param {Tree} tree
 * @param {string} name of the digit
 */
export function describeTree(tree, name) {
  const { parts, whole, gifts } = tree;
  const given = findTree(tree, name);
  if (parts.length === 0) return given;
  const decimals = fewestDecimals(2, (some) => whole >= 5 * 10 ** -some);
  const write = (/** @type {number} */ value) => fixed(value, decimals);
  const [adds, length] = [gifts.added, whole].map((value) => rounded(value, decimals));
  const taken = restOf(adds, [length], decimals);
  const left =
    taken > 0
      ? `lengthen it by ${write(adds)} and shorten it by ${write(taken)}, which leaves ${write(length)} before squash`
      : `lengthen it by ${write(length)}, its length before squash`;
  return `${given} Together, capsules ${left}.`;
}

/**
 * How few capsules give most of what lengthens a class.
 * @param {Pick<Tree, "parts" | "places" | "whole" | "gifts">} tree
 * @param {string} name of the digit
 */
export function findTree({ parts, places, whole, gifts }, name) {
  if (parts.length === 0)
    return whole > 0
      ? `What single capsules give to ${name} is less than half precision holds.`
      : `No capsule lengthens ${name}.`;
  const about = gifts.isSure ? "" : "about ";
  return giftsWords(gifts, name, { where: ` at ${about}${counted(places, "place")}` });
}

/**
 * What two trees share.
 * @param {Tree} tree @param {Tree} rival
 * @param {string} name of the first one's digit
 * @param {string} rivalName
 */
export function describeShared(tree, rival, name, rivalName) {
  if (tree.parts.length === 0 || rival.parts.length === 0) return "";
  const shared = tree.parts.filter(({ isShared }) => isShared);
  const apart = placesApart(tree, rival);
  if (shared.length === 0)
    return `The trees of ${name} and ${rivalName} share no capsule.${apart}`;
  const [mine, others] = [tree, rival].map(({ parts, gifts }) =>
    percent(
      parts.reduce((sum, part) => sum + (part.isShared ? part.gives : 0), 0) /
        gifts.added,
      0,
    ),
  );
  const one = shared.length === 1;
  const about = tree.gifts.isSure && rival.gifts.isSure ? "" : "About ";
  return `${one ? "One capsule is" : `${about}${shared.length} capsules are`} in both trees: ${one ? "it gives" : "they give"} ${mine} of all that lengthens ${name} and ${others} of all that lengthens ${rivalName}.${apart}`;
}

/**
 * Places at which both trees have capsules, none of them the same.
 * @param {Tree} tree @param {Tree} rival
 */
function placesApart(tree, rival) {
  const theirs = new Set(placesIn(rival).map(({ row, column }) => `${row},${column}`));
  const apart = placesIn(tree).filter(
    ({ row, column, parts }) =>
      theirs.has(`${row},${column}`) && parts.every(({ isShared }) => !isShared),
  );
  if (apart.length === 0) return "";
  return ` At ${counted(apart.length, "place")} both have capsules, but none in common.`;
}

/** @param {Tree} tree @returns {PlaceNode[]} */
function placesIn({ areas }) {
  return areas.flatMap(({ places }) => places);
}

/** The lengths of a class. @param {Pick<ClassTree, "length" | "tree">} own */
export const noteRoot = ({ length, tree }) => [
  `‖v‖ ${presence(length)}`,
  `‖s‖ ${fixed(tree.whole, 2)}`,
];

/**
 * One capsule of a tree.
 * @param {object} where
 * @param {Part} where.part
 * @param {PlaceNode} where.place
 * @param {AreaNode} where.area
 * @param {number} added by all capsules that lengthen the class
 * @param {{ name: string, rivalName: string }} names the digit's, and that of the other
 */
export function readPart({ part, place, area }, added, { name, rivalName }) {
  const where = `type ${part.type}, row ${place.row}, column ${place.column} (${AREA_NAMES[area.area]})`;
  const shared = part.isShared ? `; also in the tree of ${rivalName}` : "";
  return `${where}: gives ${fixed(part.gives, 3)}, ${percent(part.gives / added, 1)} of all that lengthens ${name}${shared}`;
}
