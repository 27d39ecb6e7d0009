import assert from "node:assert/strict";
import { test } from "node:test";
import {
  beyondEven,
  couplingsByType,
  flowByType,
  lengthsOverIterations,
  movedByType,
  ofCapsule,
  ofClass,
  sharesBeyondEven,
} from "../../../../../static/js/kinds/routing/dynamic/sums.js";
import { closeTo, seededRandom, tensor } from "../../../fixtures.js";

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
function at({ data }, step, type, row, column, classIndex) {
  return data[
    (((step * TYPES + type) * ROWS + row) * COLUMNS + column) * CLASSES + classIndex
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

const assertClose = closeTo(1e-6);

/** Every (type, digit) of each iteration's sums against a slow sum of them. */
function assertByType(sumsOf, slow) {
  for (let step = 0; step < STEPS; step++) {
    const { types, classes, data } = sumsOf(step);
    assert.deepEqual([types, classes, data.length], [TYPES, CLASSES, TYPES * CLASSES]);
    for (let type = 0; type < TYPES; type++) {
      for (let classIndex = 0; classIndex < CLASSES; classIndex++) {
        assertClose(data[type * CLASSES + classIndex], slow(step, type, classIndex));
      }
    }
  }
}

/** What flows from a type to a digit, slowly. */
function slowFlow(step, type, classIndex) {
  return overGrid(
    (row, column) =>
      at(COUPLINGS, step, type, row, column, classIndex) *
      LENGTHS.data[(type * ROWS + row) * COLUMNS + column],
  );
}

/** All that a type has to send. */
function typeLength(type) {
  return overGrid(
    (row, column) => LENGTHS.data[(type * ROWS + row) * COLUMNS + column],
  );
}

test("couplings by type are means over the type's grid", () => {
  assertByType(
    (step) => couplingsByType(COUPLINGS, step),
    (step, type, classIndex) =>
      overGrid((row, column) => at(COUPLINGS, step, type, row, column, classIndex)) /
      (ROWS * COLUMNS),
  );
});

test("flow by type is coupling times capsule length, summed over the type's grid", () => {
  assertByType((step) => flowByType(COUPLINGS, LENGTHS, step), slowFlow);
});

test("what was moved is what flows beyond an even split of the type's length", () => {
  assertByType(
    (step) => movedByType(flowByType(COUPLINGS, LENGTHS, step)),
    (step, type, classIndex) =>
      slowFlow(step, type, classIndex) - typeLength(type) / CLASSES,
  );
});

test("shares beyond even are of what the type has", () => {
  assertByType(
    (step) => sharesBeyondEven(flowByType(COUPLINGS, LENGTHS, step)),
    (step, type, classIndex) =>
      slowFlow(step, type, classIndex) / typeLength(type) - 1 / CLASSES,
  );
});

test("a type that has nothing has no shares", () => {
  const flow = { types: 2, classes: 2, data: Float32Array.of(0, 0, 1, 3) };
  assert.deepEqual([...sharesBeyondEven(flow).data], [0, 0, -0.25, 0.25]);
});

test("an even split has nothing beyond even", () => {
  const beyond = beyondEven(Float32Array.of(0.25, 0.5, 0.25, 0), 4);
  assert.deepEqual(beyond, Float32Array.of(0, 0.25, 0, -0.25));
});

test("lengths over the iterations are norms of digit capsules", () => {
  const capsules = tensor([2, 3, 2], [3, 4, 0, 0, 1, 0, 6, 8, 0, 2, 5, 12]);
  assert.deepEqual(lengthsOverIterations(capsules), [
    [5, 10],
    [0, 2],
    [1, 13],
  ]);
});

test("one class's values for all capsules are those of each of them", () => {
  const values = ofClass(COUPLINGS, 1, 3);
  assert.equal(values.length, CAPSULES);
  values.forEach((value, capsule) => {
    assert.equal(value, ofCapsule(COUPLINGS, 1, capsule)[3]);
  });
});
