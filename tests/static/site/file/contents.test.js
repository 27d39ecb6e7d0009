import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { gzipSync } from "node:zlib";

import { filesOf } from "../../../../static/js/site/file/contents.js";

const LETTERS = [...Array(94).keys()]
  .map((index) => String.fromCharCode(33 + index))
  .filter((letter) => !'"&<'.includes(letter));

/** A text as the page holds it, bit by bit. @param {string} body */
function packed(body) {
  const small = gzipSync(body);
  const bits = [...small].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  const whole = bits.padEnd(Math.ceil(bits.length / 104) * 104, "0");
  const pairs = whole.match(/.{13}/g).map((bits) => Number.parseInt(bits, 2));
  const text = pairs.map((n) => LETTERS[Math.floor(n / 91)] + LETTERS[n % 91]).join("");
  return { text, packed: small.length, bytes: body.length, width: 1 };
}

const BODY = '{"models": ["one", "two", "one", "two"]}';
const HELD = packed(BODY);
const PAGE = {
  "a.json": { packed: HELD },
  "torn.json": { isTorn: true },
  "changed.json": { packed: { ...HELD, text: HELD.text.replaceAll("!", "~") } },
  "short.json": { packed: { ...HELD, text: HELD.text.slice(0, 32) } },
  "longer.json": { packed: { ...HELD, bytes: BODY.length + 1 } },
  "shorter.json": { packed: { ...HELD, bytes: BODY.length - 1 } },
};

/** @type {MessageChannel} */
let channel;
let files;

beforeEach(() => {
  channel = new MessageChannel();
  channel.port1.onmessage = ({ data: name }) =>
    channel.port1.postMessage({ name, ...(PAGE[name] ?? { packed: null }) });
  files = filesOf({ port: channel.port2 });
});

afterEach(() => channel.port1.close());

test("a worker has what its page holds, however often it asks", async () => {
  const parts = [];
  const onPart = (part) => parts.push(part);
  const all = [1, 2].map(() => files.load("a.json", { onPart }));
  for (const bytes of await Promise.all(all))
    assert.equal(new TextDecoder().decode(bytes), BODY);
  assert.deepEqual(parts.at(-1), { loaded: BODY.length, total: BODY.length });
  assert.deepEqual(await files.json("a.json"), JSON.parse(BODY));
});

test("what the page does not have is absent, as on any site", async () => {
  await assert.rejects(files.load("b.json"), { kind: "absent", status: 404 });
});

for (const name of Object.keys(PAGE).slice(1))
  test(`a file is said to be damaged where it is: ${name}`, async () => {
    await assert.rejects(files.load(name), {
      kind: "torn",
      message: new RegExp(`damaged, or was cut short .* “${name}” cannot be read`),
    });
  });
