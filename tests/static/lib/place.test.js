import assert from "node:assert/strict";
import { afterEach, test } from "node:test";

import { cover, put, search, uncover } from "../../../static/js/lib/place.js";

const { location, history } = globalThis;

/** A page at an address, whose history notes what is put into it. @param {string} address */
function at(address) {
  const noted = [];
  globalThis.location = new URL(address);
  const note = (how) => (_, __, to) => noted.push([how, String(to)]);
  globalThis.history = { pushState: note("push"), replaceState: note("replace") };
  return noted;
}

afterEach(() => Object.assign(globalThis, { location, history }));

test("an address is put as it is, where there is one", () => {
  const noted = at("file:///a/page.html?guide=one#view=input");
  put("#view=routing");
  put("/a/page.html?guide=two#view=input", true);
  assert.deepEqual(noted, [
    ["replace", "#view=routing"],
    ["push", "/a/page.html?guide=two#view=input"],
  ]);
  assert.equal(search(), "?guide=one");
});

test("what lies over the explorer has the address, and gives it back as it is by then", () => {
  const noted = at("file:///a/page.html#view=input");
  cover("#page=guide");
  put("#view=routing");
  cover("#page=claims");
  uncover();
  put("#view=classes");
  assert.deepEqual(noted, [
    ["push", "#page=guide"],
    ["replace", "#page=claims"],
    ["replace", "#view=routing"],
    ["replace", "#view=classes"],
  ]);
});

test("in a frame that has no address, the hash is its own and the query is kept", () => {
  const noted = at("about:srcdoc");
  assert.equal(search(), "");
  put("srcdoc?guide=one#view=input", true);
  assert.equal(search(), "?guide=one");
  put("#view=routing");
  assert.equal(search(), "?guide=one");
  put("srcdoc");
  assert.equal(search(), "");
  assert.deepEqual(noted, [
    ["push", "about:srcdoc#view=input"],
    ["replace", "about:srcdoc#view=routing"],
    ["replace", "about:srcdoc#"],
  ]);
});
