/**
 * Agreement: the longest votes for the digit in focus as arrows, and beside them those for
 * the longest of the other digits. Where arrows point the way of the capsule that they
 * make, couplings grow from iteration to iteration.
 * @import { Actions, RoutingStore } from "../../types.js"
 * @import { Scene, Scenes } from "../scene.js"
 * @import { Told } from "./words.js"
 */
import { find, findElement, setText } from "../../../../ui/dom.js";
import { showSeenFirst } from "../../../../ui/seen.js";
import { pairOf } from "../tree/scene.js";
import { createArrows } from "./arrows.js";
import { mountFan } from "./picture.js";
import { tableOfArrows } from "./table.js";
import { compareArrows } from "./words.js";

/**
 * @param {HTMLElement} root
 * @param {RoutingStore} store
 * @param {Scenes} scenes
 * @param {Actions} actions
 */
export function mountAgreement(root, store, scenes, actions) {
  const panel = findElement(root, "[data-agreement]");
  const caption = findElement(panel, "[data-agreement-caption]");
  const words = findElement(panel, "[data-agreement-words]");
  const wait = findElement(panel, "[data-agreement-wait]");
  const pair = findElement(panel, ".agreement-pair");
  const fans = ["own", "rival"].map((which) => ({
    fan: mountFan(findElement(panel, `[data-fan="${which}"]`), actions),
    arrows: createArrows(),
  }));
  const folder = find(panel, '[data-numbers="agreement"]', HTMLDetailsElement);
  const table = findElement(folder, "[data-table]");
  /** @type {Told[]} */
  let shown = [];

  /** @param {number[]} digits whose votes are to come */
  function want(...digits) {
    const wanted = [...new Set(digits)];
    if (store.get()?.compares.join() !== wanted.join()) actions.compareVotes(wanted);
  }
  /** @param {Scene} scene */
  function draw(scene) {
    const { own, rival } = pairOf(scene);
    const both = [own, rival].map((digit, i) => fans[i].arrows(scene, digit));
    const [first, second] = both;
    const isHere = first !== null && second !== null;
    pair.classList.toggle("is-old", !isHere && shown.length > 0);
    wait.hidden = isHere || shown.length > 0;
    if (!isHere) return;
    const { step, model } = scene;
    shown = [first, second].map((arrows) => ({
      arrows,
      name: model.class_names[arrows.digit],
      step,
      classes: model.classes,
    }));
    shown.forEach((told, i) => {
      fans[i].fan.show({ scene, told, both: [first, second] });
    });
    setText(words, compareArrows(shown[0], shown[1]));
    fillTable();
  }
  function fillTable() {
    if (folder.open && shown.length > 0) table.replaceChildren(tableOfArrows(shown));
  }
  folder.addEventListener("toggle", fillTable);
  const ask = showSeenFirst(panel, draw);

  scenes.watch((scene) => {
    const { own, rival, isAhead } = pairOf(scene);
    const [name, other] = [own, rival].map((digit) => scene.model.class_names[digit]);
    setText(caption, `iteration ${scene.step + 1} of ${scene.iterations}`);
    fans[0].fan.name(`Votes for ${name}, in focus`);
    fans[1].fan.name(`Votes for ${other}, the ${isAhead ? "runner-up" : "longest"}`);
    want(own, rival);
    ask(scene);
  });
}
