import assert from "node:assert/strict";
import { test } from "node:test";
import {
  choice,
  group,
  listed,
  optional,
  packed,
  startOf,
  transient,
  whole,
} from "../../../static/js/core/schema.js";
import { linking } from "../linking.js";

const SCHEMA = {
  iterations: whole({ link: "iterations", least: 1, most: 10, start: 3 }),
  step: whole({
    link: "step",
    least: 1,
    most: ({ iterations }) => iterations,
    start: ({ iterations }) => iterations,
  }),
  unit: optional({ link: "unit", most: 9 }),
  look: group({
    shown: choice("maps", ["kernels", "pre", "relu"], "relu"),
    order: choice("order", ["number", "energy"]),
  }),
  shift: packed({
    link: "moved",
    start: 0,
    pack: String,
    unpack: (text) => (Math.abs(Number(text)) <= 2 ? Number(text) : null),
  }),
  pins: listed({
    link: "pin",
    start: [],
    pack: (pins) => pins,
    unpack: (texts) => texts.filter((text) => text !== "?"),
  }),
  decoded: transient(null),
};

const { start, written, read } = linking(SCHEMA);

test("nothing is written of the start", () => {
  assert.equal(written(), "");
});

test("what a link keeps comes back from it", () => {
  const state = {
    ...start,
    iterations: 5,
    step: 2,
    unit: 0,
    look: { shown: "pre", order: "energy" },
    shift: -1,
    pins: ["a", "b"],
  };
  assert.deepEqual(read(written(state)), state);
});

test("a field starts where the fields before it say", () => {
  assert.equal(start.step, 3);
  assert.equal(read("iterations=5").step, 5);
  assert.equal(written({ iterations: 5, step: 5 }), "iterations=5");
});

for (const [name, text] of [
  ["a number that is too large", "iterations=11"],
  ["a number that is too small", "step=0"],
  ["a number beyond another field", "step=4"],
  ["what is no number", "unit=x"],
  ["a word that is not known", "maps=own&order="],
  ["a text that cannot be read", "moved=9"],
  ["items that cannot be read", "pin=?"],
])
  test(`${name} counts as absent`, () => {
    assert.deepEqual(read(text), read(""));
  });

test("only looks are taken over from another model", () => {
  const before = { ...start, iterations: 7, look: { shown: "pre" } };
  const state = startOf(SCHEMA, before);
  assert.equal(state.iterations, 3);
  assert.deepEqual(state.look, { shown: "pre" });
});
