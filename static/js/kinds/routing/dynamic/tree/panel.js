/**
 * The parse tree: what the class in focus is made of. The class above, and the capsules that
 * give most of what lengthens it as branches; beside it the tree of the longest of the others.
 * @import { LeafPlace } from "../../../../geometry/branches.js"
 * @import { Panel } from "../../../../ui/panel.js"
 * @import { DynamicScene as Scene, PanelAct } from "../types.js"
 * @import { Part } from "./parts.js"
 * @import { ClassTree } from "./trees.js"
 */
import { tree as drawn } from "../../../../draw/tree.js";
import { reachWords } from "../../../../geometry/windows.js";
import { percent } from "../../../../lib/format.js";
import { h } from "../../../../ui/h.js";
import { fold, valuesTable } from "../../../../ui/values.js";
import { choosing, placeIn } from "../../../capsules/places.js";
import { pairOf } from "../scene.js";
import { AREA_NAMES, areaOf } from "./parts.js";
import { patchIn, pixelsOf } from "./pictures.js";
import { treesOfScene } from "./trees.js";
import { describeShared, describeTree, findTree, noteRoot, readPart } from "./words.js";

/** @typedef {{ scene: Scene, trees: ClassTree[] }} Trees */

/** @type {Panel<Scene, Trees, PanelAct>} */
export const tree = {
  id: "tree",
  isFolded: true,
  title: "The parse tree",
  numbers: (scene) => ({ scene, trees: treesOfScene(scene) }),
  line: ({ trees: [{ tree, name }] }) => findTree(tree, name),
  picture(n, act) {
    const { scene, trees } = n;
    const { nouns } = scene;
    const [own, rival] = trees;
    const rivals = `the longest of the other ${nouns.many}`;
    return h(
      "div",
      { class: "tree" },
      h("p", {}, describeShared(own.tree, rival.tree, own.name, rival.name)),
      h(
        "div",
        { class: "tree-pair" },
        figureOf(n, 0, `the ${nouns.one} in focus`, act),
        figureOf(n, 1, rivals, act),
      ),
      h("ul", { class: "tree-key fine" }, KEY),
      fold("Both trees as a table", () => bothOf(n, act), {
        class: "numbers",
        "data-tree-numbers": "",
      }),
    );
  },
  words({ scene: { layer, model, nouns } }) {
    const { voter } = layer.words;
    const reach = layer.reach(model);
    const seen = reach && h("span", { class: "nowrap" }, reachWords(reach));
    return [
      [
        `The ${nouns.one} stands at the top. Below it stand the fewest ${voter}s that together give at least 90 % of all that lengthens it. A branch is as wide as what its capsules give, c·(û·v) ∕ ‖v‖. Each branch leads to one of nine areas of the picture, and from there to the places of the grid. The figure above an area is the area’s share of that. Capsules at one place see the same `,
        seen,
        ` pixels. Each capsule is a bar below them, with the number of its type where there is room.`,
      ],
    ];
  },
};

/** What the bars stand for. */
const KEY = /** @type {const} */ ([
  [h("rect", { class: "is-own", x: 2, width: 8, height: 16 }), "in this tree only"],
  [
    [
      h("rect", { class: "is-shared", x: 2, width: 8, height: 10 }),
      h("circle", { class: "is-shared", cx: 6, cy: 13.5, r: 2.4 }),
    ],
    "in both trees",
  ],
  [h("rect", { class: "is-chosen", x: 2, width: 8, height: 16 }), "the chosen capsule"],
]).map(([sample, meaning]) =>
  h(
    "li",
    {},
    h("svg", { viewBox: "0 0 12 16", "aria-hidden": "true" }, sample),
    ` ${meaning}`,
  ),
);

/**
 * @param {Trees} n @param {0 | 1} which @param {string} whose
 * @param {PanelAct} act
 */
