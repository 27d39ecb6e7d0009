import assert from "node:assert/strict";
import { test } from "node:test";

import {
  beyondEven,
  couplingsByType,
  flowByType,
  indecision,
  lengthsOverIterations,
  ofCapsule,
  ofType,
} from "../../static/js/lib/routing.js";
import { seededRandom, tensor } from "./fixtures.js";

const [STEPS, TYPES, ROWS, COLUMNS, CLASSES] = [3, 4, 2, 3, 5];
const SHAPE = [STEPS, TYPES, ROWS, COLUMNS, CLASSES];
const CAPSULES = TYPES * ROWS * COLUMNS;

/** Couplings as routing makes them: each capsule's sum to 1. */
function randomCouplings() {
  const random = seededRandom(3);
  const data = Array.from({ length: STEPS * CAPSULES }, () => {
    const shares = Array.from({ length: CLASSES }, () => random() ** 3);
    const sum = shares.reduce((a, b) => a + b);
    return shares.map((share) => share / sum);
  }).flat();
  return tensor(SHAPE, data);
}

const COUPLINGS = randomCouplings();
const LENGTHS = tensor(
  [TYPES, ROWS, COLUMNS],
  Array.from({ length: CAPSULES }, seededRandom(5)),
);

/** One value of a (steps, types, rows, columns, classes) tensor. */
function at({ data }, step, type, row, column, digit) {
  return data[
    (((step * TYPES + type) * ROWS + row) * COLUMNS + column) * CLASSES + digit
  ];
}

/** The sum over one type's grid, cell by cell. */
function overGrid(valueAt) {
  let sum = 0;
  for (let row = 0; row < ROWS; row++) {
    for (let column = 0; column < COLUMNS; column++) sum += valueAt(row, column);
  }
  return sum;
}

function assertClose(actual, expected, tolerance = 1e-6) {
  assert.ok(Math.abs(actual - expected) < tolerance, `${actual}, not ${expected}`);
}

function sumOf(values) {
  return values.reduce((sum, value) => sum + value, 0);
}

/** Every (step, type, digit) of summed arrays against a slow sum of them. */
function assertByType(byType, slow) {
  assert.equal(byType.length, STEPS);
  byType.forEach(({ types, classes, data }, step) => {
    assert.deepEqual([types, classes, data.length], [TYPES, CLASSES, TYPES * CLASSES]);
    for (let type = 0; type < TYPES; type++) {
      for (let digit = 0; digit < CLASSES; digit++) {
        assertClose(data[type * CLASSES + digit], slow(step, type, digit));
      }
    }
  });
}

test("couplings by type are means over the type's grid", () => {
  assertByType(
    couplingsByType(COUPLINGS),
    (step, type, digit) =>
      overGrid((row, column) => at(COUPLINGS, step, type, row, column, digit)) /
      (ROWS * COLUMNS),
  );
});

test("couplings by type still sum to 1 over the classes", () => {
  for (const { data } of couplingsByType(COUPLINGS)) {
    for (let type = 0; type < TYPES; type++) {
      assertClose(sumOf(data.subarray(type * CLASSES, (type + 1) * CLASSES)), 1);
    }
  }
});

test("flow by type is coupling times capsule length, summed over the type's grid", () => {
  assertByType(flowByType(COUPLINGS, LENGTHS), (step, type, digit) =>
    overGrid(
      (row, column) =>
        at(COUPLINGS, step, type, row, column, digit) *
        LENGTHS.data[(type * ROWS + row) * COLUMNS + column],
    ),
  );
});

test("in every iteration all that flows is the sum of the capsules' lengths", () => {
  const total = sumOf(LENGTHS.data);
  for (const { data } of flowByType(COUPLINGS, LENGTHS)) {
    assertClose(sumOf(data), total, 1e-5);
  }
});

test("an even split has nothing beyond even", () => {
  const beyond = beyondEven(Float32Array.of(0.25, 0.5, 0.25, 0), 4);
  assert.deepEqual(beyond, Float32Array.of(0, 0.25, 0, -0.25));
});

test("even couplings are wholly undecided, one-hot ones not at all", () => {
  const even = Array.from({ length: CAPSULES * CLASSES }, () => 1 / CLASSES);
  const oneHot = even.map((_, i) => (i % CLASSES === 2 ? 1 : 0));
  const half = even.map((_, i) => (i % CLASSES < 2 ? 1 / 2 : 0));
  const [first, second, third] = indecision(
    tensor(SHAPE, [...even, ...oneHot, ...half]),
  );
  assertClose(first, 1);
  assert.equal(second, 0);
  assertClose(third, Math.log(2) / Math.log(CLASSES));
});

test("indecision is the capsules' mean", () => {
  const [entropy] = indecision(tensor([1, 1, 1, 2, 2], [0.5, 0.5, 1, 0]));
  assertClose(entropy, 0.5);
});

test("lengths over the iterations are norms of digit capsules", () => {
  const capsules = tensor([2, 3, 2], [3, 4, 0, 0, 1, 0, 6, 8, 0, 2, 5, 12]);
  assert.deepEqual(lengthsOverIterations(capsules), [
    [5, 10],
    [0, 2],
    [1, 13],
  ]);
});

test("one capsule's values are those of its place on the grid", () => {
  const [step, type, row, column] = [1, 2, 1, 0];
  const capsule = (type * ROWS + row) * COLUMNS + column;
  assert.deepEqual(
    [...ofCapsule(COUPLINGS, step, capsule)],
    Array.from({ length: CLASSES }, (_, digit) =>
      at(COUPLINGS, step, type, row, column, digit),
    ),
  );
});

test("one type's values for a class are those of its grid, row by row", () => {
  const [step, type, digit] = [2, 3, 4];
  const values = ofType(COUPLINGS, step, type, digit);
  assert.equal(values.length, ROWS * COLUMNS);
  values.forEach((value, cell) => {
    const row = Math.floor(cell / COLUMNS);
    assert.equal(value, at(COUPLINGS, step, type, row, cell % COLUMNS, digit));
  });
});
