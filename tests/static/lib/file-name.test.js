import assert from "node:assert/strict";
import { test } from "node:test";

import { fileName } from "../../../static/js/lib/file-name.js";

test("a file's name says what it holds", () => {
  assert.equal(
    fileName(["capsnet-mnist", "4", "trace"], "json"),
    "capsnet-mnist-4-trace.json",
  );
});

test("names keep letters of every script and nothing that a disk minds", () => {
  assert.equal(
    fileName(["T-shirt/top", "été: 1", "…"], "png"),
    "t-shirt-top-été-1.png",
  );
});
