import assert from "node:assert/strict";
import { test } from "node:test";
import { crossing } from "../../../../static/js/lab/crossing/experiment.js";
import { KNOBS, laidOut } from "../../../../static/js/lab/crossing/knobs.js";
import {
  claimWords,
  courseWords,
  digitsWords,
  testWords,
} from "../../../../static/js/lab/crossing/words.js";
import { grey, says } from "../../fixtures.js";

const KNOB = { ...KNOBS[0], sweep: [-1, 0, 1] };
const COURSE = {
  ...{ name: "Caps", one: "length", areRight: [true, true, false] },
  text: (score) => score.toFixed(2),
  scores: [
    [0.9, 0.8, 0.7],
    [0.5, 0.5, 0.5],
  ],
  ink: [0.91, null, 0.8],
};

test("the first digit stays in the middle, the second lies where the knobs say", () => {
  const digit = { pixels: grey([0]), label: 1, right: -3, down: 2 };
  const [first, second] = laidOut([digit, { ...digit, label: 7 }], {
    right: 4,
    down: -1,
  });
  assert.deepEqual([first.label, first.right, first.down], [1, 0, 0]);
  assert.deepEqual([second.label, second.right, second.down], [7, 4, -1]);
});

test("a sentence tells where both lead, how far scores fall, and the ink", () => {
  says(
    courseWords(KNOB, ["4", "7"], COURSE),
    "−1 px to 0 px…0.70…1 px…0.90…0.50 everywhere…80 %…91 %",
  );
});

test("everywhere, nowhere and without a decoder have words of their own", () => {
  const words = (more) => courseWords(KNOB, ["4", "7"], { ...COURSE, ...more });
  const all = words({ areRight: [true, true, true], ink: null });
  assert.match(all, /two highest scores at every position from −1 px to 1 px; the/);
  assert.doesNotMatch(all, /ink/);
  const none = words({ areRight: [false, false, false] });
  assert.match(none, /^Caps: at none of 3 positions .* have 4 and 7 the two highest/);
});

test("twice the same class has one score, and cannot be named twice", () => {
  const words = courseWords(KNOB, ["4", "4"], COURSE);
  assert.match(words, /^Caps: its length of 4 is 0\.70 at the least/);
  assert.doesNotMatch(words, /two highest/);
  const digits = [
    { name: "4", reads: null },
    { name: "4", reads: "reads 4" },
  ];
  says(digitsWords(digits, "Caps"), "4. Second: 4, as Caps reads it…only once");
  const none = { name: "7", reads: "sees none of its classes" };
  says(
    digitsWords([digits[0], none], "Caps"),
    "7, the best of Caps, which sees none of its classes in it alone.",
  );
});

const TEST = {
  ...{ values: [-1, 0, 1], images: 1000, accuracy: [0.5, 0.75, 0.625] },
  ink_given_right: [0.9, 0.8, 0.7],
};

test("what the test pairs gave is that of the nearest value, with the ink where it is", () => {
  const networks = [
    { title: "Caps", test: TEST },
    { title: "CNN", test: { ...TEST, ink_given_right: undefined } },
    { title: "Other", test: null },
  ];
  says(
    testWords(KNOB, 1, networks, [0]),
    "1 px…62.5 % of 1 000 pairs…70.0 %…CNN…62.5 %",
  );
  assert.match(testWords(KNOB, 0, networks, [2]), /at 0 px, the other knob at 0: Caps/);
  assert.equal(testWords(KNOB, 0, [networks[2]], [0]), "");
});

test("what both capsules draw is said with the share of ink given right", () => {
  says(claimWords(["4", "7"], 0.5), "draws 4 and 7: 50 %");
  assert.equal(claimWords(["4", "7"], null), "draws 4 and 7");
});

test("there is nothing to try with a network that reads one digit", () => {
  const settings = { right: 4, down: 0 };
  const one = { input_shape: [1, 28, 28], present: { at_most: 1, threshold: null } };
  const { change } = crossing.tryFirst;
  assert.equal(change({ settings, model: one }), null);
  const two = { input_shape: [1, 36, 36], present: { at_most: 2, threshold: 0.5 } };
  assert.deepEqual(change({ settings, model: two }).settings, { right: 1, down: -8 });
});
