/**
 * Surgery on the Overview's stage: a tile is silenced where it stands, or what flows from it
 * to a class is held; and what became of the answer is told in one line.
 * @import { Stage } from "../../../overview/types.js"
 * @import { Gesture, Model } from "../../types.js"
 * @import { OperableState, Surgery } from "../types.js"
 */
import { SCORES } from "../../../core/scores.js";
import {
  capsulesOfType,
  heldIn,
  isIntact,
  silentByType,
  surgeryInWords,
  withoutPins,
  withPins,
  withSilence,
} from "./changes.js";
import { ranIn } from "./run.js";
import { answerInWords } from "./words.js";

/** @typedef {{ rows: number, columns: number }} Grid of a type's capsules */

/**
 * What is done a second time is undone.
 * @param {{ surgery: Surgery }} state @param {Grid} grid @param {Gesture} gesture
 * @returns {{ surgery: Surgery }}
 */
export function operated({ surgery }, { rows, columns }, gesture) {
  const { tile, target: classIndex, coupling = 0 } = gesture;
  const capsules = capsulesOfType(tile, rows * columns);
  if (classIndex === undefined) {
    const isSilent = capsules.every((capsule) => surgery.silenced.includes(capsule));
    return { surgery: withSilence(surgery, capsules, !isSilent) };
  }
  const isSo = capsules.every((capsule) =>
    surgery.pins.some(
      (pin) =>
        pin.capsule === capsule &&
        pin.classIndex === classIndex &&
        pin.coupling === coupling,
    ),
  );
  const pins = capsules.map((capsule) => ({ capsule, classIndex, coupling }));
  return { surgery: isSo ? withoutPins(surgery, capsules) : withPins(surgery, pins) };
}

/**
 * What is changed in the run on stage.
 * @param {Pick<OperableState, "trace" | "intact" | "layer"> & { model: Model }} state
 * @param {Grid & { types: number, one?: string }} grid one: what is silenced, where nothing is
 *   routed
 * @returns {Stage}
 */
export function stageOf(state, { types, rows, columns, one: noun }) {
  const { trace, intact, layer, model } = state;
  const cells = rows * columns;
  const surgery = ranIn(trace);
  const silent = silentByType(surgery.silenced, types, cells).flatMap((count, type) =>
    count === cells ? [type] : [],
  );
  const held = heldIn(surgery.pins, cells).flatMap(
    ({ type, capsules: [capsule], classIndex: target, coupling }) =>
      type === null && cells > 1 ? [] : [{ tile: type ?? capsule, target, coupling }],
  );
  const changes = surgeryInWords(surgery, {
    types,
    cells,
    names: model.class_names,
    one: noun,
  });
  const before = intact?.pixels === trace.pixels && intact.tensors[SCORES];
  return {
    below: layer.below ?? "",
    silent,
    held,
    isChanged: !isIntact(surgery),
    holds: noun === undefined,
    words: before
      ? `${changes} ${answerInWords({ model, surgery, intact: /** @type {any} */ (intact), changed: trace })}`
      : changes,
  };
}
