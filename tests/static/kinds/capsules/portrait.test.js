import assert from "node:assert/strict";
import { test } from "node:test";
import {
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

test("patches are those of the type", () => {
  const decoded = tensor([2, 2, 1, 1], [0.1, 0.2, 0.5, 1]);
  const { count, data } = patchesOf({ decoded }, 1);
  assert.deepEqual([count, ...data], [2, 0.5, 1]);
});
