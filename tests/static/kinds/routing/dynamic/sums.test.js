import assert from "node:assert/strict";
import { test } from "node:test";
import {
  beyondEven,
  couplingsByType,
  flowByType,
  lengthsOverIterations,
  movedByType,
  ofCapsule,
  ofClass,
  sharesBeyondEven,
} from "../../../../../static/js/kinds/routing/dynamic/sums.js";
import { closeTo, tensor } from "../../../fixtures.js";
import { CAPSULES, CLASSES, scenes } from "./scenes-made.js";

test("by type, couplings are means, flow weighs lengths, and what is beyond even counts as moved", () => {
  const close = closeTo(0.01); // in half precision
  for (const { scene } of scenes()) {
    const { step, grid, tensors } = scene;
    const { couplings, lengths } = tensors;
    const cells = grid.rows * grid.columns;
    const flow = flowByType(couplings, lengths, step);
    const moved = movedByType(flow).data;
    const shares = sharesBeyondEven(flow).data;
    const means = couplingsByType(couplings, step).data;
    for (let at = 0; at < grid.types * CLASSES; at++) {
      const own = Array.from({ length: cells }, (_, cell) => {
        const capsule = Math.floor(at / CLASSES) * cells + cell;
        const coupling = ofCapsule(couplings, step, capsule)[at % CLASSES];
        return [coupling, lengths.data[capsule]];
      });
      const [coupled, flows, whole] = own.reduce(
        ([c, f, u], [coupling, length]) => [
          c + coupling,
          f + coupling * length,
          u + length,
        ],
        [0, 0, 0],
      );
      close(means[at], coupled / cells);
      close(flow.data[at], flows);
      close(moved[at], flows - whole / CLASSES);
      close(shares[at], flows / whole - 1 / CLASSES);
    }
  }
});

test("one capsule's values stand beside each other, one class's apart", () => {
  const [{ scene, steps }] = scenes();
  const close = closeTo(0.001);
  const { couplings } = scene.tensors;
  for (let capsule = 0; capsule < CAPSULES; capsule++) {
    close(ofCapsule(couplings, 0, capsule), steps[0].couplings[capsule]);
    assert.equal(
      ofClass(couplings, 0, 3)[capsule],
      ofCapsule(couplings, 0, capsule)[3],
    );
  }
});

test("a type that has nothing has no shares", () => {
  const flow = { types: 2, classes: 2, data: Float32Array.of(0, 0, 1, 3) };
  assert.deepEqual([...sharesBeyondEven(flow).data], [0, 0, -0.25, 0.25]);
});

test("an even split has nothing beyond even", () => {
  const beyond = beyondEven(Float32Array.of(0.25, 0.5, 0.25, 0), 4);
  assert.deepEqual(beyond, Float32Array.of(0, 0.25, 0, -0.25));
});

test("lengths over the iterations are norms of digit capsules", () => {
  const capsules = tensor([2, 3, 2], [3, 4, 0, 0, 1, 0, 6, 8, 0, 2, 5, 12]);
  assert.deepEqual(lengthsOverIterations(capsules), [
    [5, 10],
    [0, 2],
    [1, 13],
  ]);
});
