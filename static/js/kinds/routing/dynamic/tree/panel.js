/**
 * The parse tree: what the class in focus is made of. The class above, the capsules that give
 * it most of its length as branches, and the maps that feed the chosen one; beside it the
 * tree of the longest of the other classes.
 * @import { LeafPlace } from "../../../../geometry/branches.js"
 * @import { Content, Part as Shown } from "../../../../ui/h.js"
 * @import { Panel } from "../../../../ui/panel.js"
 * @import { DynamicScene, DynamicState, PanelAct } from "../types.js"
 * @import { Part } from "./parts.js"
 * @import { ClassTree, Fed } from "./trees.js"
 */
import { sumBars } from "../../../../draw/bars.js";
import { tree as drawn } from "../../../../draw/tree.js";
import { reachWords } from "../../../../geometry/windows.js";
import { percent } from "../../../../lib/format.js";
import { make } from "../../../../ui/dom.js";
import { fill, h } from "../../../../ui/h.js";
import { fold, valuesTable } from "../../../../ui/values.js";
import { choosing, placeIn, placeInWords } from "../../../capsules/places.js";
import { voterOf } from "../../index.js";
import { tellSeen } from "../answers.js";
import { pairOf } from "../scene.js";
import { AREA_NAMES, areaOf } from "./parts.js";
import { patchIn, pixelsOf, windowsOf } from "./pictures.js";
import { fedIn, SHOWN, treesOfScene } from "./trees.js";
import {
  describeFed,
  describeShared,
  describeTree,
  fedWords,
  findTree,
  noteRoot,
  readPart,
} from "./words.js";

/** @typedef {DynamicScene & Pick<DynamicState, "kernels" | "map">} Scene */
/** @typedef {{ scene: Scene, trees: ClassTree[] }} Trees */

