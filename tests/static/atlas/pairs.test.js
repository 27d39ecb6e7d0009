import assert from "node:assert/strict";
import { test } from "node:test";
import { laidOut, pairCounts, pairPicture } from "../../../static/js/atlas/pairs.js";
import { atlasOf, withOther } from "../../../static/js/atlas/reading.js";
import { pointWords } from "../../../static/js/atlas/words.js";
import { selected } from "../../../static/js/lib/selections.js";
import { MODEL, says } from "../fixtures.js";

const CANVAS = { channels: 1, rows: 5, columns: 5 };
const TWO = { ...MODEL, card: { dataset: "overlapping" } };

/** A digit with one inked pixel, whose ink is its number. */
const digit = (number) => ({
  channels: 1,
  rows: 1,
  columns: 1,
  bytes: Uint8Array.of(number),
});
const tensor = (data, ...shape) => ({
  shape,
  data: Float32Array.from(data),
});
/** Scores of 4, 7 and 1: the only ones that are not zero. */
const scores = ([four, seven, single]) =>
  MODEL.class_names.map(
    (_, label) =>
      new Map([
        [4, four],
        [7, seven],
        [1, single],
      ]).get(label) ?? 0,
  );
const READ = {
  labels: tensor([4, 7, 7, 1], 2, 2),
  predictions: tensor([7, 4, 4, 7], 2, 2),
  scores: tensor([...scores([0.5, 0.75, 0]), ...scores([0.75, 0.25, 0])], 2, 10),
  digits: tensor([100, 200, 201, 101], 2, 2),
  shifts: tensor([0, 1, -1, 0, 2, 2, 0, -2], 2, 2, 2),
};

test("each digit of a pair is fetched once, and lies where its shift says", async () => {
  const atlas = atlasOf(TWO, [], READ);
  const fetched = [];
  const laid = await laidOut(atlas, atlas.pairs, [1, 0, 1], async (digits) => {
    fetched.push(...digits);
    return digits.map(digit);
  });
  assert.deepEqual(fetched, [201, 101, 100, 200]);
  assert.deepEqual(
    laid[1].map(({ label, right, down }) => [label, right, down]),
    [
      [4, 1, 0],
      [7, 0, -1],
    ],
  );
  const { bytes } = pairPicture(laid[0], CANVAS);
  assert.equal(bytes[5 * (2 + 2) + 2 + 2], 201);
  assert.equal(bytes[5 * 2], 101);
  assert.equal(bytes.filter(Boolean).length, 2);
});

test("of two classes read, the less sure one counts, and both are told", () => {
  const atlas = atlasOf(TWO, [], READ);
  assert.deepEqual([...atlas.best], [0.5, 0.25]);
  assert.equal(atlas.measure, "second highest length");
  says(pointWords(atlas, 0), "labels 4 and 7, read correctly…0.750 for 7…0.500 for 4");
  assert.match(pointWords(atlas, 1), /labels 7 and 1, misread as 4 and 7 with/);
});

test("each pair of labels is counted with its mistakes, whatever their order", () => {
  const labels = tensor([7, 4, 4, 7], 2, 2);
  const counts = pairCounts(atlasOf(TWO, [], { ...READ, labels }));
  assert.deepEqual(counts[4][7], { count: 2, wrong: 0 });
  const mixed = pairCounts(atlasOf(TWO, [], READ));
  assert.deepEqual(mixed[4][7], { count: 1, wrong: 0 });
  assert.deepEqual(mixed[1][7], { count: 1, wrong: 1 });
});

test("another network's atlas tells who reads differently, where its card does not", () => {
  const atlas = atlasOf(TWO, [], READ);
  const right = { ...READ, predictions: tensor([4, 7, 1, 7], 2, 2) };
  const other = atlasOf({ ...TWO, id: "other" }, [], right);
  const beside = withOther(atlas, "other", other);
  assert.deepEqual(selected(beside, { kind: "differ", from: "other" }), [1]);
  assert.deepEqual(selected(beside, { kind: "alone" }), [1]);
  assert.deepEqual(selected(withOther(atlas, "same", atlas), { kind: "alone" }), []);
});
