import assert from "node:assert/strict";
import { test } from "node:test";
import {
  anythingInWords,
  lengthsInWords,
  patchesOf,
} from "../../../../static/js/kinds/capsules/portrait.js";
import { says, tensor } from "../../fixtures.js";

test("mean lengths are those of the type, or of a capsule alone", () => {
  const lengths = tensor([2, 2], [0.1, 0.9, 0.25, 0.75]);
  says(lengthsInWords({ lengths }, 1), "mean length of 0.25…of 0.75.");
  says(
    lengthsInWords({ lengths }, 1, true),
    "length is 0.25 over…0.75 over the 1000 images",
  );
});

test("a type that answers to anything says so, with its figure; another says nothing", () => {
  const lengths = tensor([2, 2], [0.1, 0.9, 0.6, 0.75]);
  const model = { card: { anything: { ratio: 0.4, types: [1], share: 0.7 } } };
  says(
    anythingInWords({ lengths }, model, 1, false),
    "anything: the mean length of its capsules is 80 % of that of the longest.",
  );
  says(anythingInWords({ lengths }, model, 1, true), "80 % of that where it is");
  assert.equal(anythingInWords({ lengths }, model, 0, false), "");
  assert.equal(anythingInWords({ lengths }, { card: {} }, 1, false), "");
});

test("patches are those of the type", () => {
  const decoded = tensor([2, 2, 1, 1], [0.1, 0.2, 0.5, 1]);
  const { count, data } = patchesOf({ decoded }, 1);
  assert.deepEqual([count, ...data], [2, 0.5, 1]);
});
