import assert from "node:assert/strict";
import { test } from "node:test";
import { saidOf } from "../../../../static/js/core/scores.js";
import {
  areRead,
  placeIn,
  scoresOver,
  withReading,
  withValue,
} from "../../../../static/js/lab/shared/insertion.js";
import { MODEL, seededRandom, tensor } from "../../fixtures.js";

const CLASSES = MODEL.class_names.length;
const rowOf = (read, score) =>
  Array.from({ length: CLASSES }, (_, i) => (i === read ? score : 0));
const sweepOf = (rows) => ({
  model: MODEL,
  predictions: rows.map((row) => row.indexOf(Math.max(...row))),
  readings: rows.map((row) => saidOf(row, MODEL)),
  tensors: { scores: tensor([rows.length, CLASSES], rows.flat()) },
});
const readingOf = (row) => ({
  model: MODEL,
  trace: {
    prediction: row.indexOf(Math.max(...row)),
    tensors: { scores: tensor([CLASSES], row) },
  },
});

test("a value takes its own place among others, or another’s that is the same", () => {
  assert.deepEqual(placeIn([0, 2, 4], 3), { at: 2, isNew: true });
  assert.deepEqual(placeIn([0, 2, 4], 2 + 1e-9), { at: 1, isNew: false });
  assert.deepEqual(placeIn([0, 2, 4], 5), { at: 3, isNew: true });
  assert.deepEqual(placeIn([], 5), { at: 0, isNew: true });
  const random = seededRandom(2);
  for (let run = 0; run < 200; run++) {
    const knobs = Array.from({ length: run % 6 }, (_, i) => i);
    const value = run % 2 ? Math.floor(6 * random()) : 6 * random() - 0.5;
    const all = withValue(knobs, placeIn(knobs, value), value);
    assert.deepEqual(
      all,
      [...new Set([...knobs, value])].sort((a, b) => a - b),
    );
  }
});

test("where the knob stands, a sweep says what its card says", () => {
  const knobs = [0, 1, 2];
  const sweep = sweepOf([rowOf(4, 0.9), rowOf(4, 0.8), rowOf(2, 0.7)]);
  for (const value of [0, 1.5, 2, 2.5]) {
    const scores = rowOf(7, 0.6);
    const index = placeIn(knobs, value);
    const merged = withReading(sweep, index, readingOf(scores));
    const at = withValue(knobs, index, value).indexOf(value);
    assert.equal(merged.predictions[at], 7);
    assert.ok(Math.abs(scoresOver(merged, 7)[at] - 0.6) < 1e-6);
    assert.equal(areRead(merged, 7)[at], true);
    assert.equal(areRead(merged, 7).filter(Boolean).length, 1);
    assert.ok(
      Math.abs(scoresOver(merged, null)[at] - 0.6) < 1e-6,
      "the highest of all",
    );
    assert.equal(merged.original, sweep);
  }
});
