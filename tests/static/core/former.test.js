/** Links to what is gone open what took its place. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { sayAsToday } from "../../../static/js/core/links/former.js";

const POOLING = [{ id: "pool1", kind: "pooling" }];
const LAYERED = { class_names: ["A"], input_shape: [1, 28, 28], layers: [] };
const [FIRST, SMALL, POOLED] = [
  { ...LAYERED, id: "first", default: true },
  { ...LAYERED, id: "small", input_shape: [1, 8, 8], layers: POOLING },
  { ...LAYERED, id: "pooled", layers: [...POOLING, { id: "pool2", kind: "pooling" }] },
];

/** The same link as it is said today. */
function today(text, models) {
  const link = new URLSearchParams(text);
  sayAsToday(link, models);
  return Object.fromEntries(link);
}

test("the Lab's Pooling leads to a pooling layer of a network of the same images", () => {
  const models = [FIRST, SMALL, POOLED];
  const link = "mode=lab&experiment=pooling&sample=four";
  const view = { sample: "four", model: "pooled", view: "pool1" };
  assert.deepEqual(today(link, models), view);
  assert.deepEqual(today(`${link}&by=0,0&layer=pool2`, models), {
    ...view,
    view: "pool2",
  });
  const own = today(`${link}&model=small&by=-1,2&layer=pool9`, models);
  assert.deepEqual(own, { ...view, model: "small" });
});

test("what the Atlas selects no more is everything, and any other stays", () => {
  for (const selected of ["lasso/pixels/1_2_3_4_5_6", "numbers/1-3", "view/toy/2"])
    assert.deepEqual(today(new URLSearchParams({ mode: "atlas", selected }), []), {
      mode: "atlas",
    });
  const other = { mode: "atlas", selected: "misread" };
  assert.deepEqual(today(new URLSearchParams(other), []), other);
});
