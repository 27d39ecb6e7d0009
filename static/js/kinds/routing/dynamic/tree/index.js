/**
 * The parse tree: what the class in focus is made of. The class above, the capsules that give
 * it most of its length as branches, and the maps that feed the chosen one; beside it the
 * tree of the longest of the other classes. All of it also as tables.
 * @import { DynamicPanel, DynamicRoom, DynamicScene as Scene, DynamicState } from "../types.js"
 * @import { Layer } from "../../../types.js"
 * @import { Part } from "./parts.js"
 * @import { ClassTree, Fed } from "./trees.js"
 */
import { reachWords } from "../../../../geometry/windows.js";
import { fixed, percent } from "../../../../lib/format.js";
import { memoize } from "../../../../lib/memoize.js";
import { fillSumRows, termButton } from "../../../../ui/bars.js";
import { pressChoice } from "../../../../ui/controls.js";
import { find, findElement, make, setText } from "../../../../ui/dom.js";
import { sayFinding } from "../../../../ui/panel.js";
import { showSeenFirst } from "../../../../ui/seen.js";
import { choosing, placeIn, placeInWords } from "../../../capsules/places.js";
import { belowOf } from "../../../capsules/source.js";
import { tellSeen } from "../answers.js";
import { pairOf } from "../scene.js";
import { AREA_NAMES, areaOf } from "./parts.js";
import { mountTreePicture } from "./picture.js";
import { fedIn, SHOWN, treesOfScene } from "./trees.js";
import {
  describeFed,
  describeShared,
  describeTree,
  fedWords,
  findTree,
} from "./words.js";

/** @type {DynamicPanel} */
export function mountTree(root, room) {
  const { store, scenes, layer } = room;
  const panel = findElement(root, "[data-tree]");
  const figures = ["own", "rival"].map((which) => {
    const figure = findElement(panel, `[data-tree-${which}]`);
    return {
      title: findElement(figure, "[data-tree-title]"),
      words: findElement(figure, "[data-tree-words]"),
      show: mountTreePicture(figure, room),
    };
  });
  const shared = findElement(panel, "[data-tree-shared]");
  const patch = findElement(panel, "[data-tree-patch]");
  const showParts = mountPartsTable(panel, room);
  const showFed = mountFedTable(panel, room, beneathOf(layer));

  /** @param {Scene} scene @param {Pick<DynamicState, "kernels" | "map" | "seesTree">} chosen */
  function draw(scene, { kernels, map, seesTree }) {
    const trees = treesOfScene(scene);
    const [own, rival] = trees;
    const fed = fedIn(scene, kernels, layer);
    trees.forEach((each, i) => {
      setText(figures[i].words, describeTree(each.tree, each.name));
      figures[i].show({ scene, own: each, fed, map });
    });
    setText(shared, describeShared(own.tree, rival.tree, own.name, rival.name));
    const reach = layer.reach(scene.model);
    if (reach) setText(patch, reachWords(reach));
    showParts(scene, trees);
    showFed(scene.place, fed, map, seesTree);
  }
  const body = findElement(panel, ".tree");
  const ask = showSeenFirst(body, draw, tellSeen(store, "seesTree"));
  sayFinding(panel, scenes, (scene) => {
    const [{ tree, name }] = treesOfScene(scene);
    return findTree(tree, name);
  });

  function update() {
    const [scene, state] = [scenes.shown(), store.get()];
    if (scene === null || state === null) return;
    // Headings are read before they are seen.
    const { names, place } = pairOf(scene, scene.step);
    setText(figures[0].title, `Parse tree of ${names[0]}, in focus`);
    setText(figures[1].title, `Parse tree of ${names[1]}, ${place}`);
    ask(scene, state);
  }
  scenes.watch(update);
  store.watch(["kernels", "map", "seesTree"], update);
}

/** What the layer is called whose maps feed the capsules. @param {Layer} layer */
const beneathOf = (layer) => {
  const below = belowOf(layer);
  return (below && belowOf(below)?.title) ?? "the image";
};

