import assert from "node:assert/strict";
import { test } from "node:test";
import { pairOn } from "../../../static/js/core/pair.js";
import { MODEL, randomPixels, seededRandom } from "../fixtures.js";

const random = seededRandom(8);
const SAMPLES = [4, 4, 9].map((label, at) => ({
  id: `${label}-${at}`,
  label,
  pixels: randomPixels(random),
}));

test("an example is laid beside one of another label", () => {
  const { pixels, source } = pairOn("4-1", MODEL, SAMPLES);
  const [one, other] = source.digits;
  assert.equal(one.pixels, SAMPLES[1].pixels);
  assert.deepEqual([one.label, other.label], [4, 9]);
  assert.ok(one.right < other.right);
  assert.equal(pixels.bytes.length, SAMPLES[0].pixels.bytes.length);
  const most = pixels.bytes.every((byte, at) => {
    const column = at % pixels.columns;
    const from = column - one.right;
    const own =
      from >= 0 && from < pixels.columns ? one.pixels.bytes[at - one.right] : 0;
    return byte >= own;
  });
  assert.ok(most); // the ink of both
});
