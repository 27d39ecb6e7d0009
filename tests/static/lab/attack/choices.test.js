import assert from "node:assert/strict";
import { test } from "node:test";
import {
  attackBody,
  attackedOver,
  partsOf,
} from "../../../../static/js/lab/attack/ask.js";
import { measuredAs, START } from "../../../../static/js/lab/attack/choices.js";
import { grey, settled } from "../../fixtures.js";

test("only what was measured in the same way stands behind a curve", () => {
  const as = (choices) => measuredAs({ ...START, ...choices });
  assert.equal(as({}), "fgsm");
  assert.equal(as({ method: "noise", target: "3" }), "noise");
  assert.equal(as({ method: "pgd" }), "pgd");
  for (const other of [{ method: "bim" }, { target: "3" }])
    assert.equal(as(other), null);
});

test("a target is one of the network's classes", () => {
  const body = (choices) =>
    attackBody(
      grey([255, 255, 255, 255]),
      { classes: 10 },
      4,
      [0.1],
      { ...START, ...choices },
      false,
    );
  assert.equal(body({}).target, null);
  assert.equal(body({ target: "3" }).target, 3);
  assert.equal(body({ target: "12" }).target, null);
  assert.deepEqual(body({}).image, [
    [1, 1],
    [1, 1],
  ]);
});

test("a quick attack is asked at once, one that takes steps a few ε at a time", () => {
  assert.deepEqual(partsOf([0, 0.1, 0.2, 0.3], { method: "fgsm" }), [
    [0, 0.1, 0.2, 0.3],
  ]);
  assert.deepEqual(partsOf([0, 0.05, 0.1, 0.2, 0.3], { method: "pgd" }), [
    [0, 0.05, 0.1],
    [0.2, 0.3],
  ]);
  assert.deepEqual(partsOf([0.1, 0.2, 0.3], { method: "bim" }), [[0.1, 0.2], [0.3]]);
});

/**
 * Networks of two classes and one pixel; attacked by ε, the pixel is ε, and the score of
 * class 0 what is left of one.
 */
function attackable(count) {
  const networks = Array.from({ length: count }, (_, i) => ({
    id: `net-${i}`,
    input_shape: [1, 1, 1],
    scores: "probability",
    can: { gradient: true, reconstruct: false },
    present: { threshold: null, at_most: 1 },
    card: {},
  }));
  let open = 0;
  const requests = [];
  const server = {
    async fetchAttack({ id }, { epsilons }, signal) {
      requests.push([id, epsilons]);
      assert.equal(++open, 1, "one at a time");
      await settled();
      open -= 1;
      signal?.throwIfAborted();
      const data = Float32Array.from(epsilons);
      return { tensors: { images: { shape: [data.length, 1, 1, 1], data } } };
    },
    async computeTensors(_model, _path, { images }) {
      const pixels = images.flat(Number.POSITIVE_INFINITY);
      const data = Float32Array.from(pixels.flatMap((pixel) => [1 - pixel, pixel]));
      const shape = [pixels.length, 2];
      const predictions = Float32Array.from(pixels, () => 0);
      return {
        scores: { shape, data },
        predictions: { shape: [shape[0]], data: predictions },
      };
    },
  };
  return { server, networks, asked: requests };
}

test("curves come in parts, each as soon as it is whole", async () => {
  const { server, networks, asked: requests } = attackable(2);
  const progress = [];
  const curves = await attackedOver(
    server,
    {
      pixels: grey([0]),
      source: { kind: "drawn" },
      networks,
      choices: { ...START, method: "pgd" },
    },
    [0, 0.125, 0.25, 0.5],
    ({ curves, done, parts }) => progress.push([curves.length, done, parts]),
  );
  assert.deepEqual(
    curves.map(({ shares }) => shares),
    [
      [1, 0.875, 0.75, 0.5],
      [1, 0.875, 0.75, 0.5],
    ],
  );
  assert.deepEqual(progress, [
    [0, 1, 4],
    [1, 2, 4],
    [1, 3, 4],
    [2, 4, 4],
  ]);
  assert.deepEqual(requests.slice(0, 2), [
    ["net-0", [0, 0.125, 0.25]],
    ["net-0", [0.5]],
  ]);
});

test("a signal ends them between two parts", async () => {
  const { server, networks, asked: requests } = attackable(2);
  const end = new AbortController();
  const wish = {
    pixels: grey([0]),
    source: { kind: "drawn" },
    networks,
    choices: { ...START, method: "pgd" },
    signal: end.signal,
  };
  const ended = attackedOver(server, wish, [0.1, 0.2, 0.3], () => end.abort());
  await assert.rejects(ended, { name: "AbortError" });
  assert.equal(requests.length, 2);
});
