import assert from "node:assert/strict";
import { test } from "node:test";
import { experiments } from "../../../../../static/js/kinds/routing/dynamic/experiments.js";
import { sharesByType } from "../../../../../static/js/kinds/routing/dynamic/sums.js";
import {
  changeInWords,
  countedLengths,
  isIntact,
  isSameSurgery,
  NO_SURGERY,
  strongestTypes,
  surgeryInWords,
  withoutPins,
  withPins,
  withSilence,
} from "../../../../../static/js/kinds/routing/surgery/changes.js";
import { answerInWords } from "../../../../../static/js/kinds/routing/surgery/words.js";
import { says, tensor } from "../../../fixtures.js";

const PIN = { capsule: 7, classIndex: 4, coupling: 0.5 };

test("who may speak again is no longer silent; nobody else changes", () => {
  const before = { ...NO_SURGERY, silenced: [3, 5, 20], pins: [PIN] };
  assert.deepEqual(withSilence(before, [5, 6], false), {
    ...before,
    silenced: [3, 20],
  });
  assert.deepEqual(before.silenced, [3, 5, 20]);
});

test("a capsule holds one coupling: the one that was put last", () => {
  const first = withPins(NO_SURGERY, [PIN]);
  const second = withPins(first, [{ ...PIN, classIndex: 9, coupling: 1 }]);
  assert.deepEqual(second.pins, [{ ...PIN, classIndex: 9, coupling: 1 }]);
  assert.deepEqual(withoutPins(second, [7]), NO_SURGERY);
  assert.deepEqual(withoutPins(second, [8]), second);
});

test("a silent capsule is heard as none; what it found stays", () => {
  const lengths = tensor([2, 1, 2], [0.5, 0.25, 0.75, 1]);
  assert.deepEqual([...countedLengths(lengths, [0, 3]).data], [0, 0.25, 0.75, 0]);
  assert.deepEqual([...lengths.data], [0.5, 0.25, 0.75, 1]);
  assert.equal(countedLengths(lengths, []), lengths);
});

test("two surgeries are the same when they change the same", () => {
  const surgery = { silenced: [1, 2], routing: "uniform", pins: [PIN] };
  const copy = { ...surgery, silenced: [1, 2], pins: [{ ...PIN }] };
  assert.equal(isSameSurgery(surgery, copy), true);
  for (const other of [
    { ...surgery, silenced: [1, 3] },
    { ...surgery, silenced: [1] },
    { ...surgery, routing: "agreement" },
    { ...surgery, pins: [] },
    { ...surgery, pins: [{ ...PIN, coupling: 0.25 }] },
  ])
    assert.equal(isSameSurgery(surgery, other), false);
});

const TOLD = { types: 5, cells: 3, names: ["one", "two", "three", "four", "five"] };

const ofType = (type, coupling) =>
  [0, 1, 2].map((cell) => ({ capsule: 3 * type + cell, classIndex: 4, coupling }));

for (const [words, surgery] of [
  ["Nothing is changed.", {}],
  ["1 capsule is silent.", { silenced: [4] }],
  ["Type 1 is silent.", { silenced: [3, 4, 5] }],
  ["Types 0 and 2 and 1 capsule are silent.", { silenced: [0, 1, 2, 5, 6, 7, 8] }],
  ["4 types are silent.", { silenced: range(0, 11) }],
  ["No routing.", { routing: "uniform" }],
  ["Coupling of capsule 7 to five held at 0.50.", { pins: [PIN] }],
  ["Couplings of type 2 to five held at 1.00.", { pins: ofType(2, 1) }],
  ["Couplings of type 2 to five even (0.20).", { pins: ofType(2, 0.2) }],
  [
    "1 capsule is silent; no routing; 4 couplings held.",
    {
      silenced: [1],
      routing: "uniform",
      pins: [3, 5, 7, 8].map((capsule) => ({ ...PIN, capsule })),
    },
  ],
]) {
  test(`in words: ${words}`, () => {
    assert.equal(surgeryInWords({ ...NO_SURGERY, ...surgery }, TOLD), words);
  });
}

for (const [words, before, after] of [
  ["type 1 silent", {}, { silenced: [3, 4, 5] }],
  ["type 2 silent", { silenced: [3, 4, 5] }, { silenced: range(3, 8) }],
  ["type 1 speaking again", { silenced: range(3, 8) }, { silenced: [6, 7, 8] }],
  ["all back", { silenced: [3] }, {}],
  ["no routing", {}, { routing: "uniform" }],
  ["routing again", { silenced: [1], routing: "uniform" }, { silenced: [1] }],
  ["couplings of type 2 to five held at 0.00", {}, { pins: ofType(2, 0) }],
  [
    "no routing; type 1 silent; couplings of type 2 to five held at 0.00",
    {},
    { routing: "uniform", silenced: [3, 4, 5], pins: ofType(2, 0) },
  ],
  ["couplings let go", { silenced: [1], pins: [PIN] }, { silenced: [1] }],
])
  test(`a step is called: ${words}`, () => {
    const [from, to] = [before, after].map((patch) => ({ ...NO_SURGERY, ...patch }));
    assert.equal(changeInWords(from, to, TOLD), words);
  });

