import assert from "node:assert/strict";
import { test } from "node:test";
import {
  KERNEL_SIZES,
  kept,
  WEIGHT_LIMIT,
} from "../../../../static/js/convolution/kernel/changes.js";
import {
  packKernel,
  unpackKernel,
} from "../../../../static/js/convolution/kernel/code.js";
import { toBase64 } from "../../../../static/js/lib/encoding.js";
import { seededRandom } from "../../fixtures.js";

test("any kernel comes back from its code, exactly", () => {
  const random = seededRandom(9);
  for (let round = 0; round < 200; round++) {
    const size = KERNEL_SIZES[round % KERNEL_SIZES.length];
    const reach = 2 * WEIGHT_LIMIT * random();
    const any = () => (random() < 0.3 ? 0 : reach * (random() - 0.5));
    const weights = Array.from({ length: size ** 2 }, any);
    const kernel = kept({ size, weights, bias: any() });
    const code = packKernel(kernel);
    assert.match(code, /^[\w-]+$/);
    assert.ok(code.length <= 219);
    assert.deepEqual(unpackKernel(code), kernel);
  }
});

const bytes = (count, value = 0) => toBase64(new Uint8Array(count).fill(value));

for (const [what, code] of Object.entries({
  nothing: "",
  "characters that base64 has not": "!?%",
  "a size that there is not": bytes(2 * (16 + 1)),
  "half a weight": bytes(19),
  "a million weights": bytes(2_000),
  "not-a-numbers": bytes(20, 0xff),
  infinities: toBase64(Array.from({ length: 20 }, (_, i) => (i % 2 ? 0x7c : 0))),
  "weights beyond the limit": toBase64(
    Array.from({ length: 20 }, (_, i) => (i % 2 ? 0x50 : 0)),
  ),
})) {
  test(`${what} is no kernel`, () => assert.equal(unpackKernel(code), null));
}

test("a minus zero is a zero", () => {
  const code = toBase64(Array.from({ length: 20 }, (_, i) => (i % 2 ? 0x80 : 0)));
  const { weights, bias } = unpackKernel(code);
  assert.ok([bias, ...weights].every((value) => Object.is(value, 0)));
});
