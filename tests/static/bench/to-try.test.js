import assert from "node:assert/strict";
import { test } from "node:test";
import { readWish } from "../../../static/js/bench/to-try.js";

function formOf(values) {
  const form = new FormData();
  for (const [name, value] of Object.entries(values)) form.set(name, value);
  return form;
}

test("a number is where the images in order begin, whatever else is chosen", () => {
  const form = formOf({ index: "300", label: "4", which: "random" });
  assert.deepEqual(readWish(form, "net"), { query: { order: "index" }, first: 300 });
});

test("a label and the network's mistakes go together", () => {
  const form = formOf({ index: "", label: "4", which: "mistakes" });
  const query = { label: 4, mistakes_of: "net" };
  assert.deepEqual(readWish(form, "net"), { query, first: 0 });
});

test("in order without a number begins at the first", () => {
  const form = formOf({ index: "", label: "", which: "index" });
  assert.deepEqual(readWish(form, "net"), { query: {}, first: 0 });
});

test("at random is another order each time", () => {
  const form = formOf({ index: "", label: "", which: "random" });
  const [one, other] = [readWish(form, "net"), readWish(form, "net")];
  assert.equal(one.query.order, "random");
  assert.notEqual(one.query.seed, other.query.seed);
});
