import assert from "node:assert/strict";
import { test } from "node:test";
import { seeksWords, standsWords } from "../../../static/js/overview/looks.js";

const shape = { channels: 1, rows: 6, columns: 6 };
const drawn = (...cells) => {
  const pictures = new Float32Array(36);
  for (const [row, column] of cells) pictures[6 * row + column] = 1;
  return { pictures, shape, isOfAnything: () => false };
};

test("a portrait is told by where its ink lies and which way it runs", () => {
  const three = [0, 1, 2];
  for (const [cells, words] of [
    [three.map((i) => [i, i]), "seeks ink at the upper left, falling"],
    [three.map((i) => [5 - i, 3 + i]), "seeks ink at the lower right, rising"],
    [three.map((i) => [i, 0]), "seeks ink at the upper left, upright"],
    [[0, 1, 2, 3, 4, 5].map((i) => [5, i]), "seeks ink at the bottom, level"],
    [
      [
        [2, 2],
        [2, 3],
        [3, 2],
        [3, 3],
      ],
      "seeks ink, running no one way",
    ],
  ])
    assert.equal(seeksWords(drawn(...cells), 0), words);
});

test("nothing is told where no picture shows what a type seeks", () => {
  const anything = { ...drawn([1, 1]), isOfAnything: () => true };
  assert.equal(seeksWords(undefined, 0), "");
  assert.equal(seeksWords({ ...drawn(), pictures: null }, 0), "");
  assert.equal(seeksWords(anything, 0) + seeksWords(drawn(), 0), "");
});

test("the strongest cell of a tile is told with its place", () => {
  const values = Float32Array.of(0.1, 0.2, 0.3, 0.4, 0.5, 0.9, 0.7, 0.6);
  const column = { numbers: [3, 7], rows: 2, columns: 2, values };
  const named = { ...column, cell: "capsule", value: "length" };
  assert.equal(
    standsWords(named, 7),
    "strongest capsule at row 0, column 1, length 0.90",
  );
  assert.equal(standsWords(named, 5), "");
  const full = { ...named, values: named.values.map((value) => (value > 0.5 ? 1 : 0)) };
  assert.match(standsWords(full, 7), /length >0\.99$/);
  assert.match(standsWords({ ...full, cell: "value" }, 7), /length 1\.00$/);
});
