import assert from "node:assert/strict";
import { test } from "node:test";
import { problemOf } from "../../../static/js/bench/upload.js";

const MOST = 20 * 2 ** 20;

test("a file that can be sent has no problem", () => {
  assert.equal(problemOf({ name: "a.png", size: 1 }, MOST), null);
  assert.equal(problemOf({ name: "a.png", size: MOST }, MOST), null);
});

test("an empty file and one too large are named, in MB", () => {
  assert.match(problemOf({ name: "a.png", size: 0 }, MOST), /“a.png” is empty/);
  const just = problemOf({ name: "a.png", size: MOST + 1 }, MOST);
  assert.match(just, /has 20\.1 MB; .* at most 20 MB/);
  assert.match(problemOf({ name: "b", size: 64 * 2 ** 20 }, MOST), /has 64 MB/);
});
