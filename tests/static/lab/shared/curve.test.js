import assert from "node:assert/strict";
import { test } from "node:test";
import {
  curve,
  curveNumbers,
  linesOf,
} from "../../../../static/js/lab/shared/curve.js";

const AXIS = {
  ...{ title: "Turn, °", low: -30, high: 30, step: 0.5, decimals: 1 },
  ticks: [-30, 0, 30],
};
const TEST = {
  images: 1000,
  values: [-30, 0],
  accuracy: [0.5, 0.99],
};
const DATA = {
  ...{ axis: AXIS, score: "length of 4", knobs: [-30, 0, 30], test: TEST },
  shares: [0.1, 0.9, 0.8],
};
const second = { title: "of 7", shares: [0, 0.5, 1] };
const named = (data) => linesOf(data).flatMap(({ name }) => name || []);

test("what was measured stands behind this image's lines, each with its name", () => {
  const measured = "1\u202f000 test images read right";
  assert.deepEqual(named(DATA), [measured, "length of 4"]);
  assert.deepEqual(named({ ...DATA, second }), [...[measured, "length of 4", "of 7"]]);
  assert.deepEqual(named({ ...DATA, shares: null, test: null }), []);
  const band = { title: "mean", shares: [0.2, 0.3] };
  assert.deepEqual(named({ ...DATA, band }), ["mean", "length of 4"]);
});

test("the table has a dash for what is on its way or was not measured", () => {
  const { names, columns } = curveNumbers({
    ...DATA,
    second: { ...second, shares: null },
  });
  assert.deepEqual(names, ["−30.0", "0.0", "30.0"]);
  assert.deepEqual(
    columns.map(([, values]) => [...values]),
    [
      [0.1, 0.9, 0.8],
      [NaN, NaN, NaN],
      [0.5, 0.99, NaN],
    ],
  );
});

/** @param {any} data */
function drawn(data) {
  const [plot, note] = curve(data, 0, () => {});
  return { ...plot.attributes, note: note?.content?.[0] };
}

test("where the class is read is marked along the knob, stretch by stretch", () => {
  assert.deepEqual(drawn({ ...DATA, isRead: [true, false, true] }).spans, [
    { from: -30, to: -30 },
    { from: 30, to: 30 },
  ]);
  assert.deepEqual(drawn({ ...DATA, isRead: [true, true, true] }).spans, [
    { from: -30, to: 30 },
  ]);
  assert.deepEqual(drawn(DATA).spans, []);
  assert.equal(drawn({ ...DATA, read: "4" }).spansName, "read as 4");
});

test("what was not measured is said to be", () => {
  assert.match(drawn({ ...DATA, test: null }).note, /no test images were measured/);
  assert.equal(drawn({ ...DATA, test: null, unmeasured: "Not yet." }).note, "Not yet.");
  assert.equal(drawn(DATA).note, undefined);
});
