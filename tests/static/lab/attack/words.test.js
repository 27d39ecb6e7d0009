import assert from "node:assert/strict";
import { test } from "node:test";
import { START } from "../../../../static/js/lab/attack/experiment.js";
import {
  alarmWords,
  attackWords,
  bothWords,
  gradientWords,
} from "../../../../static/js/lab/attack/words.js";

const NET = {
  id: "net",
  title: "Net",
  scores: "length",
  class_names: ["zero", "one", "two"],
  present: { at_most: 1, threshold: null },
};
const OTHER = { ...NET, id: "other", title: "Other" };

/** @param {number} prediction @param {number[]} scores @param {number | null} [error] */
function read(prediction, scores, error = null) {
  const drawn = error === null ? null : [Math.sqrt(error), Math.sqrt(error)];
  return { image: [0, 0], prediction, scores, drawn };
}

const FOUND = /** @type {any} */ ({
  ...{ model: NET, from: NET, label: 1, isOwn: false, zeros: 0, isAvoiding: false },
  ...{ clean: read(1, [0, 0.9, 0.1]), noisy: read(1, [0, 0.8, 0.2]), path: null },
  attacked: read(2, [0.1, 0.3, 0.6]),
});
const tell = (/** @type {object} */ changes, choices = {}, eps = 0.2) =>
  attackWords({ ...FOUND, ...changes }, { ...START, ...choices }, eps);

test("what turned, by how much, and what noise does", () => {
  assert.equal(
    tell({}),
    "Net: FGSM with ε = 0.20 turns its reading from one to two: its length of one goes from 0.90 to 0.30. Noise leaves it at 0.80.",
  );
});

test("a reading that holds, and a score that stays", () => {
  const attacked = read(1, [0, 0.9, 0.1]);
  const noisy = read(0, [0.6, 0.2, 0.1]);
  assert.equal(
    tell({ attacked, noisy }, { method: "pgd" }),
    "Net: PGD with ε = 0.20 leaves its reading at one: its length of one stays at 0.90. Noise turns its reading to zero and leaves it at 0.20: more harm than the attack.",
  );
});

test("noise is compared with nothing", () => {
  assert.equal(
    tell({}, { method: "noise" }),
    "Net: random noise with ε = 0.20 turns its reading from one to two: its length of one goes from 0.90 to 0.30.",
  );
});

test("nothing to attack: misled already, no ε, the target is read", () => {
  assert.match(
    tell({ clean: read(0, [0.9, 0.1, 0]) }),
    /^Net reads zero without any change/,
  );
  assert.equal(tell({}, {}, 0), "Net reads one: ε is 0, so nothing changes.");
  assert.match(tell({}, { target: "1" }), /reads the target, one, already/);
});

test("an image without a label is attacked by its own reading, and says so", () => {
  assert.match(
    tell({ isOwn: true }),
    /from one \(its own reading; the image has no label\) to two/,
  );
});

test("of a network that names two classes neither is misled by the other", () => {
  const two = { ...NET, present: { at_most: 2, threshold: 0.5 } };
  const changes = { model: two, from: two };
  const both = read(2, [0.1, 0.9, 0.95]);
  const told = tell({ ...changes, clean: both, attacked: read(2, [0.1, 0.3, 0.6]) });
  assert.match(told, /^Net: FGSM with ε = 0.20 turns its reading from one to two:/);
  assert.match(
    tell({ ...changes, clean: both, attacked: read(0, [0.2, 0.1, 0.1]) }),
    /to none: its length/,
  );
});

test("a target is reached or missed", () => {
  assert.match(tell({}, { target: "2" }), /to two: .* to 0\.30, the target\./);
  assert.match(tell({}, { target: "0" }), /; the target was zero, with 0\.10\./);
});

test("a gradient is carried over, an alarm avoided", () => {
  assert.match(
    tell({ from: OTHER, isAvoiding: true }),
    /^Net: FGSM, carried over from Other, that avoids the alarm with ε/,
  );
});

