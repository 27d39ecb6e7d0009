/**
 * What all pictures of a view share: one scene, worked out once for each state.
 * @import { Source } from "./store.js"
 */
import { selector } from "./store.js";

/**
 * @template State
 * @template {object} Scene
 * @param {Source<State>} store
 * @param {(state: State) => Scene | null} sceneOf null while a part is on its way
 * @param {readonly (keyof Scene)[]} keys what makes another scene of it
 */
export function createScenes(store, sceneOf, keys) {
  const scenes = selector(store, sceneOf);
  return {
    /** The scene that is or was complete last; null if none ever was. */
    shown: scenes.shown,

    /**
     * Call `draw` with the scene on show, now and whenever it is another.
     * @param {(scene: Scene) => void} draw
     */
    watch(draw) {
      scenes.watch(keys, () => {
        const scene = scenes.get();
        if (scene !== null) draw(scene);
      });
    },
  };
}
