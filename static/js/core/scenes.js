/**
 * What all pictures of a view share: one scene, worked out once for each state.
 * @import { Source } from "./store.js"
 */
import { selector } from "./store.js";

/**
 * @template {object} Scene
 * @typedef {object} Scenes
 * @property {() => Scene | null} shown the scene that is or was complete last; null if none
 *   ever was
 * @property {(draw: (scene: Scene) => void) => void} watch call `draw` with the scene on
 *   show, now and whenever it is another
 */

/**
 * @template {Scenes<any>} All
 * @typedef {NonNullable<ReturnType<All["shown"]>>} SceneOf what they are of
 */

/**
 * A scene is another one when a part of it is.
 * @template State
 * @template {object} Scene
 * @param {Source<State>} store
 * @param {(state: State) => Scene | null} sceneOf null while a part is on its way
 * @returns {Scenes<Scene>}
 */
export function createScenes(store, sceneOf) {
  /** @type {{ scene: Scene } | null} */
  let last = null;
  const scenes = selector(store, (state) => {
    const scene = sceneOf(state);
    if (scene === null) return null;
    if (last === null || !isAlike(last.scene, scene)) last = { scene };
    return last;
  });
  return {
    shown: () => scenes.shown()?.scene ?? null,
    watch: (draw) => scenes.watch(["scene"], ({ scene }) => draw(scene)),
  };
}

/**
 * Scenes that are told of, such as those that are made of answers.
 * @template {object} Scene
 */
export function toldScenes() {
  /** @type {Scene | null} */
  let last = null;
  /** @type {((scene: Scene) => void)[]} */
  const draws = [];
  return {
    /** @param {(scene: Scene) => void} draw */
    watch(draw) {
      draws.push(draw);
      if (last) draw(last);
    },
    /** @param {Scene} scene */
    tell(scene) {
      last = scene;
      for (const draw of draws) draw(scene);
    },
  };
}

/**
 * The same scenes with what the pointer is on, so that pictures can point together.
 * @template {object} Scene
 * @template Pointed
 * @param {Pick<Scenes<Scene>, "watch">} scenes @param {Pointed} nothing
 */
export function withPointed(scenes, nothing) {
  let pointed = nothing;
  /** @type {Scene | null} */
  let last = null;
  /** @type {ReturnType<typeof toldScenes<Scene & { pointed: Pointed }>>} */
  const { watch, tell } = toldScenes();
  const tellNow = () => last && tell({ ...last, pointed });
  scenes.watch((scene) => {
    last = scene;
    tellNow();
  });
  return {
    watch,
    /** @param {Pointed} at */
    point(at) {
      pointed = at;
      tellNow();
    },
  };
}

/**
 * Whether the parts of two scenes are the same, or made of the same parts.
 * @param {Readonly<Record<string, any>>} one @param {Readonly<Record<string, any>>} other
 */
const isAlike = (one, other) =>
  haveSame(
    one,
    other,
    (a, b) => a === b || (hasParts(a) && hasParts(b) && haveSame(a, b, Object.is)),
  );

/** @param {unknown} value */
const hasParts = (value) =>
  typeof value === "object" && value !== null && !ArrayBuffer.isView(value);

/**
 * @param {Readonly<Record<string, any>>} one @param {Readonly<Record<string, any>>} other
 * @param {(a: any, b: any) => boolean} isSame
 */
function haveSame(one, other, isSame) {
  const keys = Object.keys(other);
  const isAsLong = keys.length === Object.keys(one).length;
  return isAsLong && keys.every((key) => isSame(one[key], other[key]));
}