// Eight types of 2 x 2 capsules; the lengths fall from the first capsule to the last.
const INTACT = {
  shares: [0.05, 0.4, -0.1, 0.3, 0.2, 0.1, 0.04, 0.01],
  lengths: Array.from({ length: 32 }, (_, i) => 1 - i / 32),
  rows: 2,
  columns: 2,
  name: "four",
  capsule: 9,
  rival: { classIndex: 7, name: "seven" },
};

/** The experiment whose name begins so. */
function find(name, patch = {}) {
  const matches = experiments({ ...INTACT, ...patch }).filter((experiment) =>
    experiment.name.startsWith(name),
  );
  assert.equal(matches.length, 1);
  return matches[0];
}

function range(first, last) {
  return Array.from({ length: last - first + 1 }, (_, i) => first + i);
}

test("shares of types are of all that is added, and those who take away have less than none", () => {
  const shares = sharesByType([1, 2, -1, -1, 3, 4], 3);
  assert.deepEqual([...shares], [3 / 10, -2 / 10, 7 / 10]);
  assert.deepEqual([...sharesByType([0, 0, 0, 0], 2)], [0, 0]);
});

test("the quiet half and the loud tenth go by length", () => {
  assert.deepEqual(find("Silence the quiet").surgery.silenced, range(16, 31));
  assert.deepEqual(find("Silence the loud").surgery.silenced, [0, 1, 2]); // 3.2 of 32
  const lengths = INTACT.lengths.toReversed();
  const { silenced } = find("Silence the loud", { lengths }).surgery;
  assert.deepEqual(silenced, [29, 30, 31]);
});

test("the strongest types are silenced one after the other", () => {
  assert.deepEqual(strongestTypes(INTACT.shares, 0, 2), []);
  assert.deepEqual(strongestTypes(INTACT.shares, 2, 2), [2, 3, 6, 7]);
  assert.deepEqual(strongestTypes(INTACT.shares, 8, 2), range(0, 15));
});

const run = (lengths) => ({
  prediction: lengths.indexOf(Math.max(...lengths)),
  tensors: { scores: tensor([2], lengths) },
});

const ONE = { at_most: 1, threshold: null };

const CUT = { ...NO_SURGERY, routing: "uniform" };
const TWO = { at_most: 2, threshold: 0.5 };

for (const [before, after, words, surgery = CUT, present = ONE] of [
  [[0.9, 0.2], [0.9, 0.2], "The network reads four: length 0.900.", NO_SURGERY],
  [[0.9, 0.2], [0.5, 0.2], "still reads four; the…four goes from 0.900 to 0.500."],
  [[0.9, 0.2], [0.9001, 0.3], "still reads four; the length of four stays 0.900."],
  [[0.9, 0.2], [0.1, 0.75], "now reads nine…0.750; the…four goes from 0.900 to 0.100."],
  [[0.9, 0.2], [0, 0], "now sees none…every length is 0; …0.900 to 0.000."],
  [[0.9, 0.2], [0.1, 0.3], "now sees none…longest, nine, has 0.300…0.900 to 0.100."],
  [[0.4, 0.2], [0.3, 0.2], "still sees none…four, has 0.300…from 0.400 to 0.300."],
  [[0.4, 0.2], [0.4, 0.2], "sees none…the longest, four, has 0.400.", NO_SURGERY],
  [[0.9, 0.8], [0.9, 0.8], "reads four and nine: lengths 0.900…", NO_SURGERY, TWO],
  [[0.4, 0.3], [0.4, 0.3], "sees none…the longest, four, has 0.400.", NO_SURGERY, TWO],
  [[0.9, 0.8], [0.7, 0.95], "still reads nine and four…0.700…to 0.950.", CUT, TWO],
  [[0.9, 0.8, 0], [0.9, 0.4, 0.6], "now reads four and one…0.900…0.400.", CUT, TWO],
  [[0.9, 0.2], [0.3, 0.2], "now sees none…four goes from 0.900 to 0.300.", CUT, TWO],
])
  test(`lengths of ${before}, then ${after}: ${words}`, () => {
    const model = { class_names: ["four", "nine", "one"], scores: "length", present };
    const [intact, changed] = [before, after].map(run);
    says(answerInWords({ model, surgery, intact, changed }), words);
  });

test("silent capsules are ascending and each there once", () => {
  const surgery = withSilence({ ...NO_SURGERY, silenced: [5, 100] }, [20, 5, 3], true);
  assert.deepEqual(surgery.silenced, [3, 5, 20, 100]);
});

test("every experiment changes something, and no two the same", () => {
  const all = experiments(INTACT).map(({ surgery }) => surgery);
  assert.ok(all.every((surgery) => !isIntact(surgery)));
  assert.equal(
    new Set(all.map((experiment) => JSON.stringify(experiment))).size,
    all.length,
  );
});