/**
 * Every capsule of either tree, each a button that chooses it.
 * @param {HTMLElement} panel @param {DynamicRoom} room
 * @returns {(scene: Scene, trees: ClassTree[]) => void}
 */
function mountPartsTable(panel, { store }) {
  const folder = find(panel, "[data-tree-numbers]", HTMLDetailsElement);
  const head = findElement(folder, "[data-tree-head]");
  const body = findElement(folder, "[data-tree-rows]");
  /** @type {{ scene: Scene, trees: ClassTree[] } | null} */
  let shown = null;

  const fill = memoize(
    (/** @type {ClassTree} */ own, /** @type {ClassTree} */ rival) => {
      if (shown === null) return;
      const { grid } = shown.scene;
      head.replaceChildren(
        ...["capsule", "where"].map((name) => make("th", { scope: "col" }, name)),
        ...[own, rival].map(({ name }) =>
          make("th", { scope: "col", colspan: "2" }, `gives to ${name}`),
        ),
      );
      body.replaceChildren(
        ...rowsOf(own, rival).map(({ capsule, given }) => {
          const place = placeIn(grid, capsule);
          const text = `${place.type}: ${place.row}, ${place.column}`;
          const button = termButton(text, capsule, () => store.set(choosing(capsule)));
          const row = make("tr", "", make("th", { scope: "row" }, button));
          row.insertCell().textContent = AREA_NAMES[areaOf(place, grid)];
          for (const [i, part] of given.entries()) {
            const { whole } = [own, rival][i].tree;
            row.insertCell().textContent = part ? fixed(part.gives, 3) : "–";
            row.insertCell().textContent = part ? percent(part.gives / whole, 1) : "";
          }
          return row;
        }),
      );
    },
  );

  function draw() {
    if (shown === null || !folder.open) return;
    fill(shown.trees[0], shown.trees[1]);
    pressChoice(body, String(shown.scene.capsule));
  }
  folder.addEventListener("toggle", draw);
  return (scene, trees) => {
    shown = { scene, trees };
    draw();
  };
}

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

/**
 * What the maps below add to the chosen capsule.
 * @param {HTMLElement} panel @param {DynamicRoom} room
 * @param {string} beneath what the layer with these maps is called
 * @returns {(place: Scene["place"], fed: Fed | null | "waiting", map: number, isSeen: boolean) => void}
 *   where nobody looks, parts are not asked for
 */
function mountFedTable(panel, { store }, beneath) {
  const root = findElement(panel, "[data-fed]");
  const title = findElement(root, "[data-fed-title]");
  const words = findElement(root, "[data-fed-words]");
  const table = find(root, "table", HTMLTableElement);
  const axis = findElement(table, "[data-fed-axis]");
  const body = findElement(table, "[data-fed-rows]");
  const check = findElement(root, "[data-fed-check]");

  const fill = memoize((/** @type {Fed} */ fed) => {
    fillSumRows(
      axis,
      body,
      [fed.sums],
      {
        term: (map) => termButton(`map ${map}`, map, () => store.set({ map })),
        rest: (count) => `the other ${count} maps`,
        total: "‖s‖",
      },
      SHOWN,
    );
    setText(check, fedWords(fed, beneath));
  });

  function empty() {
    setText(title, "What feeds the chosen capsule");
    setText(words, `The maps of ${beneath} are not here yet.`);
    table.hidden = true;
    check.hidden = true;
  }
  empty();

  return (place, fed, map, isSeen) => {
    // While parts are on their way, what was shown last stays, dimmed. Where none are
    // on their way, it would stay for good.
    if (fed === "waiting" && !isSeen) empty();
    root.classList.toggle("is-old", fed === "waiting" && !table.hidden);
    if (fed === "waiting") return;
    setText(title, `What feeds ${placeInWords(place)}`);
    table.hidden = fed === null;
    check.hidden = fed === null;
    if (fed === null)
      return setText(words, "This capsule has no length: nothing feeds it.");
    setText(words, describeFed(fed));
    fill(fed);
    pressChoice(body, String(map));
  };
}
