import assert from "node:assert/strict";
import { test } from "node:test";
import { addressOf, lacks } from "../../../static/js/core/lacks.js";

/** @param {string | undefined} said @param {() => void} job */
function onPage(said, job) {
  const before = globalThis.document;
  // @ts-expect-error: as much of a document as is asked for
  globalThis.document = { documentElement: { dataset: { lacks: said } } };
  try {
    job();
  } finally {
    globalThis.document = before;
  }
}

test("a page of a server lacks nothing", () => {
  onPage(undefined, () => {
    assert.equal(lacks("server"), false);
    assert.equal(lacks("atlas"), false);
    assert.equal(addressOf("claims"), "claims");
  });
});

test("a site lacks what its pages say, and its pages are files", () => {
  onPage("server", () => {
    assert.equal(lacks("server"), true);
    assert.equal(lacks("atlas"), false);
    assert.equal(addressOf("claims"), "claims.html");
  });
  onPage("server atlas", () => assert.equal(lacks("atlas"), true));
});
