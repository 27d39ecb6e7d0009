import assert from "node:assert/strict";
import test from "node:test";
import { dataOf } from "../../../static/js/train/index.js";
import {
  leaveOutWords,
  progressWords,
  rareOf,
  recipeOf,
  setWords,
} from "../../../static/js/train/sets/words.js";
import { says } from "../fixtures.js";

const SET = {
  ...{ id: "0123abcd", title: "pets", state: "ready", can_change: true, total: 0 },
  ...{ shape: [1, 28, 28], inverted: true, lines: [], warnings: [] },
  classes: [
    { name: "cat", training: 80, test: 20 },
    { name: "dog", training: 80, test: 20 },
  ],
};

test("a set is told in a line", () => {
  says(setWords(SET), "160 images…40 for…2 classes: 28×28 pixels, grey, light");
  says(setWords({ ...SET, shape: [3, 32, 48], inverted: false }), "32×48…in colour.");
});

test("few pictures are seen again and again, in small batches", () => {
  const recipe = recipeOf(SET, "cnn");
  assert.equal(recipe.dataset, "set:0123abcd");
  assert.equal(recipe.architecture, "cnn");
  assert.deepEqual([recipe.epochs, recipe.batch_size], [50, 16]);
  assert.ok(!("balance" in recipe) && !("mirror" in recipe));
  const many = SET.classes.map((each) => ({ ...each, training: 30_000 }));
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

test("a button names few classes, and counts many", () => {
  assert.equal(leaveOutWords(["cow", "owl"]), "Leave out cow and owl");
  assert.equal(leaveOutWords([..."abcd"]), "Leave out the 4 rarest classes");
});

test("how far it is", () => {
  const told = (more) => progressWords({ ...SET, ...more });
  const received = { received: 1e6, size: 4e6 };
  assert.equal(
    told({ state: "receiving", ...received }),
    "1.0 MB of 4.0 MB have come.",
  );
  says(told({ state: "reading", done: 7, total: 200 }), "read: 7 of 200 pictures.");
  assert.equal(told({ state: "reading" }), "It is being read.");
  assert.equal(told({ state: "failed", error: "a set is empty" }), "A set is empty.");
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
