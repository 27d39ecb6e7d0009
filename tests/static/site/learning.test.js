import assert from "node:assert/strict";
import { test } from "node:test";
import { keptSteps, learner, rateAt } from "../../../static/js/site/worker/learning.js";
import { narrow, widen } from "../../../static/js/site/worker/tensors.js";

/** @import { Feeds, Plan, Run, Sizes } from "../../../static/js/site/worker/learning.js" */

/** @type {Plan} */
const PLAN = {
  ...{ classes: 4, batch: 8, steps: 40, learning_rate: 0.001, warmup_steps: 4 },
  ...{ uniform: 7, normal: [8, 2], image: [1, 1, 2] },
  parameters: [
    { name: "w", shape: [2, 4, 3] },
    { name: "b", shape: [4] },
  ],
  running: [{ name: "mean", shape: [2] }],
};
/** @type {Sizes} */
const SIZES = [
  { shape: [2, 3, 3], kind: "normal", scale: 0.5 },
  { shape: [3], kind: "constant", scale: 1 },
  { shape: [2], kind: "uniform", scale: 0.25 },
];
const SYMBOLS = [0.25, 0.5, 1].map((ink) => ({
  images: [Float32Array.of(ink, 0), Float32Array.of(ink, 1)],
  test: Float32Array.of(ink, 0.5),
}));

/** Graphs that tell what they were fed. */
function lesson() {
  /** @type {Feeds[]} */
  const steps = [];
  /** @type {Run} */
  const run = async (what, feeds) => {
    const { images } = feeds;
    if (what === "warp") return { warped: Float32Array.from(images.data) };
    steps.push(feeds);
    const after = ["parameters", "means", "squares", "running"].map((name) => [
      `${name}.after`,
      Float32Array.from(feeds[name].data, (value) => value + 1),
    ]);
    return { ...Object.fromEntries(after), figures: Float32Array.of(1, 2, 0, 0.5) };
  };
  return { steps, run };
}

test("a network begins at random in its own part of the tensors, and elsewhere at 0", async () => {
  const { steps, run } = lesson();
  const it = learner(PLAN, SIZES, SYMBOLS, 5, run);
  const { w, b, mean } = it.weights();
  assert.deepEqual([w.shape, b.shape, mean.shape], [[2, 3, 3], [3], [2]]);
  assert.deepEqual([...b.data], [1, 1, 1]);
  assert.ok([...mean.data].every((value) => Math.abs(value) < 0.25 && value !== 0));
  assert.equal(new Set(w.data).size, 18);
  await it.advance();
  const { data } = steps[0].parameters;
  assert.deepEqual([...widen(w, [2, 4, 3]), 1, 1, 1, 0], Array.from(data));
  assert.deepEqual(Array.from(steps[0].absent.data), [0, 0, 0, 1]);
  const again = learner(PLAN, SIZES, SYMBOLS, 5, run).weights();
  assert.deepEqual(again.w, w);
});

test("each step goes on from the one before, on examples with their own labels", async () => {
  const { steps, run } = lesson();
  const it = learner(PLAN, SIZES, SYMBOLS, 1, run);
  const first = await it.advance();
  const { rate } = await it.advance(0.5);
  assert.deepEqual([first.rate, rate], [0.00025, 0.5]);
  assert.deepEqual(
    steps.map(({ number }) => number.data[0]),
    [1, 2],
  );
  assert.deepEqual(
    Array.from(steps[1].means.data),
    Array.from(steps[0].means.data, (value) => value + 1),
  );
  assert.equal(it.weights().b.data[0], 3);
  const labelsSeen = new Set();
  for (const { images, labels } of steps)
    for (const [index, label] of Array.from(labels.data).entries()) {
      const [ink, other] = Array.from(images.data).slice(2 * index, 2 * index + 2);
      assert.equal(SYMBOLS[label].test[0], ink);
      assert.notEqual(other, 0.5, "an image of the test is learnt");
      labelsSeen.add(label);
    }
  assert.equal(labelsSeen.size, 3);
});

test("the rate rises and falls as on the server", () => {
  const rates = [0, 3, 4, 22, 39].map((step) => rateAt(step, PLAN));
  const wanted = [0.25, 1, 1, 0.5, (1 + Math.cos((Math.PI * 35) / 36)) / 2];
  for (const [index, rate] of rates.entries())
    assert.ok(Math.abs(1000 * rate - wanted[index]) < 1e-9, `${index}: ${rate}`);
});

test("moments are kept from the beginning to the end, more of them at first", () => {
  assert.deepEqual([...keptSteps(320, 5)], [0, 20, 80, 180, 320]);
  assert.deepEqual([...keptSteps(3, 24)], [0, 1, 2, 3]);
});

test("a part of a tensor comes back from the whole", () => {
  const part = { shape: [2, 1, 2], data: [1, 2, 3, 4] };
  const whole = widen(part, [3, 2, 3]);
  assert.deepEqual([...whole].filter(Boolean), [1, 2, 3, 4]);
  const { shape, data } = narrow({ shape: [3, 2, 3], data: whole }, part.shape);
  assert.deepEqual([shape, Array.from(data)], [part.shape, part.data]);
});
