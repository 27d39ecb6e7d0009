import assert from "node:assert/strict";
import { test } from "node:test";
import { sizeWords, trainingWords } from "../../../../static/js/lab/shared/rows.js";

test("size and error, with the number of images", () => {
  const card = { test_error: 0.0053, test_images: 10000 };
  assert.equal(
    sizeWords({ parameters: 8215568, card }),
    "8\u202f215\u202f568 parameters · 0.53\u202f% wrong of 10\u202f000 test images",
  );
  assert.match(sizeWords({ parameters: 1, card: {} }), /no test error on its card$/);
});

test("training names every change of any run, at its largest", () => {
  const start = { training: { shift: 1, rotation: 6, noise: 0.1 } };
  const card = { data: "MNIST (LeCun)", training: { shift: 2, rotation: 0 }, start };
  assert.equal(
    trainingWords(card),
    "Trained on MNIST, with images changed by shifts up to 2 px, turns up to 6° and noise.",
  );
});

test("training says how many runs the card knows", () => {
  const card = { data: "MNIST", training: { shift: 0 }, lineage: { runs: 3 } };
  assert.equal(
    trainingWords(card),
    "Trained on MNIST, with unchanged images. It was trained before, in 2 runs of which nothing is recorded.",
  );
});

test("a card that says nothing is said to", () => {
  assert.equal(trainingWords({}), "Trained on data that its card does not name.");
});
