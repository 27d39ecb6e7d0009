import assert from "node:assert/strict";
import { test } from "node:test";
import {
  EMPTY,
  isDot,
  keepSheets,
  keptSheets,
  Sheets,
  sheetOf,
  sourceOf,
  withStroke,
} from "../../../static/js/bench/sheet.js";
import { History } from "../../../static/js/lib/history.js";
import { AUTOMATIC } from "../../../static/js/lib/overrides.js";
import { grey } from "../fixtures.js";

const SAMPLE = { kind: "sample", id: "a4", label: 4, title: "a four" };
const UPLOAD = { kind: "upload", name: "four.png" };
const PIXELS = grey(Array.from({ length: 784 }, (_, i) => i % 256));
const DOT = [{ x: 10, y: 10 }];
const LINE = [
  { x: 10, y: 10 },
  { x: 10, y: 200 },
];

function shown(source = SAMPLE, more = {}) {
  return { pixels: PIXELS, source, intake: null, overrides: AUTOMATIC, ...more };
}

test("a stroke keeps the image, and every further one the source", () => {
  const image = sheetOf(shown());
  const one = withStroke(image, LINE);
  const two = withStroke(one, DOT);
  assert.equal(two.base, image.base);
  assert.deepEqual(two.strokes, [LINE, DOT]);
  assert.deepEqual(sourceOf(one), { kind: "drawing", on: SAMPLE });
  assert.equal(sourceOf(one), sourceOf(two));
  assert.deepEqual(image.strokes, []);
});

test("what one hand does to two digits is undone together", () => {
  const sheets = new Sheets(() => {});
  const follow = (turn) =>
    sheets.follow(shown({ kind: "pair", digits: [null, null], turn }));
  for (const turn of [1, 1, 1, 2, 2]) follow(turn);
  assert.equal(sheets.now.base.source.turn, 2);
  sheets.undo();
  assert.equal(sheets.now.base.source.turn, 1);
  sheets.undo();
  assert.equal(sheets.now, EMPTY);
});

test("a dot is no digit on nothing, and is ink on an image", () => {
  assert.ok(isDot(withStroke(EMPTY, DOT)));
  assert.ok(!isDot(withStroke(EMPTY, LINE)));
  assert.ok(!isDot(withStroke(sheetOf(shown()), DOT)));
  assert.ok(!isDot(EMPTY));
});

/** A tab with a memory. */
function inTab(t, hash = "#view=input") {
  const memory = new Map();
  Object.assign(globalThis, {
    location: { hash },
    sessionStorage: {
      getItem: (name) => memory.get(name) ?? null,
      setItem: (name, text) => memory.set(name, text),
    },
  });
  t.after(() => {
    for (const name of ["location", "sessionStorage"]) delete globalThis[name];
  });
  return memory;
}

test("sheets outlive the page at the same address, and only there", (t) => {
  inTab(t);
  const image = sheetOf(shown());
  const history = new History([image, withStroke(image, LINE), EMPTY], 1);
  keepSheets(history);
  assert.deepEqual(keptSheets(), history.excerpt(20));
  globalThis.location.hash = "#view=routing";
  assert.equal(keptSheets(), null);
});

test("of an upload the image is kept", (t) => {
  inTab(t);
  keepSheets(new History([sheetOf(shown(UPLOAD))]));
  const [{ base }] = keptSheets().values;
  assert.deepEqual(base.pixels, PIXELS);
  assert.deepEqual(base.source, { kind: "link" });
});

for (const text of ["", "{", "null", '{"hash":"#view=input"}']) {
  test(`a damaged memory is none: ${text}`, (t) => {
    inTab(t).set("sheets", text);
    assert.equal(keptSheets(), null);
  });
}
for (const sheets of [
  [{}],
  [{ strokes: [[]] }],
  [{ strokes: [], base: { side: 28 } }],
]) {
  test(`damaged sheets are none: ${JSON.stringify(sheets)}`, (t) => {
    inTab(t).set("sheets", JSON.stringify({ hash: "#view=input", at: 0, sheets }));
    assert.equal(keptSheets(), null);
  });
}
