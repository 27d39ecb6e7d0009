import assert from "node:assert/strict";
import { test } from "node:test";
import { MOST_PINS } from "../../../../../static/js/kinds/routing/surgery/changes.js";
import {
  packPins,
  packSilence,
  unpackPins,
  unpackSilence,
} from "../../../../../static/js/kinds/routing/surgery/link.js";
import { seededRandom } from "../../../fixtures.js";

const CELLS = 36;
const SIZES = { capsules: 32 * CELLS, cells: CELLS };
const COUNTS = { ...SIZES, classes: 10 };

/** The whole numbers from `first` to `last`. */
function range(first, last) {
  return Array.from({ length: last - first + 1 }, (_, i) => first + i);
}

for (const [text, silenced] of [
  ["", []],
  ["1151", [1151]],
  ["3-5.9", [3, 4, 5, 9]],
  ["t3", range(108, 143)],
  ["t0-1.t31", [...range(0, 71), ...range(1116, 1151)]],
  ["t1.0.35.72", [0, ...range(35, 72)]],
]) {
  test(`"${text}" stands for ${silenced.length} silent capsules, and back`, () => {
    assert.equal(packSilence(silenced, CELLS), text);
    assert.deepEqual(unpackSilence(text, SIZES), silenced);
  });
}

test("any set of silent capsules comes back, in at most 193 characters", () => {
  const random = seededRandom(3);
  for (let round = 0; round < 300; round++) {
    const share = random() ** 2;
    const wholeTypes = random();
    const silenced = range(0, SIZES.capsules - 1).filter(
      (capsule) =>
        random() < share || (Math.floor(capsule / CELLS) * 0.137) % 1 > wholeTypes,
    );
    const text = packSilence(silenced, CELLS);
    assert.deepEqual(unpackSilence(text, SIZES), silenced);
    assert.ok(text.length <= 1 + Math.ceil((SIZES.capsules / 8) * (4 / 3)), text);
    assert.match(text, /^[\w.-]*$/); // nothing that a link must escape
  }
});

for (const text of [
  "1152",
  "t32",
  "5-3",
  "1.5e3x",
  "9".repeat(400),
  "0-999999999",
  "m%%%",
  "__proto__",
]) {
  test(`"${text.slice(0, 30)}" silences nothing that is not there`, () => {
    const silenced = unpackSilence(text, SIZES);
    assert.deepEqual(
      silenced,
      text === "1.5e3x" ? [1] : [], // what is right in a list counts
    );
  });
}

test("held couplings come back, rounded to hundredths", () => {
  const pins = [
    { capsule: 112, classIndex: 4, coupling: 0.5 },
    { capsule: 0, classIndex: 0, coupling: 1 },
    { capsule: 1151, classIndex: 9, coupling: 0 },
  ];
  assert.deepEqual(packPins(pins, CELLS), ["112:4=0.5", "0:0=1", "1151:9=0"]);
  assert.deepEqual(unpackPins(packPins(pins, CELLS), COUNTS), pins);
  const fine = [{ capsule: 1, classIndex: 2, coupling: 0.12345 }];
  assert.deepEqual(packPins(fine, CELLS), ["1:2=0.12"]);
});

test("what a whole type gives to a class is held by one word", () => {
  const pins = range(108, 143).map((capsule) => ({
    capsule,
    classIndex: 4,
    coupling: 0.1,
  }));
  assert.deepEqual(packPins(pins, CELLS), ["t3:4=0.1"]);
  assert.deepEqual(unpackPins(["t3:4=0.1"], COUNTS), pins);
  assert.deepEqual(unpackPins(["t32:4=0.1"], COUNTS), []);
  const [first, ...others] = pins;
  assert.equal(packPins(others, CELLS).length, CELLS - 1);
  const alone = unpackPins(["108:2=1", "t3:4=0.1"], COUNTS);
  assert.equal(alone.length, 1); // what is named first stays
  assert.deepEqual(packPins([first], 1), ["108:4=0.1"]);
});

for (const text of [
  "",
  "1152:4=0.5",
  "0:10=0.5",
  "0:4=1.01",
  "0:4=NaN",
  "0:4=1e-1",
  "__proto__:4=0.5",
]) {
  test(`"${text}" holds no coupling`, () => {
    assert.deepEqual(unpackPins([text], COUNTS), []);
  });
}

test("of one capsule's couplings the first is held, of many the first so many", () => {
  const twice = unpackPins(["5:1=0.5", "5:2=1"], COUNTS);
  assert.deepEqual(twice, [{ capsule: 5, classIndex: 1, coupling: 0.5 }]);
  const many = unpackPins(
    range(0, 99).map((i) => `${i}:1=1`),
    COUNTS,
  );
  assert.deepEqual(
    many.map(({ capsule }) => capsule),
    range(0, MOST_PINS - 1),
  );
});
