import assert from "node:assert/strict";
import { test } from "node:test";
import { proposed } from "../../../static/js/atlas/class-numbers.js";
import {
  alongWords,
  followWords,
  indexWords,
  pairWords,
  whoseWords,
} from "../../../static/js/atlas/words.js";
import {
  bulkOf,
  classNumbers,
  closest,
  correlationOf,
  correlations,
  endsOf,
  histogram,
  imagesAt,
  pairIn,
  pairName,
  pairPlaces,
  valueAt,
} from "../../../static/js/lib/class-numbers.js";
import { fixed } from "../../../static/js/lib/format.js";
import {
  isKnown,
  lassoOf,
  selected,
  selectionWords,
} from "../../../static/js/lib/selections.js";
import { numbersIn, says, seededRandom } from "../fixtures.js";

const [CLASSES, NUMBERS, COUNT] = [3, 4, 90];
const PROPERTIES = ["slant", "ink", "tail"];
const NAMES = ["zero", "one", "two"];

/** Numbers as the server sends them; the first follows the slant, the last is constant. */
function made(seed) {
  const random = seededRandom(seed);
  const labels = Array.from({ length: COUNT }, () => Math.floor(random() * CLASSES));
  const slant = labels.map(() => Math.floor(random() * 255));
  const levels = labels.flatMap((_, i) => [
    Math.min(254, slant[i]),
    Math.floor(random() * 255),
    Math.floor(random() * 255),
    0,
  ]);
  const shapes = labels.flatMap((_, i) => [
    Math.min(254, slant[i]),
    Math.floor(random() * 255),
    random() < 0.3 ? 255 : Math.floor(random() * 255),
  ]);
  const many = (length, value) => Array.from({ length }, value);
  const tensors = {
    "numbers.values": { shape: [COUNT, NUMBERS], data: levels },
    "numbers.low": { shape: [CLASSES, NUMBERS], data: many(12, () => random() - 1) },
    "numbers.step": { shape: [CLASSES, NUMBERS], data: many(12, () => 0.01) },
    "numbers.properties": { shape: [COUNT, 3], data: shapes },
    "numbers.properties_low": { shape: [3], data: [-40, 20, 0] },
    "numbers.properties_step": { shape: [3], data: [0.4, 1, 2] },
  };
  return { numbers: classNumbers(tensors, labels, PROPERTIES), labels, tensors };
}

test("bytes become the values that they stand for, and the last byte none", () => {
  const { numbers, labels, tensors } = made(1);
  for (let i = 0; i < COUNT; i++) {
    const low = tensors["numbers.low"].data[labels[i] * NUMBERS + 1];
    const level = tensors["numbers.values"].data[i * NUMBERS + 1];
    assert.ok(Math.abs(numbers.values[1][i] - (low + 0.01 * level)) < 1e-6);
    const tail = tensors["numbers.properties"].data[3 * i + 2];
    assert.equal(Number.isNaN(numbers.values[NUMBERS + 2][i]), tail === 255);
  }
  assert.equal(numbers.images.flat().length, COUNT);
});

test("a histogram counts every image of the class that has a value once", () => {
  const { numbers } = made(2);
  for (let label = 0; label < CLASSES; label++)
    for (let axis = 0; axis < numbers.values.length; axis++) {
      const counts = histogram(numbers, label, axis, 7, () => true);
      const own = numbers.images[label].filter(
        (i) => !Number.isNaN(numbers.values[axis][i]),
      );
      assert.equal(
        counts.reduce((sum, each) => sum + each, 0),
        own.length,
      );
      const [low, high] = endsOf(numbers, label, axis);
      for (const i of own) {
        assert.ok(numbers.values[axis][i] >= low && numbers.values[axis][i] <= high);
      }
    }
});

test("a correlation is 1 with itself, and follows its definition", () => {
  const { numbers } = made(3);
  for (let label = 0; label < CLASSES; label++) {
    assert.ok(Math.abs(correlationOf(numbers, label, 0, NUMBERS) - 1) < 1e-6);
    const own = numbers.images[label];
    const [x, y] = [1, 2].map((axis) => own.map((i) => numbers.values[axis][i]));
    const mean = (values) => values.reduce((sum, each) => sum + each, 0) / own.length;
    const [a, b] = [mean(x), mean(y)];
    const top = mean(x.map((each, k) => (each - a) * (y[k] - b)));
    const below = Math.sqrt(
      mean(x.map((each) => (each - a) ** 2)) * mean(y.map((each) => (each - b) ** 2)),
    );
    assert.ok(Math.abs(correlationOf(numbers, label, 1, 2) - top / below) < 1e-9);
    assert.ok(Number.isNaN(correlationOf(numbers, label, 3, 0)));
  }
});

test("what is not chosen is proposed: the pair that correlates most", () => {
  const { numbers } = made(4);
  const opened = { of: 1, across: null, up: null, along: 50 };
  assert.deepEqual(proposed(numbers, opened), { label: 1, across: 0, up: NUMBERS });
  assert.equal(proposed(numbers, { ...opened, across: 2 }).across, 2);
  assert.deepEqual(proposed(numbers, { ...opened, of: 99, across: 99, up: 99 }), {
    ...{ label: CLASSES - 1, across: 0, up: NUMBERS },
  });
  for (let across = 0; across < numbers.values.length; across++) {
    const { up } = proposed(numbers, { ...opened, across });
    assert.notEqual(up, across);
  }
});

