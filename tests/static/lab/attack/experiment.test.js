import assert from "node:assert/strict";
import { test } from "node:test";
import { attackBody, split } from "../../../../static/js/lab/attack/ask.js";
import {
  measuredAs,
  START,
  sweepOf,
} from "../../../../static/js/lab/attack/experiment.js";
import { grey } from "../../fixtures.js";

test("only what was measured in the same way stands behind a curve", () => {
  const routes = { routing_iterations: 3 };
  const as = (/** @type {object} */ choices, model = routes) =>
    measuredAs({ ...START, ...choices }, model);
  assert.equal(as({}), "fgsm");
  assert.equal(as({ method: "noise", target: "3" }), "noise");
  assert.equal(as({ method: "pgd", gradient: "last" }), "pgd_last");
  for (const routing_iterations of [1, null])
    assert.equal(as({ gradient: "last" }, { routing_iterations }), "fgsm");
  assert.equal(as({ loss: "trained" }), "fgsm_trained");
  for (const other of [
    { method: "bim" },
    { target: "3" },
    { source: "cnn" },
    { alarm: "avoided" },
    { method: "pgd", loss: "trained" },
    { gradient: "last", loss: "trained" },
  ])
    assert.equal(as(other), null);
});

test("methods of many steps are asked at fewer values", () => {
  assert.ok(sweepOf({ method: "pgd" }).length < sweepOf({ method: "fgsm" }).length);
});

test("an alarm is avoided only where there is one", () => {
  const pixels = grey([255, 255, 255, 255]);
  const body = (/** @type {boolean} */ reconstruct, choices = {}) =>
    attackBody(
      pixels,
      /** @type {any} */ ({ classes: 10, can: { reconstruct } }),
      4,
      [0.1],
      { ...START, alarm: "avoided", ...choices },
      false,
    );
  assert.equal(body(true).alarm, 5);
  assert.equal(body(false).alarm, 0);
  assert.equal(body(true, { method: "noise" }).alarm, 0);
  assert.equal(body(true).target, null);
  assert.equal(body(true, { target: "3" }).target, 3);
  assert.equal(body(true, { target: "12" }).target, null);
  assert.deepEqual(body(true).image, [
    [1, 1],
    [1, 1],
  ]);
});

test("images are split", () => {
  const data = Float32Array.of(0, 0.5, 1, 0.25);
  const [first, second] = split({ shape: [2, 2], data });
  assert.deepEqual([...first, ...second], [...data]);
});
