import assert from "node:assert/strict";
import { test } from "node:test";
import { matrix as network } from "../networks.js";
import { MATRIX_MODEL, made } from "./made.js";

/** What a unit of a layer sees. */
const fieldIn = (id, row, column) =>
  network.views
    .find((view) => view.id === id)
    .see(made().own.get())
    .layer.field(MATRIX_MODEL, row, column);

test("fields begin at pixel 2 and grow with the layers", () => {
  assert.deepEqual(fieldIn("primary", 0, 0), { row: 2, column: 2, size: 5 });
  assert.deepEqual(fieldIn("caps1", 0, 0), { row: 2, column: 2, size: 9 });
  assert.deepEqual(fieldIn("caps2", 0, 0), { row: 2, column: 2, size: 17 });
  // The last one ends where the reading ends: pixel 26 of 27.
  assert.deepEqual(fieldIn("primary", 10, 10), { row: 22, column: 22, size: 5 });
  assert.deepEqual(fieldIn("caps2", 2, 1), { row: 10, column: 6, size: 17 });
});
