/**
 * EM routing: the pictures that share one selection, and their controls.
 * @import { Actions, RoutingStore } from "../types.js"
 */
import { mountBeside } from "../../../beside/index.js";
import { findElement, setText } from "../../../ui/dom.js";
import { mountPlay } from "../../../ui/motion.js";
import { form } from "../beside.js";
import { mountArithmetic } from "./arithmetic.js";
import { mountCloud } from "./cloud.js";
import { mountControls } from "./controls.js";
import { mountCurves } from "./curves.js";
import { mountFlow } from "./flow.js";
import { mountHistograms } from "./histograms.js";
import { mountMatrix } from "./matrix.js";
import { scenesOf } from "./scene.js";
import { mountStory } from "./story.js";
import { mountTables } from "./tables.js";

/**
 * @param {HTMLElement} root
 * @param {RoutingStore} store
 * @param {Actions} actions
 */
export function mount(root, store, actions) {
  const scenes = scenesOf(store);
  const size = findElement(root, "[data-size]");
  mountControls(root, store, actions);
  mountPlay(root, store, actions);
  mountStory(root, scenes);
  mountFlow(root, scenes, actions);
  mountMatrix(root, scenes, actions);
  mountCurves(root, scenes, actions);
  mountCloud(root, scenes, actions);
  mountHistograms(root, scenes, actions);
  mountArithmetic(root, scenes, actions);
  mountTables(root, scenes);
  mountBeside(findElement(root, "[data-beside]"), store, {
    own: form,
    showStep: actions.showStep,
  });
  scenes.watch(({ routed }) =>
    setText(
      size,
      `${routed.children.length} capsules → ${routed.parents} ${routed.above === "classes" ? "classes" : "types at one place"}`,
    ),
  );
}
