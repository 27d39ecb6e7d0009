import assert from "node:assert/strict";
import { test } from "node:test";
import { usualData } from "../../../static/js/train/index.js";
import {
  offerWords,
  progressWords,
  realWords,
  sizeWords,
} from "../../../static/js/train/missing.js";
import { says } from "../fixtures.js";
import "./made.js"; // which names the networks

const MNIST = {
  ...{ name: "mnist", title: "MNIST", ready: false, download_bytes: 11_594_722 },
  ...{ hosts: ["school.example", "other.example"], real: {} },
};
const DOWNLOAD = {
  dataset: "mnist",
  bytes: 2_000_000,
  total: 11_594_722,
  message: null,
};

test("an offer tells size and server before anything is asked for", () => {
  assert.equal(sizeWords(MNIST.download_bytes), "11.6 MB");
  assert.match(offerWords(MNIST), /11\.6 MB from school\.example\./);
});

test("a download tells what has come, and how it ended", () => {
  const words = (change) => progressWords({ ...DOWNLOAD, ...change });
  assert.equal(words({ state: "none" }), "");
  assert.equal(words({ state: "running" }), "2.0 MB of 11.6 MB have come.");
  assert.match(words({ state: "done" }), /every file is right/);
  assert.match(words({ state: "stopped" }), /cancelled, and what had come is deleted/);
  assert.equal(
    words({ state: "failed", message: "could not download MNIST" }),
    "Could not download MNIST.",
  );
});

test("how drawn digits prepare for real ones is told from what was measured", () => {
  const real = {
    capsnet: { wrong: 439, images: 10_000 },
    cnn: { wrong: 555, images: 10_000 },
  };
  says(realWords(real), "a small CapsNet reads 95.6 %…a small CNN reads 94.5 %…10 000");
  assert.equal(realWords({}), "");
});

test("runs learn from drawn digits only where MNIST is missing", () => {
  const drawn = { ...MNIST, name: "drawn", ready: true };
  assert.equal(usualData({ datasets: [MNIST, drawn] }), "drawn");
  assert.equal(usualData({ datasets: [{ ...MNIST, ready: true }, drawn] }), "mnist");
});
