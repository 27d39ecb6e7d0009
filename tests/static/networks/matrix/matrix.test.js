import assert from "node:assert/strict";
import { test } from "node:test";
import { linking } from "../../linking.js";
import { matrix as network } from "../networks.js";
import { MATRIX_MODEL, made } from "./made.js";

const { start, written, read } = linking(network.schema(MATRIX_MODEL));

test("whatever is chosen comes back", () => {
  const chosen = {
    ...start,
    iterations: 5,
    step: 2,
    routed: "caps1",
    primary: 967,
    caps1: 199,
    caps2: 0,
    entry: 15,
    map: 63,
    edits: { 4: Array.from({ length: 16 }, (_, i) => (i === 3 ? -1.25 : 0)) },
  };
  const found = read(written(chosen));
  assert.deepEqual(found, chosen);
});

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
