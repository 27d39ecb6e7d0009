import assert from "node:assert/strict";
import { test } from "node:test";
import { scoreText } from "../../../../static/js/core/scores.js";
import {
  courseWords,
  heldAround,
  lineAt,
  measuredWords,
  measurementOf,
  shortNames,
} from "../../../../static/js/lab/shared/words.js";
import { seededRandom } from "../../fixtures.js";

const KNOB = { id: "turn", start: 0, unit: "°", decimals: 0 };
const KNOBS = [-30, -15, 0, 15, 30];

const ROWS = [
  ["all: from −30° to 30°", "0.700 at 15°"],
  ["all: from −30° to 30°", "0.998 at 15°"],
  ["none", "0.000 everywhere"],
  ["3: at −30° and from 0° to 15°", "0.100 at 30°"],
  ["1: at 0°", "0.100 at −30°"],
  ["2: at −15° and at 15°", "0.100 at −30°"],
];

const sentence = (predictions, scores) =>
  courseWords(KNOB, KNOBS, {
    isRead: predictions.map((prediction) => prediction === 4),
    scores,
    text: (score) => scoreText(score, "length"),
  });

test("where a class is read without a gap around the start", () => {
  assert.deepEqual(heldAround(KNOBS, [true, false, true, true, false], 0), {
    first: 2,
    last: 3,
    from: 0,
    to: 15,
  });
  assert.equal(heldAround(KNOBS, [true, true, false, true, true], 0), null);
});

for (const [what, predictions, scores, expected] of [
  ["everywhere", [4, 4, 4, 4, 4], [0.9, 0.8, 0.9, 0.7, 0.9]],
  ["with scores near 1", [4, 4, 4, 4, 4], [0.999, 1, 1, 0.998, 1]],
  ["nowhere", [1, 1, 1, 1, 1], [0, 0, 0, 0, 0]],
  ["in two stretches", [4, 1, 4, 4, 1], [0.6, 0.2, 0.9, 0.8, 0.1]],
  ["at one value alone", [1, 1, 4, 1, 1], [0.1, 0.2, 0.9, 0.3, 0.2]],
  ["but for the start", [1, 4, 1, 4, 1], [0.1, 0.7, 0.3, 0.8, 0.2]],
].map((example, i) => [...example, ROWS[i]]))
  test(`a row of a class that is read ${what}`, () => {
    assert.deepEqual(sentence(predictions, scores), expected);
  });

test("which values a class is read at can be worked out from its row", () => {
  const knobs = Array.from({ length: 25 }, (_, i) => i - 12);
  const random = seededRandom(17);
  const forms = new Set();
  for (let run = 0; run < 300; run++) {
    const stay = [0.5, 0.7, 0.9][run % 3]; // ever longer stretches
    let isRight = true;
    const isRead = knobs.map(() => {
      if (random() > stay) isRight = !isRight;
      return isRight;
    });
    const course = { isRead, scores: knobs.map(() => 0.5), text: String };
    const reads = courseWords(KNOB, knobs, course)[0].replaceAll("−", "-");
    const count = isRead.filter(Boolean).length;
    const [, number, places] = /^(\d+|all|none)(: .+)?$/.exec(reads);
    assert.equal({ all: 25, none: 0 }[number] ?? Number(number), count);
    forms.add(places === undefined ? "counted" : "named");
    if (places === undefined) continue;
    const named = new Set();
    for (const [, from, to] of reads.matchAll(/from (-?\d+)° to (-?\d+)°/g))
      for (let at = Number(from); at <= Number(to); at++) named.add(at);
    for (const [, at] of reads.matchAll(/at (-?\d+)°/g)) named.add(Number(at));
    assert.deepEqual(
      knobs.map((knob) => named.has(knob)),
      isRead,
      reads,
    );
  }
  assert.equal(forms.size, 2);
});

test("networks are called without their images, unless two would have one name", () => {
  const titles = (...names) => shortNames(names.map((title) => ({ title })));
  assert.deepEqual(titles("CNN on MNIST", "Matrix capsules on MNIST", "Mine"), [
    ...["CNN", "Matrix capsules", "Mine"],
  ]);
  assert.deepEqual(titles("CNN on MNIST", "CNN on toys"), [
    "CNN on MNIST",
    "CNN on toys",
  ]);
});

const TEST = {
  images: 1000,
  values: [-15, 0, 15],
  accuracy: [0.5, 0.99, 0.75],
  true_score: [0, 0, 0],
  winner_score: [0, 0, 0],
};
test("a card's measurement is used where it is complete", () => {
  const card = { measurements: { rotation: TEST, shift: { ...TEST, accuracy: [1] } } };
  assert.equal(measurementOf({ card }, "rotation"), TEST);
  assert.equal(measurementOf({ card }, "shift"), null);
  assert.equal(measurementOf({ card }, "scale"), null);
  assert.equal(measurementOf({ card: {} }, "scale"), null);
  assert.equal(measurementOf({ card }, null), null);
});

test("of toys, the band is the share read right from each side", () => {
  const viewpoints = {
    azimuths: [0, 20],
    elevations: [30, 35, 40],
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

test("between two measured values, the line and what it lies between are told", () => {
  const knob = { unit: "°" };
  const words = (value) =>
    measuredWords(TEST.values, TEST.accuracy, knob, value).replaceAll("\u202f", " ");
  assert.equal(words(15), "at 15°: 75.0 %");
  assert.equal(
    words(2.5),
    "at 2.5°: 95.0 %, on the line from 99.0 % at 0° to 75.0 % at 15°",
  );
  assert.equal(words(20), "not measured at 20°; 75.0 % at 15°");
});

test("a line runs between its neighbours, and no further than its ends", () => {
  const random = seededRandom(3);
  for (let run = 0; run < 200; run++) {
    const places = [0, 1 + random(), 3 + random()];
    const figures = places.map(random);
    const value = 5 * random() - 0.5;
    const line = lineAt(places, figures, value);
    assert.equal(line === null, value < 0 || value > places[2]);
    if (line === null) continue;
    const [from, to] = line.ends;
    const share = (value - places[from]) / (places[to] - places[from]);
    const expected = (1 - share) * figures[from] + share * figures[to];
    assert.ok(Math.abs(line.figure - expected) < 1e-12);
    places.forEach((knob, i) => {
      assert.deepEqual(lineAt(places, figures, knob), {
        figure: figures[i],
        ends: [i],
      });
    });
  }
});
