/**
 * What all pictures of a routing view share: one scene, worked out once for each state.
 * @import { Source } from "../../core/store.js"
 */
import { selector } from "../../core/store.js";
import { findElement, setText } from "../../ui/dom.js";
import { showSeenFirst } from "../../ui/seen.js";

/**
 * @template {object} Scene
 * @typedef {object} Scenes
 * @property {() => Scene | null} shown the scene that is or was complete last; null if none
 *   ever was
 * @property {(draw: (scene: Scene) => void) => void} watch call `draw` with the scene on
 *   show, now and whenever it is another
 */

/**
 * @template State
 * @template {object} Scene
 * @param {Source<State>} store
 * @param {(state: State) => Scene | null} sceneOf null while a part is on its way
 * @param {readonly (keyof Scene)[]} keys what makes another scene of it
 * @returns {Scenes<Scene>}
 */
export function createScenes(store, sceneOf, keys) {
  const scenes = selector(store, sceneOf);
  return {
    shown: scenes.shown,
    watch(draw) {
      scenes.watch(keys, () => {
        const scene = scenes.get();
        if (scene !== null) draw(scene);
      });
    },
  };
}

/**
 * Say in the summary of a folded panel, in a line, what is found in it.
 * @template {object} Scene
 * @param {HTMLElement} panel
 * @param {Scenes<Scene>} scenes
 * @param {(scene: Scene) => string} tell
 */
export function sayFinding(panel, scenes, tell) {
  const line = findElement(panel, "[data-finding]");
  scenes.watch(showSeenFirst(line, (scene) => setText(line, tell(scene))));
}
