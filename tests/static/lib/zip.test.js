import assert from "node:assert/strict";
import test from "node:test";
import { crc32, TooManyFiles, zipped } from "../../../static/js/lib/zip.js";

const bytesOf = (text) => new TextEncoder().encode(text);

test("the check sum is that of zip files", () => {
  assert.equal(crc32(bytesOf("123456789")), 0xcbf43926);
  assert.equal(crc32(new Uint8Array()), 0);
});

test("files stand in the archive as they are, and are listed at its end", async () => {
  const files = [
    { name: "a/ö.txt", file: new Blob(["hello"]) },
    { name: "b.txt", file: new Blob([]) },
  ];
  const counts = [];
  const packed = await zipped(files, (done) => counts.push(done));
  const bytes = new Uint8Array(await packed.arrayBuffer());
  const view = new DataView(bytes.buffer);
  const end = bytes.length - 22;
  assert.equal(view.getUint32(end, true), 0x06054b50);
  assert.equal(view.getUint16(end + 10, true), 2);
  let offset = view.getUint32(end + 16, true);
  for (const { name, file } of files) {
    assert.equal(view.getUint32(offset, true), 0x02014b50);
    const length = view.getUint16(offset + 28, true);
    assert.equal(view.getUint32(offset + 24, true), file.size);
    const stored = new TextDecoder().decode(
      bytes.subarray(offset + 46, offset + 46 + length),
    );
    assert.equal(stored, name);
    const local = view.getUint32(offset + 42, true);
    assert.equal(view.getUint32(local, true), 0x04034b50);
    assert.equal(view.getUint32(local + 14, true), view.getUint32(offset + 16, true));
    const start = local + 30 + length;
    const content = new TextDecoder().decode(bytes.subarray(start, start + file.size));
    assert.equal(content, await file.text());
    offset += 46 + length;
  }
  assert.equal(offset, end);
  assert.deepEqual(counts, [1, 2]);
});

test("more files than the format counts are refused", async () => {
  const file = new Blob([]);
  const files = Array.from({ length: 65_536 }, (_, i) => ({ name: `${i}`, file }));
  await assert.rejects(zipped(files), TooManyFiles);
});
