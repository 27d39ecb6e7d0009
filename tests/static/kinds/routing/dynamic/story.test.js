import assert from "node:assert/strict";
import { test } from "node:test";
import { tell } from "../../../../../static/js/kinds/routing/dynamic/story.js";
import { giftsIn } from "../../../../../static/js/lib/statistics.js";
import { says } from "../../../fixtures.js";

const exactly = (count) => ({ count, isSure: true });

const NAMES = ["0", "1", "2"];

/** A scene with these lengths, [class][iteration], and largest couplings to digit 0. */
function scene(
  lengths,
  step,
  {
    largest = [0.3, 0.4, 0.6, 0.7],
    trained = 3,
    moves,
    uneven = 0,
    present = { at_most: 1, threshold: null },
  } = {},
) {
  return {
    figures: {
      lengths: () => lengths,
      spread: () => [[], [], [], largest],
      uneven: () => uneven,
      gifts: () => giftsIn([]),
      moves: () => moves ?? { raised: exactly(7), lowered: exactly(5), capsules: 1152 },
    },
    step,
    ends: NAMES,
    nouns: { singular: "class", plural: "classes" },
    classIndex: 0,
    name: "0",
    iterations: lengths[0].length,
    model: {
      class_names: NAMES,
      classes: 3,
      routing_iterations: trained,
      present,
      scores: "length",
    },
  };
}

const CLEAR = [
  [0.5, 0.7, 0.9],
  [0.1, 0.1, 0.2],
  [0.2, 0.1, 0.1],
];

test("a count that rounding may have changed is told as about right", () => {
  const about = (count) => ({ count, isSure: false });
  const storyOf = (raised, lowered) =>
    tell(scene(CLEAR, 2, { moves: { raised, lowered, capsules: 1152 } }));
  says(storyOf(about(147), exactly(5)), ": about 147 of 1 152…5 send less");
  says(storyOf(about(0), about(1)), ": hardly any of…about 1 sends less");
});

test("of a network that can name two digits, those that are named are told as such", () => {
  const present = { at_most: 2, threshold: 0.45 };
  const storyOf = (...lengths) =>
    tell(
      scene(
        lengths.map((length) => [length]),
        0,
        { present },
      ),
    );
  says(storyOf(0.5, 0.2, 0.46), "0 with 0.500 and 2 with 0.460…then 1 with 0.200.");
  says(storyOf(0.5, 0.2, 0.44), "Only 0 with 0.500…next is 2 with 0.440.");
  says(storyOf(0.4, 0.2, 0.3), "None is long…0 with 0.400…then 2 with 0.300.");
});

const OVERTAKEN = [
  [0.4, 0.5, 0.6, 0.8],
  [0.3, 0.4, 0.7, 0.9],
  [0, 0, 0, 0],
];

test("a digit that overtakes another is named in that iteration only", () => {
  assert.doesNotMatch(tell(scene(OVERTAKEN, 1)), /overtaken/);
  assert.match(tell(scene(OVERTAKEN, 2)), /1 has overtaken 0\./);
  assert.doesNotMatch(tell(scene(OVERTAKEN, 3)), /overtaken/);
});

test("running longer than trained is remarked on when several digits grew long", () => {
  says(tell(scene(OVERTAKEN, 3)), "with 3 iterations; after 4, 2 classes");
  assert.doesNotMatch(tell(scene(OVERTAKEN, 2)), /trained/);
  assert.doesNotMatch(tell(scene(OVERTAKEN, 3, { trained: 4 })), /trained/);
});

for (const [first, second, words] of [
  [0.54, 0.5, "A close thing: 0 with 0.540 leads 1 with 0.500."],
  [0.72, 0.54, "0 is the longest with 0.720, then 1 with 0.540."],
  [
    0.36,
    0.27,
    "None is 0.5 long…sees none of its classes; 0 is…0.360, then 1 with 0.270.",
  ],
])
  test(`of lengths ${first} and ${second} is said: ${words}`, () => {
    says(tell(scene([[first], [second], [0]], 0)), words);
  });

test("the rule of naming is told of the answer, and of no iteration before it", () => {
  const faint = [
    [0.1, 0.2, 0.3],
    [0.05, 0.05, 0.05],
    [0, 0, 0],
  ];
  for (const step of [0, 1])
    assert.doesNotMatch(tell(scene(faint, step)), /None|none of its classes/);
  assert.match(tell(scene(faint, 2)), /None is 0.5 long/);
});

test("classes whose lengths are written alike are equal", () => {
  says(tell(scene([[0.17701], [0.17699], [0]], 0)), "0 and 1 are equally long, 0.177");
  says(
    tell(scene([[0.3], [0.2001], [0.1999]], 0)),
    "0 is the longest with 0.300, then 1 and 2 with 0.200",
  );
  says(tell(scene([[0], [0], [0]], 0)), "No class has any length.");
});
