import assert from "node:assert/strict";
import { test } from "node:test";
import { KNOBS, laidOut } from "../../../../static/js/lab/crossing/knobs.js";
import { courseWords, testWords } from "../../../../static/js/lab/crossing/words.js";
import { grey, says } from "../../fixtures.js";

const KNOB = { ...KNOBS[0], sweep: [-1, 0, 1] };
const COURSE = {
  name: "Caps",
  one: "length",
  areRight: [true, true, false],
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

const TEST = {
  values: [-1, 0, 1],
  images: 1000,
  accuracy: [0.5, 0.75, 0.625],
  ink_given_right: [0.9, 0.8, 0.7],
};

test("what the test pairs gave stands with its place, with the ink where it is", () => {
  const networks = [
    { title: "Caps", test: TEST },
    { title: "CNN", test: { ...TEST, ink_given_right: undefined } },
    { title: "Other", test: null },
  ];
  says(
    testWords(KNOB, 1, networks, [0]),
    "Caps…1 000 pairs…at 1 px: 62.5 %…at 1 px: 70.0 %…CNN…at 1 px: 62.5 %",
  );
  assert.match(testWords(KNOB, 0, networks, [2]), /the other knob at 0: Caps.*at 0 px/);
  assert.equal(testWords(KNOB, 0, [networks[2]], [0]), "");
});
