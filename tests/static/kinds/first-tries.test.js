import assert from "node:assert/strict";
import { test } from "node:test";

import { compareView } from "../../../static/js/compare/view.js";
import { inputView } from "../../../static/js/input/view.js";
import { EXPERIMENTS } from "../../../static/js/lab/registry.js";
import { grey } from "../fixtures.js";
import { capsnet, cnn, efficient, matrix } from "../networks/networks.js";

/** What fits beside a view's title. */
const MOST_LETTERS = 65;

test("every view and every experiment says in a line what to try first", async () => {
  const views = [capsnet, cnn, efficient, matrix].flatMap((network) => network.views);
  for (const { id, tryFirst } of [inputView, compareView, ...views, ...EXPERIMENTS]) {
    assert.match(tryFirst?.words ?? "", /^[A-Z].*[.?]$/, id);
    assert.ok(tryFirst.words.length <= MOST_LETTERS, `${id}: ${tryFirst.words}`);
    assert.match(tryFirst.button, /^[A-Z][a-z0-9 ]*$/, id);
  }
});

/** @param {number} byte */
const even = (byte, side = 28) => grey(new Uint8Array(side ** 2).fill(byte));
const SAMPLES = [
  { id: "a", label: 1, title: "a", pixels: even(1) },
  { id: "b", label: 2, title: "b", pixels: even(2) },
];
/** @param {object} patch */
const compared = (patch) => {
  const { pixels } = { pixels: even(1), ...patch };
  const model = {
    input_shape: [1, pixels?.rows ?? 28, pixels?.columns ?? 28],
    present: { at_most: 1, threshold: null },
  };
  return compareView.tryFirst.change({
    pixels,
    source: { kind: "link" },
    kept: null,
    samples: SAMPLES,
    model,
    ...patch,
  });
};

test("an example is put beside the image on show, and is another one", () => {
  const { kept, source, pixels } = compared({});
  assert.deepEqual(kept, { pixels: even(1), source: { kind: "link" } });
  assert.equal(source.id, "b");
  assert.deepEqual(pixels, even(2));
  assert.equal(compared({ pixels: even(9) }).source.id, "a");
});

test("samples are told apart in the size that the network reads", () => {
  assert.equal(compared({ pixels: even(1, 16) }).source.id, "b");
});

test("the first layer is the network's own", () => {
  const { change } = inputView.tryFirst;
  assert.equal(change({ network: { views: [{ id: "first" }] } }).view, "first");
  assert.equal(change({ network: null }), null);
});
