import assert from "node:assert/strict";
import { test } from "node:test";

import {
  capsulesOfType,
  countedLengths,
  isIntact,
  isSameSurgery,
  MOST_PINS,
  NO_SURGERY,
  silentByType,
  withoutPin,
  withPin,
  withSilence,
} from "../../../../../../static/js/networks/capsnet/routing/surgery/changes.js";
import { surgeryInWords } from "../../../../../../static/js/networks/capsnet/routing/surgery/words.js";
import { tensor } from "../../../../fixtures.js";

const PIN = { capsule: 7, digit: 4, coupling: 0.5 };

test("nothing changed is intact, anything else is not", () => {
  assert.equal(isIntact(NO_SURGERY), true);
  assert.equal(isIntact({ ...NO_SURGERY, silenced: [0] }), false);
  assert.equal(isIntact({ ...NO_SURGERY, routing: "uniform" }), false);
  assert.equal(isIntact({ ...NO_SURGERY, pins: [PIN] }), false);
});

test("silent capsules are ascending and each there once", () => {
  const surgery = withSilence({ ...NO_SURGERY, silenced: [5, 100] }, [20, 5, 3], true);
  assert.deepEqual(surgery.silenced, [3, 5, 20, 100]);
});

test("who may speak again is no longer silent; nobody else changes", () => {
  const before = { ...NO_SURGERY, silenced: [3, 5, 20], pins: [PIN] };
  assert.deepEqual(withSilence(before, [5, 6], false), {
    ...before,
    silenced: [3, 20],
  });
  assert.deepEqual(before.silenced, [3, 5, 20]);
});

test("a capsule holds one coupling: the one that was put last", () => {
  const first = withPin(NO_SURGERY, PIN);
  const second = withPin(first, { ...PIN, digit: 9, coupling: 1 });
  assert.deepEqual(second.pins, [{ ...PIN, digit: 9, coupling: 1 }]);
  assert.deepEqual(withoutPin(second, 7), NO_SURGERY);
  assert.deepEqual(withoutPin(second, 8), second);
});

test("the oldest of too many held couplings is let go", () => {
  let surgery = NO_SURGERY;
  for (let capsule = 0; capsule <= MOST_PINS; capsule++)
    surgery = withPin(surgery, { ...PIN, capsule });
  assert.equal(surgery.pins.length, MOST_PINS);
  assert.equal(surgery.pins[0].capsule, 1);
});

test("a type's capsules follow each other", () => {
  assert.deepEqual(capsulesOfType(2, 3), [6, 7, 8]);
});

test("silent capsules are counted type by type", () => {
  assert.deepEqual(silentByType([0, 2, 6, 7, 8], 4, 3), [2, 0, 3, 0]);
});

test("a silent capsule is heard as none; what it found stays", () => {
  const lengths = tensor([2, 1, 2], [0.5, 0.25, 0.75, 1]);
  assert.deepEqual([...countedLengths(lengths, [0, 3]).data], [0, 0.25, 0.75, 0]);
  assert.deepEqual([...lengths.data], [0.5, 0.25, 0.75, 1]);
  assert.equal(countedLengths(lengths, []), lengths);
});

test("two surgeries are the same when they change the same", () => {
  const surgery = { silenced: [1, 2], routing: "uniform", pins: [PIN] };
  const copy = { ...surgery, silenced: [1, 2], pins: [{ ...PIN }] };
  assert.equal(isSameSurgery(surgery, copy), true);
  for (const other of [
    { ...surgery, silenced: [1, 3] },
    { ...surgery, silenced: [1] },
    { ...surgery, routing: "agreement" },
    { ...surgery, pins: [] },
    { ...surgery, pins: [{ ...PIN, coupling: 0.25 }] },
  ])
    assert.equal(isSameSurgery(surgery, other), false);
});

for (const [words, surgery] of [
  ["Nothing is changed.", {}],
  ["1 capsule is silent.", { silenced: [4] }],
  ["2 capsules are silent.", { silenced: [2, 3] }],
  ["1 type is silent.", { silenced: [3, 4, 5] }],
  ["2 types and 1 capsule are silent.", { silenced: [0, 1, 2, 5, 6, 7, 8] }],
  ["No routing.", { routing: "uniform" }],
  ["1 coupling held.", { pins: [PIN] }],
  [
    "1 capsule is silent; no routing; 2 couplings held.",
    { silenced: [1], routing: "uniform", pins: [PIN, { ...PIN, capsule: 8 }] },
  ],
]) {
  test(`in words: ${words}`, () => {
    const sizes = { types: 3, cells: 3 };
    assert.equal(surgeryInWords({ ...NO_SURGERY, ...surgery }, sizes), words);
  });
}