/** @type {Panel<Scene, Trees, PanelAct>} */
export const tree = {
  id: "tree",
  isFolded: true,
  title: "The parse tree",
  numbers: (scene) => ({ scene, trees: treesOfScene(scene) }),
  line: ({ trees: [{ tree, name }] }) => findTree(tree, name),
  tellSeen: ({ store }) => tellSeen(store, "seesTree"),
  picture(n, act) {
    const { scene, trees } = n;
    const { layer, nouns, kernels } = scene;
    const [own, rival] = trees;
    const fed = fedIn(scene, kernels, layer);
    const rivals = `the longest of the other ${nouns.many}`;
    return h(
      "div",
      { class: "tree" },
      h("p", {}, describeShared(own.tree, rival.tree, own.name, rival.name)),
      h(
        "div",
        { class: "tree-pair" },
        figureOf(n, 0, `the ${nouns.one} in focus`, fed, act),
        figureOf(n, 1, rivals, fed, act),
      ),
      h("ul", { class: "tree-key fine" }, KEY),
      "beneath" in layer.tensors &&
        h(fedPart, { fed, content: () => fedOf(n, fed, act) }),
      fold("Both trees as a table", () => bothOf(n, act), {
        class: "numbers",
        "data-tree-numbers": "",
      }),
    );
  },
  words({ scene: { layer, model, nouns } }) {
    const { voter, beneath } = voterOf(layer);
    const reach = layer.reach(model);
    const seen = reach && h("span", { class: "nowrap" }, reachWords(reach));
    return [
      [
        `The ${nouns.one} stands at the top. Below it stand the fewest ${voter}s that together give at least 90 % of its length before squash. A branch is as wide as what its capsules give, c·(û·v) ∕ ‖v‖. Each branch leads to one of nine areas of the picture, and from there to the places of the grid. The figure above an area is the area’s share of the length. Capsules at one place see the same `,
        seen,
        ` pixels. Each capsule is a bar below them, with the number of its type where there is room. The last row shows the maps of ${beneath} that add most to the chosen capsule, cropped to what it sees. Below each map stands its share of that capsule’s length before squash.`,
      ],
      `A ${voter} before squash is a sum over all maps of ${beneath} and a bias: s = Σ K∗a + b. Each map adds the part of its sum that points in the direction of s; with the bias, these parts add up to ‖s‖.`,
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
  [
    h("rect", { class: "is-chosen", x: 2, width: 8, height: 16 }),
    "the chosen capsule, and what feeds it",
  ],
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
 * @param {Fed | null | "waiting"} fed what feeds the chosen capsule
 * @param {PanelAct} act
 */
function figureOf({ scene, trees }, which, whose, fed, act) {
  const own = trees[which];
  const { tree, name, classIndex } = own;
  const { names, place } = pairOf(scene, scene.step);
  const chosen = placeOfCapsule(own, scene.capsule);
  const isFed = chosen !== null && fed !== null && fed !== "waiting";
  const partAt = (/** @type {LeafPlace} */ { column, node, leaf }) => {
    const area = tree.areas[column];
    return { area, place: area.places[node], part: area.places[node].parts[leaf] };
  };
  return h(
    "figure",
    { [`data-tree-${["own", "rival"][which]}`]: "" },
    h("h4", {}, `Parse tree of ${names[which]}, ${["in focus", place][which]}`),
    drawn({
      label: `The parse tree of ${whose}. Arrow keys go from capsule to capsule.`,
      of: tree,
      root: { name, notes: noteRoot(own) },
      heads: tree.areas.map(({ area, gives }) => ({
        area,
        note: percent(gives / tree.whole, 0),
      })),
      leaves: tree.areas.map(({ places }) =>
        places.map(({ parts }) =>
          parts.map(({ type, gives: amount, isShared }) => ({
            ...{ name: String(type), amount, isShared },
          })),
        ),
      ),
      tiles: isFed
        ? fed.strongest.map((map) => ({
            amount: fed.sums.shares[map],
            name: `map ${map}`,
            note: percent(fed.sums.shares[map] / fed.length, 0),
            isChosen: map === scene.map,
          }))
        : [],
      mostTiles: SHOWN,
      withoutTiles: isFed ? "" : wordsBelow(chosen !== null, fed),
      pictures: () => ({
        root: pixelsOf(scene.pixels),
        nodes: tree.areas.map(({ places }) =>
          places.map((place) => patchIn(scene, place)),
        ),
        tiles: isFed ? windowsOf(fed) : [],
      }),
      chosen,
      choose: (leaf) => act.set(choosing(partAt(leaf).part.capsule)),
      chooseTile: (tile) => isFed && act.set({ map: fed.strongest[tile] }),
      chooseRoot: () => act.chooseClass(classIndex),
      point: (leaf) => act.lookAtPlace(leaf && partAt(leaf).place),
      words(leaf) {
        if (tree.parts.length === 0) return "";
        return leaf === null
          ? "The chosen capsule is not in this tree."
          : readPart(partAt(leaf), tree.whole, own);
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

/**
 * @param {boolean} isIn whether the chosen capsule is in the tree
 * @param {Fed | null | "waiting"} fed
 */
function wordsBelow(isIn, fed) {
  if (!isIn) return "Choose a capsule here to see what feeds it.";
  return fed === "waiting"
    ? "The maps below are not here yet."
    : "The chosen capsule has no length.";
}

/**
 * What feeds the chosen capsule. While it is on its way, what was shown last stays, dimmed.
 * @type {Shown<{ fed: Fed | null | "waiting", content: () => Content }>}
 */
function fedPart() {
  const element = make("div", { class: "tree-fed", "data-fed": "" });
  let isFilled = false;
  return {
    element,
    show({ fed, content }) {
      const isLate = fed === "waiting";
      element.classList.toggle("is-old", isLate && isFilled);
      if (isLate && isFilled) return;
      fill(element, content());
      isFilled = !isLate;
    },
  };
}

/**
 * What the maps below add to the chosen capsule.
 * @param {Trees} n @param {Fed | null | "waiting"} fed @param {PanelAct} act
 */
function fedOf({ scene }, fed, act) {
  const { beneath } = voterOf(scene.layer);
  const isHere = fed !== "waiting";
  const title = isHere ? placeInWords(scene.place) : "the chosen capsule";
  const told = isHere
    ? fed === null
      ? "This capsule has no length: nothing feeds it."
      : describeFed(fed)
    : `The maps of ${beneath} are not here yet.`;
  return [
    h("h4", { "data-fed-title": "" }, `What feeds ${title}`),
    h("p", { "data-fed-words": "" }, told),
    isHere &&
      fed !== null && [
        sumBars({
          caption: `What ${beneath}’s maps add to the length of the chosen capsule`,
          heads: ["map", "adds"],
          ...{ sums: [fed.sums], shown: SHOWN, term: "map", total: "‖s‖" },
          pressed: scene.map,
          choose: (map) => act.set({ map }),
        }),
        h("p", { class: "fine", "data-fed-check": "" }, fedWords(fed, beneath)),
      ],
  ];
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
      ...[own, rival].flatMap(({ name, tree: { whole } }, i) => {
        const values = given(/** @type {0 | 1} */ (i));
        return /** @type {const} */ ([
          [`gives to ${name}`, values],
          ["of its length", values.map((value) => value / whole), shareOf],
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
