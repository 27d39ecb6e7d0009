import assert from "node:assert/strict";
import { test } from "node:test";
import {
  heldAround,
  measurementOf,
  sweepWords,
  testWords,
} from "../../../../static/js/lab/shared/words.js";
import { seededRandom } from "../../fixtures.js";

const KNOB = { id: "turn", start: 0, unit: "°", decimals: 0 };
const KNOBS = [-30, -15, 0, 15, 30];

function words(predictions, scores) {
  const isRead = predictions.map((each) => each === 4);
  const course = { name: "Net", one: "length", isRead, scores };
  return sweepWords(KNOB, KNOBS, "four", [course]);
}

test("where a class is read without a gap around the start", () => {
  assert.deepEqual(heldAround(KNOBS, [true, false, true, true, false], 0), {
    first: 2,
    last: 3,
    from: 0,
    to: 15,
  });
  assert.equal(heldAround(KNOBS, [true, true, false, true, true], 0), null);
});

test("a class that is read everywhere is said to be, with its least score", () => {
  assert.equal(
    words([4, 4, 4, 4, 4], [0.9, 0.8, 0.9, 0.7, 0.9]),
    "Net: reads four at every value from −30° to 30°; its length of four is lowest at 15° (0.70).",
  );
});

test("a score that stays is said to", () => {
  assert.equal(
    words([4, 4, 4, 4, 4], [0.999, 1, 1, 0.998, 1]),
    "Net: reads four at every value from −30° to 30°; its length of four is 1.00 at every value.",
  );
});

test("a class that is read nowhere is said to be", () => {
  assert.equal(
    words([1, 1, 1, 1, 1], [0, 0, 0, 0, 0]),
    "Net: reads four at none of 5 values.",
  );
});

test("a span that ends, and what is read again beyond it", () => {
  assert.equal(
    words([4, 1, 4, 4, 1], [0.6, 0.2, 0.9, 0.8, 0.1]),
    "Net: reads four from 0° to 15°, and again at −30°; its length of four is lowest at 30° (0.10).",
  );
});

test("which values a class is read at can be worked out from the words", () => {
  const knobs = Array.from({ length: 25 }, (_, i) => i - 12);
  const random = seededRandom(17);
  const seen = new Set();
  for (let run = 0; run < 300; run++) {
    // Ever longer stretches, always with the start.
    const stay = [0.5, 0.7, 0.9][run % 3];
    let isRight = true;
    const right = knobs.map((knob) => {
      if (random() > stay) isRight = !isRight;
      return knob === 0 ? run % 4 > 0 : isRight;
    });
    const course = {
      ...{ name: "Net", one: "length", scores: knobs.map(() => 0.5) },
      isRead: right,
    };
    const told = sweepWords(KNOB, knobs, "four", [course]).replaceAll("−", "-");
    const [reads] = told.split(";");
    const all = right.filter(Boolean).length;
    if (all === 25) continue;
    const named = new Set();
    for (const [, from, to] of reads.matchAll(/from (-?\d+)° to (-?\d+)°/g))
      for (let at = Number(from); at <= Number(to); at++) named.add(at);
    for (const [, at] of reads.matchAll(/at (-?\d+)°/g)) named.add(Number(at));
    const more = /at (\d+) of (?:the other )?(\d+) values/.exec(reads);
    seen.add(more === null ? "named" : "counted");
    const isMissed = / but not at 0°/.test(reads);
    assert.equal(isMissed, !right[12], told);
    if (isMissed) named.delete(0);
    for (const at of named) assert.ok(right[knobs.indexOf(at)], told);
    assert.equal(named.size + Number(more?.[1] ?? 0), all, told);
    if (more !== null) assert.equal(Number(more[2]), 25 - named.size, told);
  }
  assert.equal(seen.size, 2);
});

test("one value alone", () => {
  assert.equal(
    words([1, 1, 4, 1, 1], [0.1, 0.2, 0.9, 0.3, 0.2]),
    "Net: reads four at 0°, not at the next values to either side; its length of four is lowest at −30° (0.10).",
  );
});

test("a class that is misread unchanged and read elsewhere", () => {
  assert.equal(
    words([1, 4, 1, 4, 1], [0.1, 0.7, 0.3, 0.8, 0.2]),
    "Net: reads four at −15° and at 15°, but not at 0°; its length of four is lowest at −30° (0.10).",
  );
});

test("without networks there is nothing to say of any", () => {
  assert.equal(sweepWords(KNOB, KNOBS, "four", []), "No network takes part.");
});

const TEST = {
  images: 1000,
  values: [-15, 0, 15],
  accuracy: [0.5, 0.99, 0.75],
  true_score: [0, 0, 0],
  winner_score: [0, 0, 0],
};
const knob = { unit: "°", decimals: 1 };

test("a card's measurement is used where it is complete", () => {
  const card = { measurements: { rotation: TEST, shift: { ...TEST, accuracy: [1] } } };
  assert.equal(measurementOf({ card }, "rotation"), TEST);
  assert.equal(measurementOf({ card }, "shift"), null);
  assert.equal(measurementOf({ card }, "scale"), null);
  assert.equal(measurementOf({ card: {} }, "scale"), null);
  assert.equal(measurementOf({ card }, null), null);
});

test("the test set at the measured value nearest to the knob's", () => {
  const networks = [
    { title: "A", test: TEST },
    { title: "B", test: null },
    { title: "C", test: { ...TEST, images: 50 } },
  ];
  assert.equal(
    testWords(knob, 9, networks),
    "Test images at 15°, this knob alone: A reads 75.0\u202f% of 1\u202f000 right; C reads 75.0\u202f% of 50 right.",
  );
  const coarse = { title: "D", test: { ...TEST, values: [-30, 0, 30] } };
  assert.equal(
    testWords(knob, 9, [networks[0], coarse]),
    "Test images, this knob alone: A reads 75.0\u202f% of 1\u202f000 right at 15°; D reads 99.0\u202f% of 1\u202f000 right at 0°.",
  );
  assert.equal(testWords(knob, 9, [networks[1]]), "");
  assert.equal(
    testWords(knob, 9, [networks[0], { title: "E", test: TEST }]),
    "Of 1\u202f000 test images at 15°, this knob alone, A reads 75.0\u202f% right and E 75.0\u202f%.",
  );
});

test("of toys, the band is the share read right from each side", () => {
  const viewpoints = {
    ...{ azimuths: [0, 20], elevations: [30, 35, 40] },
    errors: [
      [0, 0.5],
      [0, 0.25],
      [0.3, 0.75],
    ],
  };
  const model = { id: "toys", card: { viewpoints, test_images: 60 } };
  const across = measurementOf(model, "azimuth");
  assert.deepEqual(across.values, [0, 20]);
  assert.deepEqual(across.accuracy, [0.9, 0.5]);
  assert.equal(across.images, 30);
  const up = measurementOf(model, "elevation");
  assert.deepEqual(up.accuracy, [0.75, 0.875, 0.475]);
  assert.equal(up.images, 20);
  assert.equal(measurementOf(model, "rotation"), null);
  assert.equal(measurementOf({ card: {} }, "azimuth"), null);
});
