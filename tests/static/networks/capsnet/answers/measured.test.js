import assert from "node:assert/strict";
import { test } from "node:test";
import { measuredWish } from "../../../../../static/js/networks/capsnet/answers/measured.js";
import { MODEL } from "../../../fixtures.js";

const MEASURED = {
  ...MODEL,
  measured: [
    { name: "poses.mean", shape: [10, 16] },
    { name: "types.mean", shape: [32, 17, 17] },
  ],
};
const NOTHING = { model: MEASURED, poseMeasures: null, portraits: null };

test("each part is asked for when a view first shows it", () => {
  const wish = (view) => measuredWish({ ...NOTHING, view })?.part ?? null;
  assert.equal(wish("reconstruction"), "poses");
  assert.equal(wish("primary"), "types");
  assert.equal(wish("routing"), "types");
  assert.equal(wish("conv1"), null);
});

test("what has come is not asked for again", () => {
  const had = { ...NOTHING, portraits: {}, view: "primary" };
  assert.equal(measuredWish(had), null);
});

test("a network that was not measured is not asked", () => {
  for (const model of [MODEL, { ...MODEL, measured: [] }])
    assert.equal(measuredWish({ ...NOTHING, model, view: "reconstruction" }), null);
});
