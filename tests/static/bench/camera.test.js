import assert from "node:assert/strict";
import { test } from "node:test";
import { failureWords, framed } from "../../../static/js/bench/camera.js";

test("what is read is the middle of the picture, as large as the frame", () => {
  assert.deepEqual(framed(640, 480), { left: 128, top: 48, side: 384 });
  assert.deepEqual(framed(480, 640), { left: 48, top: 128, side: 384 });
});

test("where there is no picture, a sentence says why and what to do", () => {
  const words = (name) => failureWords(new DOMException("", name));
  assert.match(words("NotAllowedError"), /allow it in the browser/);
  assert.match(words("NotFoundError"), /no camera here/);
  assert.match(words("NotReadableError"), /another program/);
  assert.match(words("SomethingElse"), /gives no picture/);
  assert.match(failureWords(new Error("x")), /gives no picture/);
});
