import assert from "node:assert/strict";
import { test } from "node:test";
import { startOf } from "../../../../../static/js/core/schema.js";
import { capsules } from "../../../../../static/js/kinds/capsules/index.js";
import { capsuleInWords } from "../../../../../static/js/kinds/capsules/places.js";
import { seenBy } from "../../../../../static/js/kinds/layer-state.js";
import { layersOf } from "../../../../../static/js/kinds/network.js";
import {
  gridBelow,
  isOperable,
  nounsOf,
} from "../../../../../static/js/kinds/routing/dynamic/ends.js";
import { dynamicRouting } from "../../../../../static/js/kinds/routing/dynamic/kind.js";
import { evidenceOfCapsules } from "../../../../../static/js/kinds/routing/dynamic/sums.js";
import { tensor } from "../../../fixtures.js";

const routing = (id, below, name) => ({
  id,
  below,
  kind: dynamicRouting,
  tensors: {
    lengths: `${below}.lengths`,
    capsules: `${name}.course`,
    couplings: `${name}.couplings`,
    agreement: `${name}.agreement`,
    logits: `${name}.logits`,
    scores: `${name}.lengths`,
  },
});
const capsulesOf = (id, below, more) => ({
  id,
  below,
  title: id,
  kind: capsules,
  ...more,
  tensors: { poses: `${id}.poses`, activation: `${id}.lengths`, ...more.tensors },
});
const [PRIMARY, MIDDLE, , CLASSES] = layersOf([
  capsulesOf("primary", undefined, {
    window: () => ({ size: 3, step: 1 }),
    tensors: { before: "primary.pre", below: "maps" },
  }),
  routing("to-middle", "primary", "middle"),
  capsulesOf("middle", "to-middle", { form: "routed" }),
  routing("to-classes", "middle", "classes"),
]);
const shapes = {
  "primary.lengths": [2, 1, 2],
  "middle.lengths": [3],
  "middle.course": [2, 3, 5],
  "middle.couplings": [2, 2, 1, 2, 3],
};
const MODEL = {
  routing_iterations: null,
  tensors: Object.entries(shapes).map(([name, shape]) => ({ name, shape })),
};
const STATE = {
  model: MODEL,
  classIndex: 7,
  weights: {},
  measures: {},
  trace: { prediction: 4, tensors: { "middle.lengths": tensor([3], [0.2, 0.1, 0.9]) } },
};

test("a routing in the middle has its own capsules for classes, the top one the classes", () => {
  const layerState = seenBy(MIDDLE, { ...STATE, "to-middle.classIndex": null });
  assert.deepEqual(
    [layerState.model.classes, layerState.model.class_names],
    [3, ["0", "1", "2"]],
  );
  assert.deepEqual([layerState.classIndex, layerState.trace.prediction], [null, 2]);
  assert.equal(
    seenBy(MIDDLE, { ...STATE, "to-middle.classIndex": 1 }).model,
    layerState.model, // the same for the same
  );
  const top = seenBy(CLASSES, STATE);
  assert.deepEqual([top.model, top.classIndex], [MODEL, 7]);
  assert.equal(top.trace.prediction, 4);
  assert.deepEqual(
    [nounsOf(MIDDLE).singular, nounsOf(CLASSES).singular],
    ["capsule", "class"],
  );
});

test("what is chosen below is chosen in that layer; iterations are each routing's", () => {
  assert.equal(MIDDLE.keys.capsule, "primary.capsule");
  assert.equal(CLASSES.keys.capsule, "middle.capsule");
  assert.equal(MIDDLE.keys.step, "to-middle.step");
  const start = startOf(
    Object.fromEntries(
      Object.entries(dynamicRouting.fields(MODEL, MIDDLE)).map(([key, field]) => [
        MIDDLE.keys[key] ?? key,
        field,
      ]),
    ),
  );
  assert.deepEqual([start["to-middle.iterations"], start["to-middle.step"]], [2, 2]);
});

test("capsules below have a grid, a map, or nothing but a number", () => {
  assert.deepEqual(gridBelow(MIDDLE, MODEL), {
    types: 2,
    rows: 1,
    columns: 2,
    group: "type",
  });
  const alone = gridBelow(CLASSES, MODEL);
  assert.deepEqual(alone, { types: 3, rows: 1, columns: 1, group: "capsule" });
  assert.equal(capsuleInWords(alone, 2), "capsule 2");
  // Two maps of 4 numbers, cut into capsules of 2.
  const [, ROUTED] = layersOf([
    capsulesOf("cut", undefined, {
      order: "view",
      window: () => ({ size: 1, step: 1 }),
      tensors: { before: "cut.pre", below: "cut.below" },
    }),
    routing("routing", "cut", "classes"),
  ]);
  const tensors = [
    { name: "cut.lengths", shape: [4] },
    { name: "cut.pre", shape: [4, 2] },
    { name: "cut.below", shape: [1, 2, 2] },
  ];
  const grid = gridBelow(ROUTED, { ...MODEL, tensors });
  assert.deepEqual(grid, { types: 2, rows: 1, columns: 2, group: "map" });
  assert.equal(capsuleInWords(grid, 3), "map 1, capsule 1");
});

test("what capsules give is the same with and without a grid", () => {
  const couplings = [0.2, 0.8, 0.5, 0.5, 0.9, 0.1];
  const agreement = [1, -1, 2, 0.5, -0.5, 3];
  const of = (shape, data) => tensor(shape, data);
  const flat = {
    couplings: of([1, 3, 2], couplings),
    agreement: of([1, 3, 2], agreement),
    capsules: of([1, 2, 2], [0.3, 0.4, 0, 0.25]),
  };
  // (0.2·1, 0.5·2, 0.9·−0.5) ∕ 0.5
  const evidence = [...evidenceOfCapsules(flat, 0, 0)];
  [0.4, 2, -0.9].forEach((value, i) => {
    assert.ok(Math.abs(evidence[i] - value) < 1e-6);
  });
  const gridded = {
    ...flat,
    couplings: of([1, 3, 1, 1, 2], couplings),
    agreement: of([1, 3, 1, 1, 2], agreement),
  };
  assert.deepEqual(evidenceOfCapsules(gridded, 0, 0), evidenceOfCapsules(flat, 0, 0));
});

test("requests change the routing of the classes alone, where the network routes as asked", () => {
  const routed = { ...MODEL, routing_iterations: 3 };
  assert.deepEqual(
    [
      isOperable(MIDDLE, routed),
      isOperable(CLASSES, routed),
      isOperable(CLASSES, MODEL),
    ],
    [false, true, false],
  );
  assert.deepEqual(dynamicRouting.options({ iterations: 2, model: MODEL }), {});
  assert.deepEqual(dynamicRouting.options({ iterations: 2, model: routed }), {
    iterations: 2,
  });
  assert.equal(PRIMARY.reach(MODEL).size, 3);
});
