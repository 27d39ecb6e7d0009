/**
 * A parse tree in sentences, which follow from its numbers.
 * @import { AreaNode, Part, PlaceNode, Tree } from "./parts.js"
 * @import { ClassTree } from "./trees.js"
 */
import { exactShare } from "../../../../lib/decimals.js";
import {
  capitalized,
  counted,
  fixed,
  grouped,
  percent,
} from "../../../../lib/format.js";
import { AREA_NAMES } from "./parts.js";

/**
 * Such as "27 capsules at 20 places give 91 % of the length of 4, which is 6.05 before
 * squash; the largest gives 9 % of that length. The other 1125 lengthen it by 2.10 and shorten it by 1.56."
 * @param {Tree} tree
 * @param {string} name of the digit
 */
export function describeTree(tree, name) {
  const { parts, whole } = tree;
  const given = findTree(tree, name);
  if (parts.length === 0) return given;
  const largest =
    parts.length === 1
      ? ""
      : `; the largest gives ${percent(parts[0].gives / whole, 0)} of that length`;
  return `${given.slice(0, -1)}, which is ${fixed(whole, 2)} before squash${largest}.${describeOthers(tree)}`;
}

/**
 * How few capsules give most of a length.
 * @param {Pick<Tree, "parts" | "places" | "given" | "whole" | "isSure">} tree
 * @param {string} name of the digit
 */
export function findTree({ parts, places, given, whole, isSure }, name) {
  if (parts.length === 0) return `${name} has no length that capsules could give it.`;
  const of = `${percent(given / whole, 0)} of the length of ${name}`;
  if (parts.length === 1) return `One capsule gives ${of}.`;
  const about = isSure ? "" : "about ";
  return `${capitalized(about)}${grouped(parts.length)} capsules at ${about}${counted(places, "place")} give ${of}.`;
}

/** @param {Pick<Tree, "others" | "adds" | "takes" | "isSure">} tree */
function describeOthers({ others, adds, takes, isSure }) {
  if (others === 0) return "";
  const [subject, add, take, give] =
    others === 1
      ? ["The other one", "lengthens it by", "shortens it by", "gives"]
      : [
          isSure ? `The other ${grouped(others)}` : "The others",
          "lengthen it by",
          "shorten it by",
          "give",
        ];
  const parts = [
    ...(adds > 0 ? [`${add} ${fixed(adds, 2)}`] : []),
    ...(takes > 0 ? [`${take} ${fixed(takes, 2)}`] : []),
  ];
  return ` ${subject} ${parts.length > 0 ? parts.join(" and ") : `${give} nothing`}.`;
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
  const [mine, others] = [tree, rival].map(({ parts, whole }) =>
    percent(
      parts.reduce((sum, part) => sum + (part.isShared ? part.gives : 0), 0) / whole,
      0,
    ),
  );
  const one = shared.length === 1;
  const about = tree.isSure && rival.isSure ? "" : "About ";
  return `${one ? "One capsule is" : `${about}${shared.length} capsules are`} in both trees: ${one ? "it gives" : "they give"} ${mine} of the length of ${name} and ${others} of that of ${rivalName}.${apart}`;
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
  `‖v‖ ${exactShare(length, 3)}`,
  `‖s‖ ${fixed(tree.whole, 2)}`,
];

/**
 * One capsule of a tree.
 * @param {object} found
 * @param {Part} found.part
 * @param {PlaceNode} found.place
 * @param {AreaNode} found.area
 * @param {number} whole ‖s‖
 * @param {{ name: string, rivalName: string }} names the digit's, and that of the other
 */
export function readPart({ part, place, area }, whole, { name, rivalName }) {
  const where = `type ${part.type}, row ${place.row}, column ${place.column} (${AREA_NAMES[area.area]})`;
  const shared = part.isShared ? `; also in the tree of ${rivalName}` : "";
  return `${where}: gives ${fixed(part.gives, 3)}, ${percent(part.gives / whole, 1)} of the length of ${name}${shared}`;
}
