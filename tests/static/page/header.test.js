import assert from "node:assert/strict";
import { test } from "node:test";
import { byData } from "../../../static/js/page/header.js";

test("networks for the same data stand together, and else as they came", () => {
  const sets = ["mnist", "toys", "mnist", "cifar10", "toys", undefined];
  const models = sets.map((dataset, id) => ({ id, card: { dataset } }));
  assert.deepEqual(
    byData(/** @type {any} */ (models)).map(({ id }) => id),
    [0, 2, 1, 4, 3, 5],
  );
});
