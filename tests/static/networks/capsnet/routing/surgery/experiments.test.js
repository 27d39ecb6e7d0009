import assert from "node:assert/strict";
import { test } from "node:test";
import { isIntact } from "../../../../../../static/js/networks/capsnet/routing/surgery/changes.js";
import {
  experiments,
  strongestTypes,
} from "../../../../../../static/js/networks/capsnet/routing/surgery/experiments.js";
import { sharesByType } from "../../../../../../static/js/networks/capsnet/routing/surgery/shares.js";

// Eight types of 2 x 2 capsules; the lengths fall from the first capsule to the last.
const INTACT = {
  shares: [0.05, 0.4, -0.1, 0.3, 0.2, 0.1, 0.04, 0.01],
  lengths: Array.from({ length: 32 }, (_, i) => 1 - i / 32),
  rows: 2,
  columns: 2,
  name: "four",
  capsule: 9,
  rival: { digit: 7, name: "seven" },
};

/** The experiment whose name begins so. */
function find(name, patch = {}) {
  const found = experiments({ ...INTACT, ...patch }).filter((one) =>
    one.name.startsWith(name),
  );
  assert.equal(found.length, 1);
  return found[0];
}

function range(first, last) {
  return Array.from({ length: last - first + 1 }, (_, i) => first + i);
}

test("shares of types sum to one, and those who take away have less than none", () => {
  const shares = sharesByType([1, 2, -1, -1, 3, 4], 3);
  assert.deepEqual([...shares], [3 / 8, -2 / 8, 7 / 8]);
  assert.deepEqual([...sharesByType([0, 0, 0, 0], 2)], [0, 0]);
});

test("the type that speaks most is silenced, and named", () => {
  const { name, question, surgery } = find("Silence type");
  assert.equal(name, "Silence type 1");
  assert.match(question, /four/);
  assert.deepEqual(surgery.silenced, [4, 5, 6, 7]);
});

test("all but the strongest five are silenced", () => {
  // 1, 3, 4, 5 and 0 give the most.
  assert.deepEqual(find("Keep only").surgery.silenced, [
    ...range(8, 11),
    ...range(24, 31),
  ]);
});

test("the quiet half and the loud tenth go by length", () => {
  assert.deepEqual(find("Silence the quiet").surgery.silenced, range(16, 31));
  assert.deepEqual(find("Silence the loud").surgery.silenced, [0, 1, 2]); // 3.2 of 32
  const lengths = INTACT.lengths.toReversed();
  const { silenced } = find("Silence the loud", { lengths }).surgery;
  assert.deepEqual(silenced, [29, 30, 31]);
});

test("the upper half is the upper rows of every type", () => {
  const { silenced } = find("Silence the upper").surgery;
  assert.deepEqual(
    silenced,
    range(0, 31).filter((capsule) => capsule % 4 < 2),
  );
});

test("one capsule is given to the rival", () => {
  const { name, surgery } = find("Give");
  assert.match(name, /seven/);
  assert.deepEqual(surgery.pins, [{ capsule: 9, digit: 7, coupling: 1 }]);
});

test("every experiment changes something, and no two the same", () => {
  const all = experiments(INTACT).map(({ surgery }) => surgery);
  assert.ok(all.every((surgery) => !isIntact(surgery)));
  assert.equal(new Set(all.map((one) => JSON.stringify(one))).size, all.length);
});

test("the strongest types are silenced one after the other", () => {
  assert.deepEqual(strongestTypes(INTACT.shares, 0, 2), []);
  assert.deepEqual(strongestTypes(INTACT.shares, 2, 2), [2, 3, 6, 7]);
  assert.deepEqual(strongestTypes(INTACT.shares, 8, 2), range(0, 15));
});