test("images at a value have it, and are those nearest to the mean in the rest", () => {
  const { numbers } = made(5);
  for (let label = 0; label < CLASSES; label++)
    for (let k = 0; k <= 10; k++) {
      const value = valueAt(numbers, label, 0, k / 10);
      const [low, high] = bulkOf(numbers, label, 0);
      const found = imagesAt(numbers, label, 0, value, 2);
      const near = numbers.images[label].filter(
        (i) => Math.abs(numbers.values[0][i] - value) <= (high - low) / 24,
      );
      assert.equal(found.length, Math.min(2, near.length));
      assert.ok(found.every((i) => near.includes(i)));
    }
});

test("an outline over two numbers selects images of the class alone", () => {
  const { numbers, labels } = made(6);
  const atlas = {
    ...{ count: COUNT, total: COUNT, labels, predictions: labels, best: labels },
    ...{ numbers, positions: {}, errors: null, others: [], moments: [] },
    ...{ names: NAMES, title: "Net", score: "length" },
  };
  const name = pairName(1, 0, NUMBERS);
  assert.deepEqual(pairIn(name), { label: 1, across: 0, up: NUMBERS });
  assert.equal(pairIn("capsules-pca"), null);
  const upTo = (right) => {
    const [low, high] = [-1.1, 1.1];
    return [low, right, right, low].map((x, i) => [x, i < 2 ? low : high]);
  };
  assert.deepEqual(selected(atlas, lassoOf(name, upTo(1.1))), numbers.images[1]);
  const half = lassoOf(name, upTo(0));
  const places = pairPlaces(numbers, name);
  const images = selected(atlas, half);
  assert.deepEqual(
    images,
    numbers.images[1].filter((i) => places[2 * i] < 0),
  );
  says(selectionWords(atlas, half, images), "one; none of them is misread.");
  assert.ok(!isKnown({ ...atlas, numbers: null }, half));
  assert.ok(!isKnown(atlas, { ...half, map: pairName(CLASSES, 0, 1) }));
});

test("every sentence follows from the numbers", () => {
  for (let seed = 0; seed < 60; seed++) {
    const { numbers, labels } = made(seed);
    const random = seededRandom(seed);
    const atlas = { names: NAMES, numbers };
    const below = (most) => Math.floor(random() * most);
    const label = below(CLASSES);
    const [across, up] = [below(NUMBERS + 3), below(NUMBERS + 3)];
    const rows = correlations(numbers, label);
    const near = closest(rows);
    const most = Math.max(...near.map(({ r }) => Math.abs(r)));
    const follow = followWords(numbers, rows);
    assert.ok(Math.abs(Math.abs(numbersIn(follow)[1]) - most) <= 0.005, follow);
    const reach = near.filter(({ r }) => Math.abs(r) >= 0.7).length;
    assert.match(
      follow,
      new RegExp(` ${reach === 0 ? "None" : reach} of the ${NUMBERS} `),
    );

    const images = labels.flatMap((_, i) => (random() < 0.3 ? [i] : []));
    const own = images.filter((i) => labels[i] === label).length;
    const words = pairWords(atlas, numbers, { label, across, up }, images);
    const r = correlationOf(numbers, label, across, up);
    if (across === up) assert.match(words, /show the same/);
    else if (Number.isNaN(r)) assert.match(words, /does not vary/);
    else assert.ok(words.includes(`r = ${fixed(r, 2)}`), words);
    const whole = numbers.images[label].length;
    assert.ok(
      words.endsWith(
        `${own === 0 ? "None" : own} of these ${whole} ${own === 1 ? "is" : "are"} in the selection.`,
      ),
      words,
    );
    const all = labels.map((_, i) => i);
    assert.ok(
      !pairWords(atlas, numbers, { label, across, up }, all).includes("selection"),
    );

    for (const shown of [16, 4]) {
      const card = { numbers: { of: "hidden layer", numbers: 16, shown } };
      const whose = whoseWords(atlas, { card }, label);
      assert.ok(numbersIn(whose).includes(whole), whose);
      assert.equal(whose.includes("principal components"), shown === 4);
    }
  }
});

test("no picture is called the decoder's where it makes none", () => {
  const { numbers } = made(7);
  const words = (axis, count, isDecoded) =>
    alongWords({ names: NAMES }, numbers, { label: 1, axis }, count, isDecoded);
  says(words(0, 3, true), "the decoder’s:…number 1 alone moved…others are test");
  assert.match(words(0, 0, false), /^No decoder .*No test image of one has this value/);
  assert.match(words(NUMBERS, 2, false), /^Slant is measured in pictures/);
});

test("the index is compared with the turns", () => {
  const words = (mean) => {
    const sap = { mean, turned: 0.2, turned_low: 0.1, turned_high: 0.3 };
    return indexWords({ card: { numbers: { indices: { numbers: { sap } } } } });
  };
  assert.match(words(0.2), /no further apart than turned ones\.$/);
  assert.match(words(0.31), /are further apart than turned ones\.$/);
  assert.match(words(0.05), /less apart than turned ones\.$/);
  assert.equal(indexWords({ card: {} }), "");
});
