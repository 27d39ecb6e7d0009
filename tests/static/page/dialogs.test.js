import assert from "node:assert/strict";
import { test } from "node:test";
import { sideBySide } from "../../../static/js/page/dialogs.js";
import { MODEL } from "../fixtures.js";

const misread = (...indices) =>
  indices.map((index) => ({ index, label: 1, prediction: 7 }));

const CAPSNET = {
  ...MODEL,
  title: "CapsNet on MNIST",
  parameters: 8215568,
  card: {
    ...MODEL.card,
    dataset: "mnist",
    test_error: 0.0039,
    test_images: 10_000,
    epochs: 32,
    training_time_s: 6113,
    lineage: { runs: 3, epochs: 76, training_time_s: 20160 },
    forward: { milliseconds: 6.24, threads: 1, processor: "x" },
    mistakes: misread(1, 2, 3),
  },
};
const CNN = {
  ...MODEL,
  id: "cnn",
  title: "CNN on MNIST",
  parameters: 582026,
  card: {
    ...MODEL.card,
    dataset: "mnist",
    test_error: 0.005,
    test_images: 10_000,
    epochs: 8,
    training_time_s: 59.4,
    mistakes: misread(3, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21),
  },
};

test("every network has a row, and what is not known a dash", () => {
  const { head, rows } = sideBySide([CAPSNET, CNN]);
  assert.deepEqual(head, [
    "Network",
    "Parameters",
    "Test error",
    "95\u202f% interval",
    "Training",
    "Forward pass",
  ]);
  assert.deepEqual(rows[0], [
    "CapsNet on MNIST",
    "8\u202f215\u202f568",
    "0.39\u202f% of 10\u202f000",
    "0.29 to 0.53\u202f%, over images",
    "32 epochs, 1 h 42 min; before, in 2 runs, 44 epochs, 3 h 54 min",
    "6.2 ms, one thread",
  ]);
  assert.deepEqual(rows[1].slice(4), ["8 epochs, 1 min", "–"]);
});
