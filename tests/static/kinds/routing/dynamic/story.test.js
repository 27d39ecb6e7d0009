import assert from "node:assert/strict";
import { test } from "node:test";
import { tell } from "../../../../../static/js/kinds/routing/dynamic/story.js";

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
    sharers = { voters: 0, largest: 0 },
    present = { at_most: 1, threshold: null },
  } = {},
) {
  return {
    figures: {
      lengths: () => lengths,
      spread: () => [[], [], [], largest],
      uneven: () => uneven,
      sharers: () => sharers,
      moves: () => moves ?? { raised: exactly(7), lowered: exactly(5), capsules: 1152 },
    },
    step,
    ends: NAMES,
    nouns: { one: "class", many: "classes" },
    classIndex: 0,
    name: "0",
    iterations: lengths[0].length,
    model: { class_names: NAMES, classes: 3, routing_iterations: trained, present },
  };
}

const CLEAR = [
  [0.5, 0.7, 0.9],
  [0.1, 0.1, 0.2],
  [0.2, 0.1, 0.1],
];

test("the first iteration is even, and says how long that makes the digit", () => {
  const words = tell(scene(CLEAR, 0));
  assert.match(
    words,
    /Iteration 1: .* c = 1\/3 to every class\. .* make 0 0\.500 long\./,
  );
  assert.match(words, /0 is the longest, then 2 with 0\.200\./);
});

test("capsules whose coupling is held do not split evenly", () => {
  const words = tell(scene(CLEAR, 0, { uneven: 2 }));
  assert.match(words, /to every class, except 2 with a coupling that is held\./);
});

test("a later one says what changed since the one before", () => {
  const words = tell(scene(CLEAR, 2));
  assert.match(words, /7 of 1\u202f152 capsules send more to 0, 5 send less/);
  assert.match(words, /the largest coupling is c = 0\.60 \(before: 0\.40\)/);
  assert.match(words, /0 grows from 0\.700 to 0\.900\./);
  assert.match(words, /then 1 with 0\.200\.$/);
});

test("where nothing moves, nothing is said to move", () => {
  const still = [
    [0.5, 0.5],
    [0.1, 0.1],
    [0, 0],
  ];
  const moves = { raised: exactly(0), lowered: exactly(0), capsules: 12 };
  const words = tell(scene(still, 1, { largest: [0.1, 0.1], moves }));
  assert.match(words, /no coupling to 0 moves by 0\.001 or more/);
  assert.match(words, /c = 0\.10 as before\. 0 stays 0\.500 long\./);
});

test("a digit that shrinks is said to shrink", () => {
  const words = tell(
    scene(
      [
        [0.039, 0.029],
        [0.2, 0.1],
        [0, 0],
      ],
      1,
    ),
  );
  assert.match(words, /0 shrinks from 0\.039 to 0\.029\./);
});

test("digits of one length are not told apart", () => {
  const words = tell(scene([[0.2], [0.2], [0]], 0));
  assert.match(words, /0 and 1 are equally long\./);
});

test("where every length is 0, no digit is named", () => {
  const words = tell(scene([[0], [0], [0]], 0));
  assert.match(words, / No class has any length\.$/);
});

test("a count that rounding may have changed is told as about right", () => {
  const about = (count) => ({ count, isSure: false });
  const told = (raised, lowered) =>
    tell(scene(CLEAR, 2, { moves: { raised, lowered, capsules: 1152 } }));
  assert.match(
    told(about(147), exactly(5)),
    /: about 147 of 1\u202f152 capsules send more to 0, 5 send less \(by 0\.001 or more\)/,
  );
  assert.match(
    told(about(0), about(1)),
    /: hardly any of 1\u202f152 capsules send more to 0, about 1 sends less/,
  );
});

test("of a network that can name two digits, those that are named are told as such", () => {
  const present = { at_most: 2, threshold: 0.45 };
  const told = (...lengths) =>
    tell(
      scene(
        lengths.map((each) => [each]),
        0,
        { present },
      ),
    );
  assert.match(
    told(0.5, 0.2, 0.46),
    / 0 with 0\.500 and 2 with 0\.460 are long enough to be named, then 1 with 0\.200\.$/,
  );
  assert.match(
    told(0.5, 0.2, 0.44),
    / Only 0 with 0\.500 is long enough to be named; next is 2 with 0\.440\.$/,
  );
  assert.match(
    told(0.4, 0.2, 0.3),
    / None is long enough to be named; 0 with 0\.400 is the longest, then 2 with 0\.300\.$/,
  );
});

test("a close thing is called so", () => {
  const words = tell(scene([[0.5], [0.46], [0]], 0));
  assert.match(words, /A close thing: 0 leads 1 by 0\.040\./);
});

test("a short capsule that is a third longer than the next is ahead", () => {
  const words = tell(scene([[0.36], [0.27], [0]], 0));
  assert.match(words, /0 is the longest, then 1 with 0\.270\./);
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
  assert.match(
    tell(scene(OVERTAKEN, 3)),
    /trained with 3 iterations; after 4, 2 classes/,
  );
  assert.doesNotMatch(tell(scene(OVERTAKEN, 2)), /trained/);
  assert.doesNotMatch(tell(scene(OVERTAKEN, 3, { trained: 4 })), /trained/);
});

test("how many capsules share in the digit is their effective number", () => {
  const said = (voters, largest) =>
    tell(scene(CLEAR, 2, { sharers: { voters, largest } }));
  assert.match(
    said(27.4, 0.09),
    /About 27 capsules carry 0; the strongest supplies 9\u202f% of all that is added to it\./,
  );
  assert.match(
    said(4.38, 0.47),
    /About 4\.4 capsules carry 0; the strongest supplies 47\u202f% of all that is added to it\./,
  );
  assert.match(said(1.04, 0.98), /About one capsule makes 0 this long\./);
  assert.doesNotMatch(said(0, 0), /capsules carry|About one/);
});
