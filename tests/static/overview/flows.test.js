import assert from "node:assert/strict";
import { test } from "node:test";
import {
  arriving,
  between,
  flowsOf,
  throughOf,
} from "../../../static/js/overview/flows.js";
import { closeTo } from "../fixtures.js";
import { DEEP, RIVER, SCENE } from "./scene.js";

const near = closeTo(1e-6);

test("what a type gives to a class is what its capsules give", () => {
  const { outs, sums } = flowsOf(SCENE).at(1);
  near([...outs[0].all], [3, -0.5, 0.1, 0.5, 0.3, 0.1]);
  near([...sums], [3.5, -0.2, 0.2]);
});

test("of what flows to a class, all leads to it and nothing to another", () => {
  const [{ all, led }] = flowsOf(SCENE).at(1).outs;
  for (let to = 0; to < 6; to++)
    for (let k = 0; k < 3; k++)
      assert.equal(led[to * 3 + k], to % 3 === k ? all[to] : 0);
});

test("what arrives and what passes through counts only what is above zero", () => {
  const moment = flowsOf(SCENE).at(1);
  near([...arriving(moment.outs[0])], [3.5, 0.3, 0.2]);
  near([...throughOf(moment, 0)], [3.1, 0.9]);
});

test("between two iterations all amounts are on their way", () => {
  const flows = flowsOf(SCENE);
  const half = between(flows, 0.5);
  const [before, after] = [0, 1].map((step) => flows.at(step).outs[0].all);
  near(
    [...half.outs[0].all],
    [...before].map((value, at) => (value + after[at]) / 2),
  );
  assert.equal(between(flows, 1), flows.at(1));
});

test("what a capsule in the middle passes on is divided by what was given to it", () => {
  const { outs, spoken, sums } = flowsOf(DEEP).at(0);
  // mid 0 got 3, 1 and 0 of 4; mid 1 got 0.5, 1 and 0.5 of 2.
  const expected = [
    [(3 / 4) * 1, (3 / 4) * 0.4, 0, (1 / 4) * 0.5, 0, (1 / 4) * 0.2],
    [(1 / 4) * 1, (1 / 4) * 0.4, 0, (1 / 2) * 0.5, 0, (1 / 2) * 0.2],
    [0, 0, 0, (1 / 4) * 0.5, 0, (1 / 4) * 0.2],
  ].flat();
  near([...outs[0].led], expected);
  near([...sums], [1.5, 0.4, 0.2]);
  // Every layer passes on what the last one gives to each class.
  for (let k = 0; k < 3; k++) {
    const passed = expected.filter((_, at) => at % 3 === k).reduce((a, b) => a + b);
    assert.ok(Math.abs(passed - sums[k]) < 1e-6);
    let told = 0;
    for (let at = k; at < spoken.length; at += 3) told += spoken[at];
    assert.ok(Math.abs(told - sums[k]) < 1e-6);
  }
});

test("of many parts those that give most are drawn, and the others as one", () => {
  const parts = 40;
  const amounts = Float32Array.from({ length: parts * 3 }, (_, at) =>
    at % 3 === 0 ? ((Math.floor(at / 3) * 7) % parts) + 1 : 0,
  );
  const river = { ...RIVER, steps: 1, parts, places: 1, amounts };
  const flows = flowsOf({ ...SCENE, rivers: [river], steps: 1 });
  const [{ groups }] = flows.levels;
  assert.equal(groups.length, 32);
  const rest = groups.at(-1);
  assert.equal(rest.length, 9);
  const drawn = groups.slice(0, -1).flat();
  const gives = (part) => ((part * 7) % parts) + 1;
  assert.ok(Math.max(...rest.map(gives)) < Math.min(...drawn.map(gives)));
  const [{ all }] = flows.at(0).outs;
  assert.equal(
    all[31 * 3],
    rest.reduce((sum, part) => sum + gives(part), 0),
  );
  assert.equal(
    [...all].reduce((a, b) => a + b),
    (parts * (parts + 1)) / 2,
  );
});

test("a network of which nothing leads to the classes has no flow", () => {
  assert.equal(flowsOf({ ...SCENE, rivers: [] }), null);
  assert.equal(flowsOf({ ...SCENE, rivers: [{ ...RIVER, below: "other" }] }), null);
});
