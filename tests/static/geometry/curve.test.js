import assert from "node:assert/strict";
import { test } from "node:test";

import {
  areaPoints,
  curvePoints,
  knobAt,
  knobX,
  shareY,
} from "../../../static/js/geometry/curve.js";

const FRAME = { left: 30, right: 130, top: 10, bottom: 60, low: -10, high: 10 };

test("the knob's ends stand at the frame's, 1 above and 0 below", () => {
  assert.deepEqual(
    [-10, 0, 10].map((knob) => knobX(FRAME, knob)),
    [30, 80, 130],
  );
  assert.deepEqual(
    [0, 0.5, 1].map((share) => shareY(FRAME, share)),
    [60, 35, 10],
  );
});

test("a place on the picture is the knob's value there, kept within its limits", () => {
  for (const knob of [-10, -2.5, 0, 10])
    assert.equal(knobAt(FRAME, knobX(FRAME, knob)), knob);
  assert.equal(knobAt(FRAME, 0), -10);
  assert.equal(knobAt(FRAME, 500), 10);
});

test("a curve need not have equal steps, and its area stands on 0", () => {
  const knobs = [-10, 0, 5];
  assert.equal(
    curvePoints(FRAME, knobs, [0, 1, 0.5]),
    "30.0,60.0 80.0,10.0 105.0,35.0",
  );
  assert.equal(
    areaPoints(FRAME, knobs, [0.5, 1, 0.5]),
    "30.0,60.0 30.0,35.0 80.0,10.0 105.0,35.0 105.0,60.0",
  );
});