function figureOf({ scene, trees }, which, whose, act) {
  const own = trees[which];
  const { tree, name, classIndex } = own;
  const { names, place } = pairOf(scene, scene.step);
  const chosen = placeOfCapsule(own, scene.capsule);
  const partAt = (/** @type {LeafPlace} */ { column, node, leaf }) => {
    const area = tree.areas[column];
    return { area, place: area.places[node], part: area.places[node].parts[leaf] };
  };
  const title = `Parse tree of ${names[which]}, ${["in focus", place][which]}`;
  return h(
    "figure",
    { [`data-tree-${["own", "rival"][which]}`]: "", "aria-label": title },
    h("h4", {}, title),
    drawn({
      label: `The parse tree of ${whose}. Arrow keys go from capsule to capsule.`,
      of: tree,
      root: { name, notes: noteRoot(own) },
      heads: tree.areas.map(({ area, gives }) => ({
        area,
        note: percent(gives / tree.gifts.added, 0),
      })),
      leaves: tree.areas.map(({ places }) =>
        places.map(({ parts }) =>
          parts.map(({ type, gives: amount, isShared }) => ({
            name: String(type),
            amount,
            isShared,
          })),
        ),
      ),
      pictures: () => ({
        root: pixelsOf(scene.pixels),
        nodes: tree.areas.map(({ places }) =>
          places.map((place) => patchIn(scene, place)),
        ),
      }),
      chosen,
      choose: (leaf) => act.set(choosing(partAt(leaf).part.capsule)),
      chooseRoot: () => act.chooseClass(classIndex),
      point: (leaf) => act.lookAtPlace(leaf && partAt(leaf).place),
      words(leaf) {
        if (tree.parts.length === 0) return "";
        return leaf === null
          ? "The chosen capsule is not in this tree."
          : readPart(partAt(leaf), tree.gifts.added, own);
      },
    }),
    h("figcaption", {}, h("p", { "data-tree-words": "" }, describeTree(tree, name))),
  );
}

/** @param {ClassTree} own @param {number} capsule @returns {LeafPlace | null} */
function placeOfCapsule({ tree }, capsule) {
  for (const [column, { places }] of tree.areas.entries()) {
    for (const [node, { parts }] of places.entries()) {
      const leaf = parts.findIndex((part) => part.capsule === capsule);
      if (leaf >= 0) return { column, node, leaf };
    }
  }
  return null;
}

/** Every capsule of either tree, each chosen by its row. @param {Trees} n @param {PanelAct} act */
function bothOf({ scene: { grid, capsule }, trees: [own, rival] }, act) {
  const rows = rowsOf(own, rival);
  const places = rows.map((each) => placeIn(grid, each.capsule));
  const given = (/** @type {0 | 1} */ which) =>
    rows.map(({ given }) => given[which]?.gives ?? Number.NaN);
  return valuesTable({
    caption:
      "A capsule is named type: row, column; a dash means that it is not in that tree",
    look: "values tree-table",
    of: "capsule",
    names: places.map(({ type, row, column }) => `${type}: ${row}, ${column}`),
    columns: [
      ["where", places.map((place) => AREA_NAMES[areaOf(place, grid)])],
      ...[own, rival].flatMap(({ name, tree: { gifts } }, i) => {
        const values = given(/** @type {0 | 1} */ (i));
        return /** @type {const} */ ([
          [`gives to ${name}`, values],
          [
            "of all that lengthens it",
            values.map((value) => value / gifts.added),
            shareOf,
          ],
        ]);
      }),
    ],
    focused: rows.findIndex((each) => each.capsule === capsule),
    choose: (row) => act.set(choosing(rows[row].capsule)),
  });
}

/** @param {number} share */
const shareOf = (share) => percent(share, 1);

/**
 * The capsules of either tree: first those of the class in focus, largest first.
 * @param {Pick<ClassTree, "tree">} own @param {Pick<ClassTree, "tree">} rival
 * @returns {{ capsule: number, given: (Part | undefined)[] }[]} what it gives to either, if
 *   it is in that tree
 */
export function rowsOf({ tree: own }, { tree: rival }) {
  const theirs = new Map(rival.parts.map((part) => [part.capsule, part]));
  const mine = own.parts.map((part) => ({
    capsule: part.capsule,
    given: [part, theirs.get(part.capsule)],
  }));
  const others = rival.parts
    .filter(({ isShared }) => !isShared)
    .map((part) => ({ capsule: part.capsule, given: [undefined, part] }));
  return [...mine, ...others];
}
