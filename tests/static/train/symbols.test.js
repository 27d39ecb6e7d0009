import assert from "node:assert/strict";
import { test } from "node:test";

import {
  fileOf,
  lackOf,
  merge,
  parse,
  planWords,
  renameSymbol,
  sizeOf,
  withExample,
  withoutExample,
} from "../../../static/js/train/symbols.js";

const image = (value) => new Uint8Array(784).fill(value);

/** @param {...[string, number]} drawn names, and how dark each drawing is */
function setOf(...drawn) {
  let set = [];
  for (const [name, value] of drawn) {
    const next = withExample(set, name, image(value));
    assert.ok("set" in next);
    set = next.set;
  }
  return set;
}

/** @param {{ set: unknown } | { problem: string }} next */
const problemOf = (next) => ("problem" in next ? next.problem : null);

test("an example goes to the symbol of its name, and a new name is a new symbol", () => {
  const set = setOf(["A", 1], ["ᚠ", 2], [" A ", 3]);
  assert.deepEqual(
    set.map(({ name, examples }) => [name, examples.map(([first]) => first)]),
    [
      ["A", [1, 3]],
      ["ᚠ", [2]],
    ],
  );
  assert.equal(sizeOf(set), "2 symbols, 3 examples");
});

test("what cannot be an example is told", () => {
  const set = setOf(["A", 1]);
  const wrong = (name, value) => problemOf(withExample(set, name, image(value)));
  assert.equal(wrong(" ", 2), "Name the symbol that is drawn.");
  assert.equal(wrong("x".repeat(21), 2), "A name must have 1 to 20 characters.");
  assert.equal(wrong("a\u0007", 2), "A name must have 1 to 20 characters.");
  assert.match(wrong("A", 0) ?? "", /^Draw the symbol first/);
  assert.equal(wrong("B", 1), "This image is an example of A already.");
  const ten = setOf(...Array.from({ length: 10 }, (_, i) => [`${i}`, i + 1]));
  assert.match(
    problemOf(withExample(ten, "new", image(99))) ?? "",
    /at most 10 symbols/,
  );
  const fifty = setOf(...Array.from({ length: 50 }, (_, i) => ["A", i + 1]));
  assert.match(
    problemOf(withExample(fifty, "A", image(99))) ?? "",
    /at most 50 examples/,
  );
});

test("a symbol is renamed, and goes with its last example", () => {
  const set = setOf(["A", 1], ["B", 2], ["B", 3]);
  const next = renameSymbol(set, 0, " C ");
  assert.ok("set" in next);
  assert.deepEqual(
    next.set.map(({ name }) => name),
    ["C", "B"],
  );
  assert.equal(problemOf(renameSymbol(set, 0, "B")), "There is a symbol B already.");
  assert.equal(problemOf(renameSymbol(set, 0, "A")), null);
  assert.deepEqual(
    withoutExample(set, 1, 0).map(({ examples }) => examples.length),
    [1, 1],
  );
  assert.deepEqual(
    withoutExample(set, 0, 0).map(({ name }) => name),
    ["B"],
  );
});

test("what a set lacks is told, and what training makes of it", () => {
  assert.match(lackOf([]) ?? "", /two symbols or more/);
  assert.equal(lackOf(setOf(["A", 1], ["A", 2])), "Training needs one more symbol.");
  const short = setOf(["A", 1], ["B", 2], ["B", 3], ["C", 4]);
  assert.equal(lackOf(short), "Training needs one more example each of A and C.");
  const full = setOf(["A", 1], ["A", 2], ["B", 3], ["B", 4], ["B", 5]);
  assert.equal(lackOf(full), null);
  assert.match(planWords(full), /from the other 3: .* 1\s260 images of each symbol/);
});

test("what is no set is told", () => {
  const file = fileOf(setOf(["A", 1]));
  const [symbol] = file.symbols;
  const wrong = (content) => problemOf(parse(JSON.stringify(content)));
  assert.match(problemOf(parse("{")) ?? "", /must be a JSON file/);
  assert.match(wrong(null) ?? "", /capsnet-symbols/);
  assert.match(wrong({ ...file, format: "x" }) ?? "", /capsnet-symbols/);
  assert.match(wrong({ ...file, version: 2 }) ?? "", /version must be 1, got 2/);
  assert.match(wrong({ ...file, symbols: 1 }) ?? "", /a list of symbols/);
  assert.match(wrong({ ...file, symbols: [null] }) ?? "", /a name and a list/);
  assert.match(wrong({ ...file, symbols: [symbol, symbol] }) ?? "", /symbol A already/);
  const short = { ...symbol, examples: ["AAAA"] };
  assert.match(wrong({ ...file, symbols: [short] }) ?? "", /784 bytes in base64/);
});

const setMadeOf = (symbols) =>
  Object.entries(symbols).map(([name, numbers]) => ({
    name,
    examples: numbers.map(image),
  }));
const names = (set) =>
  Object.fromEntries(
    set.map(({ name, examples }) => [name, examples.map(([first]) => first)]),
  );

for (const [name, before, here, there, both] of [
  ["each adds a symbol", {}, { a: [1] }, { b: [2] }, { a: [1], b: [2] }],
  ["both add one of the same name", {}, { a: [1] }, { a: [2] }, { a: [1, 2] }],
  ["one removes, one adds", { a: [1, 2] }, { a: [2] }, { a: [1, 2, 3] }, { a: [2, 3] }],
  [
    "what is removed there goes",
    { a: [1, 2] },
    { a: [1, 2, 3] },
    { a: [2] },
    { a: [2, 3] },
  ],
  [
    "a symbol is removed there",
    { a: [1], b: [2] },
    { a: [1], b: [2] },
    { b: [2] },
    { b: [2] },
  ],
  ["one renames, one adds", { a: [1] }, { c: [1] }, { a: [1, 2] }, { c: [1], a: [2] }],
  ["nothing was changed", { a: [1] }, { a: [1] }, { a: [1] }, { a: [1] }],
]) {
  test(`two tabs change one set: ${name}`, () => {
    assert.deepEqual(
      names(merge(setMadeOf(before), setMadeOf(here), setMadeOf(there))),
      both,
    );
  });
}
