import assert from "node:assert/strict";
import { test } from "node:test";

import { flowsOf } from "../../../static/js/overview/flows.js";
import { sentence } from "../../../static/js/overview/words.js";
import { says } from "../fixtures.js";
import { COLUMN, RIVER, SCENE } from "./scene.js";

const say = (scene, { step = scene.step, focus = null } = {}) => {
  const { head, rest } = sentence({ scene, flows: flowsOf(scene), step, focus });
  return head + rest;
};

test("a clear verdict tells how few types give nearly all, and what routing did", () => {
  // 3 and 0.5 of 3.5: one gives 0.86 of it, two give all. First 0.6 in sum, now 3.5.
  says(
    say(SCENE),
    "A. Nine tenths of what speaks for it come from 2 of the 2 parts looked for (capsule types); routing multiplied the length of the sum of its votes by 5.8. Length 0.900.",
  );
});

test("of more than five parts it is told what the five largest give", () => {
  // Eight parts give 1 each to a: five of them 62.5 %.
  const parts = Array.from({ length: 8 }, (_, at) => at);
  const amounts = Float32Array.from(parts.flatMap(() => [1, 0, 0]));
  const river = { ...RIVER, steps: 1, parts: 8, places: 1, amounts };
  const column = { ...COLUMN, count: 8, numbers: parts, columns: 1 };
  const classes = { ...SCENE.classes, scores: Float32Array.of(0.9, 0.1, 0.1) };
  const own = { columns: [column], rivers: [river], classes };
  const scene = { ...SCENE, ...own, steps: 1, step: 0 };
  says(
    say(scene),
    "A. Five of the 8 parts looked for (capsule types) give 63 % of what speaks for it. Length 0.900.",
  );
});

test("a class in focus is told of, whatever the verdict", () => {
  says(
    say(SCENE, { focus: 1 }),
    "B. Nine tenths of what speaks for it come from 1 of the 2…Length 0.100.",
  );
});

test("a runner-up that is near is named, with who gives most to each", () => {
  const scores = Float32Array.of(0, 0, 0, 0.7, 0.1, 0.6);
  const near = { ...SCENE, classes: { ...SCENE.classes, scores } };
  assert.equal(
    say(near),
    "A, length 0.700 against 0.600 of c. Type 0 gives most to a. 2 capsule types give c the same, and none gives it more.",
  );
});

test("two that are present are named, each with the type that gives most to it", () => {
  const saying = { ...SCENE.saying, present: { at_most: 2, threshold: 0.1 } };
  const scores = Float32Array.of(0, 0, 0, 0.9, 0.15, 0.05);
  const two = { ...SCENE, saying, classes: { ...SCENE.classes, scores } };
  says(say(two), "A and b, lengths 0.900 and 0.150. Type 0…to a and type 1 to b.");
});

test("where no class is present, none is said to be", () => {
  const scores = Float32Array.of(0, 0, 0, 0.4, 0.1, 0.3);
  const none = { ...SCENE, classes: { ...SCENE.classes, scores } };
  says(
    say(none),
    "None. No length reaches 0.5; the longest, a, has 0.400. Nine tenths of what speaks for a come from 2 of the 2",
  );
});

test("beside another network, one line has room", () => {
  const shown = { scene: SCENE, flows: flowsOf(SCENE), step: 1, focus: null };
  const { rest } = sentence({ ...shown, isBrief: true });
  says(
    rest,
    ". 2 of 2 capsule types give nine tenths of what speaks for it. Length 0.900.",
  );
});