test("the share of zero gradients, here and over the test set", () => {
  const zeros = (/** @type {number | null} */ share, loss = "gap", entry = null) =>
    gradientWords({ ...FOUND, zeros: share }, { loss }, entry);
  assert.equal(zeros(null), "");
  assert.match(zeros(1, "trained"), /training loss is zero at every pixel/);
  assert.match(zeros(0), /gap is zero at no pixel\.$/);
  assert.match(zeros(0.25), /zero at 25\s?% of the pixels/);
  const entry = /** @type {any} */ ({
    images: 1000,
    gap: { images: 0 },
    trained: { images: 0.731 },
  });
  assert.match(
    zeros(1, "trained", entry),
    /zero everywhere for 73\.1\s?% of 1\s?000 test images/,
  );
  assert.match(zeros(0, "gap", entry), /zero everywhere for none of 1\s?000/);
});

test("an alarm follows from error and threshold", () => {
  const found = {
    ...FOUND,
    clean: read(1, [0, 0.9, 0.1], 0.01),
    attacked: read(2, [0, 0.3, 0.6], 0.05),
  };
  const alarm = (/** @type {number | null} */ threshold, entry = null, choices = {}) =>
    alarmWords(found, threshold, entry, { ...START, ...choices }, 0.2);
  assert.match(
    alarm(0.04),
    /goes from 0\.0100 to 0\.0500, above .* 0\.0400: an alarm\.$/,
  );
  assert.match(alarm(0.06), /not above .* 0\.0600: no alarm\.$/);
  assert.match(alarm(null), /no threshold/);
  assert.match(alarmWords(FOUND, 0.04, null, START, 0.2), /has no decoder/);
  const attacks = {
    fgsm: { values: [0.1, 0.2], alarms: [0.3, 0.4], unseen: [0.1, 0.2] },
  };
  const entry = /** @type {any} */ ({ images: 1000, clean: { alarms: 0.01 }, attacks });
  assert.match(
    alarm(0.04, entry),
    /Attacked like this, 40\.0\s?% of 1\s?000 test images raise an alarm, and 20\.0\s?% are misread without one\. Unchanged, 1\.0\s?%/,
  );
  for (const other of [
    { target: "2" },
    { gradient: "last" },
    { loss: "trained" },
    { method: "pgd" },
  ])
    assert.doesNotMatch(alarm(0.04, entry, other), /Attacked like this/);
});

const measured = (/** @type {number} */ images, /** @type {number[]} */ accuracy) =>
  /** @type {any} */ ({ images, values: [0, 0.1], accuracy });

test("both gradients are told in the same order, and which lowers the score further", () => {
  const [a, b] = [measured(2000, [1, 0.75]), measured(500, [1, 0.8])];
  assert.equal(
    bothWords("length of 4", 0.1, [
      { score: 0.3, test: a },
      { score: 0.6, test: b },
    ]),
    "With ε = 0.10, its length of 4 is 0.30 when attacked through all iterations, and 0.60 through the last iteration alone: the gradient through all iterations lowers it further. Test images are still read right: 75.0\u202f% of 2\u202f000 after the first attack, 80.0\u202f% of 500 after the second.",
  );
  assert.match(
    bothWords("length of 4", 0.1, [
      { score: 0.6, test: a },
      { score: 0.3, test: null },
    ]),
    /alone: the gradient through the last iteration alone lowers it further\.$/,
  );
});

test("equal scores are told as equal, and what was not measured is left out", () => {
  const test = measured(500, [1, 0.8]);
  assert.equal(
    bothWords("length of 4", 0.3, [
      { score: 0.501, test },
      { score: 0.499, test },
    ]),
    "With ε = 0.30, its length of 4 is 0.50 when attacked through all iterations, and when attacked through the last iteration alone.",
  );
});
