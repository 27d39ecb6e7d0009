import assert from "node:assert/strict";
import test from "node:test";
import { dataOf } from "../../../static/js/train/index.js";
import { rareOf, recipeOf } from "../../../static/js/train/sets/words.js";

const SET = {
  id: "0123abcd",
  title: "pets",
  shape: [1, 28, 28],
  classes: [
    { name: "cat", training: 80, test: 20 },
    { name: "dog", training: 80, test: 20 },
  ],
};

test("few pictures are seen again and again, in small batches", () => {
  const recipe = recipeOf(SET, "cnn");
  assert.equal(recipe.dataset, "set:0123abcd");
  assert.equal(recipe.architecture, "cnn");
  assert.deepEqual([recipe.epochs, recipe.batch_size], [50, 16]);
  assert.ok(!("balance" in recipe) && !("mirror" in recipe));
  const many = SET.classes.map((entry) => ({ ...entry, training: 30_000 }));
  const large = recipeOf({ ...SET, classes: many }, "cnn");
  assert.deepEqual([large.epochs, large.batch_size], [2, 64]);
});

test("rare classes are shown as often, and photographs are mirrored", () => {
  const [cat, dog] = SET.classes;
  const classes = [{ ...cat, training: 500 }, dog];
  const recipe = recipeOf({ ...SET, classes, shape: [3, 32, 32] }, "capsnet");
  assert.deepEqual([recipe.balance, recipe.mirror], [1, 0.5]);
});

test("classes of too few pictures can be left out if two are left", () => {
  const [cat, dog] = SET.classes;
  const cow = { name: "cow", training: 3, test: 1 };
  assert.deepEqual(rareOf({ ...SET, classes: [cat, dog, cow] }), ["cow"]);
  assert.deepEqual(rareOf({ ...SET, classes: [cat, cow] }), []);
  assert.deepEqual(rareOf(SET), []);
});

test("what is there can be learnt from, and sets of one's own", () => {
  const known = (name, ready = true) => ({ name, title: name.toUpperCase(), ready });
  const ready = ["mnist", "overlapping", "drawn"].map((name) => known(name));
  const datasets = [...ready, known("csv", false)];
  assert.deepEqual(dataOf({ datasets }, [SET]), [
    { id: "mnist", words: "MNIST" },
    { id: "drawn", words: "DRAWN" },
    { id: "set:0123abcd", words: "pets (yours)" },
  ]);
});
