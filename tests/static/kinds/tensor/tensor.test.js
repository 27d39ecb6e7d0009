import assert from "node:assert/strict";
import { test } from "node:test";
import { readLink, startOf } from "../../../../static/js/core/schema.js";
import { layersOf } from "../../../../static/js/kinds/network.js";
import { tensor as kind } from "../../../../static/js/kinds/tensor/index.js";
import { tileName, tilesOf } from "../../../../static/js/kinds/tensor/tiles.js";
import { tensor } from "../../fixtures.js";

const sizes = ({ count, rows, columns }) => [count, rows, columns];

test("a tensor of any shape is so many tiles", () => {
  assert.deepEqual(sizes(tilesOf([6, 28, 14])), [6, 28, 14]);
  assert.deepEqual(sizes(tilesOf([2, 3, 4, 5])), [6, 4, 5]);
  assert.deepEqual(sizes(tilesOf([16, 6])), [1, 16, 6]);
  assert.deepEqual(sizes(tilesOf([10])), [1, 1, 10]);
  assert.deepEqual(sizes(tilesOf([])), [1, 1, 1]);
});

test("a tile is called by its place along the axes before its own", () => {
  assert.equal(tileName([6, 28, 14], 4), "map 4");
  assert.equal(tileName([2, 3, 4, 5], 4), "tile 1, 1");
  assert.equal(tileName([16, 6], 0), "all values");
});

test("two such layers have fields of their own, in the state and in links", () => {
  const model = { tensors: [{ name: "one", shape: [6, 4, 4] }] };
  const layers = layersOf(
    ["first", "second"].map((id) => ({ id, kind, tensors: { values: "one" } })),
  );
  const [keys, others] = layers.map((layer) => Object.values(layer.keys));
  assert.deepEqual(keys, ["first.tile", "first.cell"]);
  assert.deepEqual(others, ["second.tile", "second.cell"]);
  const schema = kind.fields(model, layers[1]);
  assert.deepEqual(startOf(schema), { tile: null, cell: null });
  const read = readLink(new URLSearchParams("first-tile=1&second-tile=5"), schema);
  assert.equal(read.tile, 5);
});

test("it opens at the largest value of the tile with most energy", () => {
  const layer = { shapeOf: () => [2, 1, 3] };
  const trace = { tensors: { values: tensor([2, 1, 3], [2, 1, 0, 0, 1, -4]) } };
  const of = (tile) => kind.strongest.of({ trace, layer, tile, cell: null });
  assert.deepEqual(of(null), { tile: 1, cell: 2 });
  assert.deepEqual(of(0), { tile: 0, cell: 0 });
});
