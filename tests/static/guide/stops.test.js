import assert from "node:assert/strict";
import { test } from "node:test";

import {
  linkOf,
  nameOf,
  readStop,
  stopNamed,
  stopsOf,
  writeStop,
} from "../../../static/js/guide/stops.js";

const step = (id) => ({ id, title: id, text: [], link: `view=${id}`, ring: "body" });
const CHAPTERS = [
  { id: "01-first", steps: [step("a"), step("b")] },
  { id: "02-second", steps: [step("a")] },
];
const STOPS = stopsOf(CHAPTERS);

test("each chapter's steps come before its debate and its question", () => {
  assert.deepEqual(STOPS.map(nameOf), [
    "01-first/a",
    "01-first/b",
    "01-first/argued",
    "01-first/quiz",
    "02-second/a",
    "02-second/argued",
    "02-second/quiz",
  ]);
});

test("a stop after the steps stands in the state of the last one", () => {
  assert.equal(linkOf(STOPS[0]), "view=a");
  assert.equal(linkOf(STOPS[3]), "view=b");
});

test("a name that a chapter lacks leads to the chapter's beginning", () => {
  assert.equal(stopNamed(STOPS, "01-first/b"), STOPS[1]);
  assert.equal(stopNamed(STOPS, "02-second/gone"), STOPS[4]);
  assert.equal(stopNamed(STOPS, "03-none/a"), null);
  assert.equal(stopNamed(STOPS, null), null);
});

test("the address keeps whatever else it says", () => {
  assert.equal(writeStop("?present=2", "01-first/a"), "?present=2&guide=01-first/a");
  assert.equal(readStop("?present=2&guide=01-first/a"), "01-first/a");
  assert.equal(writeStop("?present=2&guide=01-first/a", null), "?present=2");
  assert.equal(writeStop("?guide=01-first/a", null), "");
  assert.equal(readStop(""), null);
});
