/** Two digits on top of each other, in links and in what all views share. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { fromHash, toHash } from "../../../static/js/core/link.js";
import { pairSource } from "../../../static/js/core/links/pairs.js";
import {
  fittedTo,
  knownLabel,
  knownLabels,
  readsPairs,
} from "../../../static/js/core/state.js";
import { apart, merged } from "../../../static/js/lib/overlap.js";
import { samePixels } from "../../../static/js/lib/pixels.js";
import { grey, MODEL, randomPixels, seededRandom } from "../fixtures.js";
import { stateWith } from "../networks/capsnet/made.js";

const PAIRS = {
  ...MODEL,
  input_shape: [1, 36, 36],
  present: { at_most: 2, threshold: 0.5 },
  card: { ...MODEL.card, dataset: "overlapping" },
};
const CANVAS = { channels: 1, rows: 36, columns: 36 };
const random = seededRandom(9);
const FOUR = { pixels: randomPixels(random), label: 4, right: -3, down: 2 };
const DRAWN = {
  pixels: grey(Array.from({ length: 1296 }, (_, i) => (i % 7 === 0 ? i % 256 : 0))),
  label: null,
  right: 0,
  down: -12,
};

const stateOf = (model) => stateWith({ models: [model] }, model);

/** A link of a pair, and what is read from it. */
function linked(digits, model = PAIRS) {
  const state = stateOf(model);
  const pixels = merged(apart(digits, CANVAS));
  const shown = { pixels, source: pairSource(digits) };
  const hash = toHash({ ...state, ...shown, kept: shown });
  return { hash, pixels, read: fromHash(hash, state) };
}

/** A source without what a link need not keep. */
const plain = ({ kind, digits }) => ({ kind, digits });

test("a link brings both digits back exactly, and the image that they make", () => {
  for (const digits of [
    [FOUR, DRAWN],
    [DRAWN, { ...FOUR, right: 0, down: 0 }],
    [FOUR, null],
    [null, FOUR],
    [null, null],
  ]) {
    const { pixels, read } = linked(digits);
    assert.deepEqual(read.unread, []);
    for (const found of [read, read.kept]) {
      assert.deepEqual(plain(found.source), { kind: "pair", digits });
      assert.ok(samePixels(found.pixels, pixels));
    }
  }
});

test("a link names examples, and finds them again", () => {
  const pixels = randomPixels(random);
  const samples = [{ id: "seven-bar", label: 7, title: "a 7", pixels }];
  const seven = { pixels, label: 7, right: 4, down: -4 };
  const state = { ...stateOf(PAIRS), samples };
  const source = pairSource([seven, FOUR]);
  const hash = toHash({
    ...state,
    pixels: merged(apart([seven, FOUR], CANVAS)),
    source,
  });
  assert.equal(new URLSearchParams(hash).get("pair"), "4.-4.seven-bar");
  assert.deepEqual(fromHash(hash, state).source.digits, [seven, FOUR]);
  const unknown = fromHash(hash, stateOf(PAIRS));
  assert.match(unknown.unread.join(), /the two digits/);
});

test("what is no pair in a link is told, and the image stays", () => {
  const { hash } = linked([FOUR, DRAWN]);
  const link = new URLSearchParams(hash);
  const [one, other] = link.getAll("pair");
  for (const texts of [
    [one],
    [one, other, other],
    [one, "1.2"],
    [one, other.replace(".", ".x")],
    [one, `99${other}`],
  ]) {
    const changed = new URLSearchParams("view=input");
    for (const text of texts) changed.append("pair", text);
    const read = fromHash(changed.toString(), stateOf(PAIRS));
    assert.equal(read.pixels, undefined, texts.join());
    assert.match(read.unread.join(), /^the two digits “/);
  }
});

test("shown to a network of single digits, a pair is an image like any other", () => {
  const digits = [FOUR, null];
  const state = { ...stateOf(MODEL), pixels: FOUR.pixels, source: pairSource(digits) };
  const hash = toHash(state);
  assert.doesNotMatch(hash, /pair=/);
  assert.ok(samePixels(fromHash(hash, state).pixels, FOUR.pixels));
});

test("each pair is a turn of its own, unless one hand goes on", () => {
  const first = pairSource([FOUR, null]);
  assert.notEqual(pairSource([FOUR, null]).turn, first.turn);
  assert.equal(pairSource([null, FOUR], first.turn).turn, first.turn);
});

test("labels are known where those of all digits are", () => {
  const labelsOf = (...digits) => knownLabels(pairSource(digits), PAIRS);
  assert.deepEqual(labelsOf(FOUR, { ...FOUR, label: 7 }), [4, 7]);
  assert.deepEqual(labelsOf(null, FOUR), [4]);
  assert.equal(labelsOf(FOUR, DRAWN), null);
  assert.equal(labelsOf(null, null), null);
  assert.equal(knownLabels(pairSource([FOUR, FOUR]), MODEL), null, "other data");
  assert.equal(knownLabel(pairSource([FOUR, FOUR]), PAIRS), null);
  const sample = { kind: "sample", label: 4 };
  assert.deepEqual(knownLabels(sample, PAIRS), [4], "pairs are made of such digits");
  assert.equal(knownLabels({ kind: "drawing" }, PAIRS), null);
});

test("a bench for two is for networks of two on a larger canvas", () => {
  assert.ok(readsPairs(PAIRS));
  assert.ok(!readsPairs(MODEL));
  assert.ok(!readsPairs({ ...PAIRS, present: { at_most: 1, threshold: null } }));
  assert.ok(!readsPairs({ ...PAIRS, input_shape: [1, 28, 28] }));
  assert.ok(!readsPairs({ ...PAIRS, input_shape: [3, 36, 36] }));
});

test("on a canvas for two, a digit keeps its size, and comes back whole", () => {
  const found = fittedTo(FOUR.pixels, PAIRS);
  assert.deepEqual(found, apart([{ ...FOUR, right: 0, down: 0 }], CANVAS)[0]);
  const single = { ...PAIRS, present: { at_most: 1, threshold: null } };
  assert.notDeepEqual(fittedTo(FOUR.pixels, single), found);
});
