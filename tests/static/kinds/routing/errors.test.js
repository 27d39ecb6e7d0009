import assert from "node:assert/strict";
import { test } from "node:test";
import { errorsInWords } from "../../../../static/js/kinds/routing/curves.js";
import { says } from "../../fixtures.js";

const CARD = { test_images: 10000, saved_by_routing: 14, spoiled_by_routing: 1 };

test("the words say what routing saved and what it spoiled, of how many", () => {
  says(errorsInWords({ card: CARD, routing_iterations: 3 }), "14 are…3…1 only with 1.");
});

test("a card that was written before says no more than it measured", () => {
  const { test_images } = CARD;
  assert.equal(
    errorsInWords({ card: { test_images }, routing_iterations: 3 }),
    "Of 10\u202f000 test images.",
  );
});
