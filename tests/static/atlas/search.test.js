import assert from "node:assert/strict";
import test from "node:test";
import { searchWords, soughtIn } from "../../../static/js/atlas/search.js";
import {
  MOST_NUMBERS,
  packSelection,
  unpackSelection,
} from "../../../static/js/lib/selections.js";

const DIGITS = { count: 10_000, names: [..."0123456789"], each: 1 };
const PAIRS = { ...DIGITS, each: 2 };
const TOYS = {
  ...{ count: 500, each: 1 },
  names: ["Animal", "Human", "Aeroplane", "Lorry", "Car"],
};

test("numbers find one test image, or select several", () => {
  assert.deepEqual(soughtIn(DIGITS, " 247 "), { point: 247 });
  for (const text of ["10-12, 45", "45 10–12", "10 11 12 and 45", "10,11;12,45,45"])
    assert.deepEqual(soughtIn(DIGITS, text), {
      selection: { kind: "numbers", images: [10, 11, 12, 45] },
    });
});

test("labels and readings are found by their names", () => {
  const label = (...classes) => ({
    selection: { kind: "label", classes },
  });
  assert.deepEqual(soughtIn(DIGITS, "label 4"), label(4));
  assert.deepEqual(soughtIn(DIGITS, "labels 9, 4 or 7"), label(4, 7, 9));
  assert.deepEqual(soughtIn(TOYS, "car and human"), label(1, 4));
  assert.deepEqual(soughtIn(TOYS, "aer"), label(2));
  const cell = { selection: { kind: "cell", label: 4, read: 9 } };
  for (const text of ["4 read as 9", "label 4 read as 9", "4 → 9", "4->9"])
    assert.deepEqual(soughtIn(DIGITS, text), cell);
  assert.deepEqual(soughtIn(TOYS, "read as lorry"), {
    selection: { kind: "read", class: 3 },
  });
  assert.deepEqual(soughtIn(TOYS, ""), { selection: { kind: "all" } });
  assert.deepEqual(soughtIn(PAIRS, "labels 9 and 4"), label(4, 9));
  assert.ok("problem" in soughtIn(PAIRS, "label 4 or 9")); // both are meant there
});

test("what there is not is told of", () => {
  const problemOf = (text, atlas = DIGITS) => {
    const sought = soughtIn(atlas, text);
    return "problem" in sought ? sought.problem : null;
  };
  assert.match(problemOf("3, 10000") ?? "", /number 10.000: they go from 0 to 9.999/);
  assert.match(problemOf("0-999") ?? "", /At most 200/);
  assert.match(problemOf("label 12") ?? "", /“12” is neither/);
  assert.match(problemOf("4 read as x") ?? "", /“x” is neither/);
  assert.match(problemOf("label a", TOYS) ?? "", /“a” is neither/); // two begin so
  assert.match(problemOf("label") ?? "", /“label” is neither/);
});

test("what the page offers as an example is found", () => {
  for (const atlas of [DIGITS, TOYS, PAIRS]) {
    const examples = [...searchWords(atlas).matchAll(/\(([^)]+)\)/g)].map(
      ([, example]) => example.split(", or "),
    );
    assert.equal(examples.length, 3);
    for (const example of examples.flat())
      assert.ok(!("problem" in soughtIn(atlas, example)), example);
  }
});

test("links keep numbers, runs of them as ranges", () => {
  const images = [3, 10, 11, 12, 13, 500, 9999];
  const text = packSelection({ kind: "numbers", images });
  assert.equal(text, "numbers/3.10-13.500.9999");
  assert.deepEqual(unpackSelection(text), { kind: "numbers", images });
  for (const broken of ["", "3.x", "5-3", `0-${MOST_NUMBERS}`, "0-150.300-400"])
    assert.equal(unpackSelection(`numbers/${broken}`), null, broken);
});
