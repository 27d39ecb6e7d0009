import assert from "node:assert/strict";
import { test } from "node:test";
import {
  asSentence,
  countInWords,
  fileName,
  fixed,
  grouped,
  isolated,
  listed,
  longestName,
  percent,
  percentParts,
  signed,
  unisolated,
} from "../../../static/js/lib/format.js";
import { seededRandom } from "../fixtures.js";

for (const [value, decimals, text] of [
  [0.5, undefined, "0.500"],
  [-0.5, undefined, "\u22120.500"],
  [-12.345, 1, "\u221212.3"],
  [-0.0004, 3, "0.000"],
  [-0.0006, 3, "\u22120.001"],
  [-0, 2, "0.00"],
  [2, 0, "2"],
]) {
  test(`${Object.is(value, -0) ? "-0" : value} with ${decimals ?? "three"} decimals reads ${text}`, () => {
    assert.equal(fixed(value, decimals), text);
  });
}

for (const [value, decimals, text] of [
  [0.5, undefined, "+0.500"],
  [-0.5, undefined, "\u22120.500"],
  [0, 2, "0.00"],
  [0.004, 2, "0.00"],
  [-0.004, 2, "0.00"],
  [3, 0, "+3"],
]) {
  test(`${value} with its sign reads ${text}`, () => {
    assert.equal(signed(value, decimals), text);
  });
}

for (const [value, text] of [
  [0, "0"],
  [999, "999"],
  [1000, "1\u202f000"],
  [123456, "123\u202f456"],
  [8215568, "8\u202f215\u202f568"],
]) {
  test(`${value} reads ${text}`, () => {
    assert.equal(grouped(value), text);
  });
}

test("the longest name is counted in characters, not in code units", () => {
  assert.equal(longestName(["0", "1"]), 1);
  assert.equal(longestName(["Bag", "Ankle boot"]), 10);
  assert.equal(longestName(["𝟘𝟙"]), 2);
});

test("a message becomes a sentence, and a sentence stays one", () => {
  assert.equal(asSentence("the server is busy"), "The server is busy.");
  assert.equal(asSentence("Try again."), "Try again.");
  assert.equal(asSentence("is it there?"), "Is it there?");
});

test("names keep letters of every script and nothing that a disk minds", () => {
  assert.equal(
    fileName(["T-shirt/top", "été: 1", "…"], "png"),
    "t-shirt-top-été-1.png",
  );
});

test("words stand in a list with one “and”", () => {
  assert.equal(listed(["A"]), "A");
  assert.equal(listed(["A", "B"]), "A and B");
  assert.equal(listed(["A", "B", "C"]), "A, B and C");
});

test("a count is told as surely as it is known", () => {
  assert.equal(countInWords({ count: 1152, isSure: true }), "1\u202f152");
  assert.equal(countInWords({ count: 1152, isSure: false }), "about 1\u202f152");
  assert.equal(countInWords({ count: 0, isSure: true }), "0");
  assert.equal(countInWords({ count: 0, isSure: false }), "hardly any");
});

test("names written from the right are isolated, once; others are left alone", () => {
  const hebrew = "\u05E9\u05E9";
  assert.equal(isolated(hebrew), `\u2068${hebrew}\u2069`);
  assert.equal(isolated(isolated(hebrew)), isolated(hebrew));
  assert.equal(
    isolated("\u0633\u062A\u0629 (6)"),
    "\u2068\u0633\u062A\u0629 (6)\u2069",
  );
  for (const name of ["4", "ankle boot", "шесть", "六"])
    assert.equal(isolated(name), name);
  assert.equal(unisolated(isolated(hebrew)), hebrew);
  // The marks take no room.
  assert.equal(longestName([isolated(hebrew), "4"]), 2);
});

test("a share is none or all only where it is exactly that", () => {
  assert.equal(percent(0, 0), "0\u202f%");
  assert.equal(percent(0.0004, 0), "0.04\u202f%");
  assert.equal(percent(0.9996, 0), "99.96\u202f%");
  assert.equal(percent(1.03, 0), "103\u202f%");
  assert.equal(percent(1e-12), "under 0.000001\u202f%");
  assert.equal(percent(1 - 2 ** -24), "100.00\u202f%"); // what single precision makes of 1
});

test("parts and their sum are rounded together", () => {
  const random = seededRandom(3);
  for (let i = 0; i < 500; i++) {
    const shares = Array.from({ length: 1 + (i % 5) }, () => random() / 5);
    const numbers = percentParts(shares, i % 3).map(Number.parseFloat);
    const total = numbers.pop();
    const sum = numbers.reduce((so, part) => so + part, 0);
    assert.ok(Math.abs(sum - total) < 1e-9, `${numbers} make ${total}`);
    numbers.forEach((part, at) => {
      assert.ok(Math.abs(part - 100 * shares[at]) < 1);
    });
  }
  assert.deepEqual(percentParts([0.774, 0.036]), [
    "77\u202f%",
    "4\u202f%",
    "81\u202f%",
  ]);
});
