import assert from "node:assert/strict";
import { test } from "node:test";
import {
  evidenceOfCapsules,
  lengthsOverIterations,
  ofCapsule,
  ofClass,
  shareOfEnd,
} from "../../../../../static/js/kinds/routing/dynamic/sums.js";
import { closeTo, tensor } from "../../../fixtures.js";
import { CAPSULES, CLASSES, givenBy, runs } from "./made.js";

test("the share of one end weighs its couplings by the capsules' lengths", () => {
  const close = closeTo(0.01); // in half precision
  for (const { scene } of runs()) {
    const { step, tensors } = scene;
    const { couplings, lengths } = tensors;
    let [sent, all] = [0, 0];
    for (let capsule = 0; capsule < CAPSULES; capsule++) {
      sent += ofCapsule(couplings, step, capsule)[CLASSES - 1] * lengths.data[capsule];
      all += lengths.data[capsule];
    }
    close([shareOfEnd(couplings, lengths, step, CLASSES - 1)], [sent / all]);
  }
});

test("one capsule's values stand beside each other, one class's apart", () => {
  const [{ scene, steps }] = runs();
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

test("lengths over the iterations are norms of digit capsules", () => {
  const capsules = tensor([2, 3, 2], [3, 4, 0, 0, 1, 0, 6, 8, 0, 2, 5, 12]);
  assert.deepEqual(lengthsOverIterations(capsules), [
    [5, 10],
    [0, 2],
    [1, 13],
  ]);
});

test("a capsule gives its weighted vote along the class's direction", () => {
  const close = closeTo(0.02); // in half precision
  for (const { scene, steps } of runs()) {
    const { tensors, step, classIndex } = scene;
    close(
      evidenceOfCapsules(tensors, step, classIndex),
      givenBy(steps[step], classIndex),
    );
  }
});
