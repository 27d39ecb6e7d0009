/**
 * The parse tree: what the digit in focus is made of. The digit above, the capsules that
 * give it most of its length as branches, and the maps of Conv1 that feed the chosen one;
 * beside it the tree of the longest of the other digits.
 * @import { Actions, RoutingState, RoutingStore } from "../../types.js"
 * @import { Scene, Scenes } from "../scene.js"
 */
import { findElement, setText } from "../../../../ui/dom.js";
import { showSeenFirst } from "../../../../ui/seen.js";
import { fieldOfCapsule } from "../../places.js";
import { sizesOf } from "../../state.js";
import { mountTreePicture } from "./picture.js";
import { fedIn, pairOf, treesOfScene } from "./scene.js";
import { mountFedTable, mountPartsTable } from "./tables.js";
import { describeShared, describeTree } from "./words.js";

/**
 * @param {HTMLElement} root
 * @param {RoutingStore} store
 * @param {Scenes} scenes
 * @param {Actions} actions
 */
export function mountTree(root, store, scenes, actions) {
  const panel = findElement(root, "[data-tree]");
  const figures = ["own", "rival"].map((which) => {
    const figure = findElement(panel, `[data-tree-${which}]`);
    return {
      title: findElement(figure, "[data-tree-title]"),
      words: findElement(figure, "[data-tree-words]"),
      picture: mountTreePicture(figure, actions),
    };
  });
  const shared = findElement(panel, "[data-tree-shared]");
  const caption = findElement(panel, "[data-tree-caption]");
  const patch = findElement(panel, "[data-tree-patch]");
  const parts = mountPartsTable(panel, actions);
  const feeding = mountFedTable(panel, actions);

  /**
   * @param {Scene} scene
   * @param {Pick<RoutingState, "primaryKernels" | "map" | "seesTree">} chosen
   */
  function draw(scene, { primaryKernels, map, seesTree }) {
    const trees = treesOfScene(scene);
    const [own, rival] = trees;
    const fed = fedIn(scene, primaryKernels);
    trees.forEach((each, i) => {
      setText(figures[i].words, describeTree(each.tree, each.name));
      figures[i].picture.show({ scene, own: each, fed, map });
    });
    setText(shared, describeShared(own.tree, rival.tree, own.name, rival.name));
    const { size } = fieldOfCapsule(sizesOf(scene.model), 0, 0);
    setText(patch, `${size} × ${size}`);
    parts.show(scene, trees);
    feeding.show(scene.place, fed, map, seesTree);
  }
  const ask = showSeenFirst(panel, draw, (isSeen) => actions.seeTree(isSeen));

  function update() {
    const [scene, state] = [scenes.shown(), store.get()];
    if (scene === null || state === null) return;
    nameTrees(scene); // headings are read before they are seen
    ask(scene, state);
  }
  /** @param {Scene} scene */
  function nameTrees(scene) {
    const { own, rival, isAhead } = pairOf(scene);
    const [name, other] = [own, rival].map((digit) => scene.model.class_names[digit]);
    setText(caption, `after iteration ${scene.iterations} of ${scene.iterations}`);
    setText(figures[0].title, `Parse tree of ${name}, in focus`);
    setText(
      figures[1].title,
      `Parse tree of ${other}, the ${isAhead ? "runner-up" : "longest"}`,
    );
  }
  scenes.watch(update);
  store.watch(["primaryKernels", "map", "seesTree"], update);
}
