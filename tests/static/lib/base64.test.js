import assert from "node:assert/strict";
import { test } from "node:test";

import { fromBase64, toBase64 } from "../../../static/js/lib/base64.js";

test("bytes come back from text that is safe in a link, whatever their number", () => {
  for (let length = 0; length < 260; length++) {
    const bytes = Uint8Array.from({ length }, (_, i) => 255 - ((i * 7) % 256));
    const text = toBase64(bytes);
    assert.match(text, /^[\w-]*$/);
    assert.deepEqual(fromBase64(text), bytes);
  }
});

test("bytes are written as the standard writes them", () => {
  assert.equal(toBase64([0xfb, 0xff, 0xfe]), "-__-");
  assert.equal(toBase64([0x66, 0x6f]), "Zm8");
});

for (const text of ["A", "%%%", "é"]) {
  test(`${text} is not base64`, () => assert.equal(fromBase64(text), null));
}
