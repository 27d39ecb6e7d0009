import assert from "node:assert/strict";
import { test } from "node:test";
import { usualData } from "../../../static/js/train/index.js";
import "./made.js"; // which names the networks

const MNIST = {
  name: "mnist",
  title: "MNIST",
  ready: false,
};
test("runs learn from drawn digits only where MNIST is missing", () => {
  const drawn = { ...MNIST, name: "drawn", ready: true };
  assert.equal(usualData({ datasets: [MNIST, drawn] }), "drawn");
  assert.equal(usualData({ datasets: [{ ...MNIST, ready: true }, drawn] }), "mnist");
});
