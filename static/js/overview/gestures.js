/**
 * What can be changed in the run on stage where it stands in the picture: a tile silenced,
 * what flows from it to a class held, and of a class what gives it most.
 * @import { Gesture } from "../kinds/types.js"
 * @import { MarkName } from "./hands.js"
 * @import { Shown } from "./painter.js"
 */
import { SHORTCUTS } from "../core/shortcuts.js";
import { ranked } from "../lib/arithmetic.js";
import { fixed } from "../lib/format.js";
import { between } from "./flows.js";
import { silenceable } from "./stage.js";

const SILENCE = SHORTCUTS.silence.keys;

/**
 * @typedef {object} Choice
 * @property {string} words on its button
 * @property {string} title the same, at more length
 * @property {string} key
 * @property {Gesture} gesture
 * @property {boolean} isOn whether it is so already: then the gesture takes it back
 */

/**
 * @param {Shown} shown @param {MarkName} mark
 * @param {{ step: number }} now the iteration on show, from 0
 * @returns {Choice[]} none where nothing can be changed; the first is what a long press does
 */
export function gesturesAt(shown, [kind, ...numbers], { step }) {
  if (shown.scene.isEmpty || shown.scene.stage === null) return [];
  const [first, second, third] = numbers;
  if (kind === "tile")
    return ofTile(shown, silenceable(shown, { level: first, tile: second }));
  if (kind === "class") return ofClass(shown, first, step);
  return ofRiver(shown, first, second, third);
}

/** @param {Shown} shown @param {number | null} tile @returns {Choice[]} */
function ofTile({ scene }, tile) {
  if (tile === null) return [];
  const isOn = scene.stage?.silent.includes(tile) === true;
  const title = isOn ? "Let it speak again" : "Silence it: nothing it says counts";
  const words = isOn ? "speak" : "silence";
  return [{ words, title, key: SILENCE, gesture: { tile }, isOn }];
}

/**
 * What gives most to a class, of those that are not silent yet.
 * @param {Shown} shown @param {number} classIndex @param {number} step
 * @returns {Choice[]}
 */
function ofClass(shown, classIndex, step) {
  const { flows, scene } = shown;
  const level = (flows?.levels.length ?? 0) - 1;
  if (flows === null || level < 0) return [];
  const { all, above, parts } = between(flows, Math.min(step, flows.steps - 1)).outs[
    level
  ];
  const gives = Array.from({ length: parts }, (_, at) => all[at * above + classIndex]);
  const best = ranked(gives)
    .filter((at) => gives[at] > 0)
    .map((at) => silenceable(shown, { level, tile: at }))
    .find((tile) => tile !== null && !scene.stage?.silent.includes(tile));
  if (best === undefined || best === null) return [];
  const name = `${flows.levels[level].column.one} ${best}`;
  const title = `Silence ${name}, which gives it most`;
  return ofTile(shown, best).map((choice) => ({
    ...choice,
    title,
    words: `silence ${name}`,
  }));
}

/**
 * @param {Shown} shown @param {number} level @param {number} from @param {number} target
 * @returns {Choice[]}
 */
function ofRiver(shown, level, from, target) {
  const { flows, scene } = shown;
  const tile = silenceable(shown, { level, tile: from });
  const isLast = flows !== null && level === flows.levels.length - 1;
  if (tile === null || !isLast) return [];
  if (!scene.stage?.holds) return ofTile(shown, tile); // all that it gives
  const held = scene.stage?.held.find(
    (each) => each.tile === tile && each.target === target,
  );
  const even = 1 / scene.names.length;
  const choices = /** @type {const} */ ([
    ["silence", SILENCE, 0, "Silence it: hold its couplings at 0"],
    ["hold", SHORTCUTS.hold.keys, 1, "Hold it: all its couplings go to this class"],
    [
      "even",
      SHORTCUTS.even.keys,
      even,
      `Even it: hold its couplings at ${fixed(even, 2)}`,
    ],
  ]);
  return choices.map(([words, key, coupling, title]) => {
    const isOn = held !== undefined && Math.abs(held.coupling - coupling) < 0.005;
    return {
      words: isOn ? "let go" : words,
      title: isOn ? "Let it go" : title,
      key,
      isOn,
      gesture: { tile, target, coupling: isOn ? held.coupling : coupling },
    };
  });
}
