import assert from "node:assert/strict";
import { test } from "node:test";
import { refusalWords } from "../../../static/js/train/stored.js";

test("what cannot be used is named, with the reason", () => {
  assert.equal(
    refusalWords("run", { id: "3f2a9c01", reason: "request.json is not JSON" }),
    "The run 3f2a9c01 cannot be used: request.json is not JSON.",
  );
});
