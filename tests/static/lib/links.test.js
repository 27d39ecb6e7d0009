import assert from "node:assert/strict";
import { test } from "node:test";
import {
  readSwitches,
  withParameter,
  writeSwitches,
} from "../../../static/js/lib/links.js";

const SWITCHES = {
  shown: { name: "maps", values: ["kernels", "relu"] },
  order: { name: "order", values: ["number", "energy"] },
};
const START = { shown: "relu", order: "number" };

test("only what differs from the start is written, under its name in links", () => {
  const link = new URLSearchParams("map=3");
  writeSwitches(link, SWITCHES, { shown: "kernels", order: "number" }, START);
  assert.equal(link.toString(), "map=3&maps=kernels");
});

test("what a link says is read, the rest is as at the start", () => {
  const link = new URLSearchParams("order=energy&shown=kernels");
  assert.deepEqual(readSwitches(link, SWITCHES, START), {
    shown: "relu",
    order: "energy",
  });
});

test("a value that a switch does not have is as if it were not said", () => {
  const link = new URLSearchParams("maps=own&order=energy");
  assert.deepEqual(readSwitches(link, SWITCHES, START), {
    shown: "relu",
    order: "energy",
  });
});

test("a parameter before the # is said and taken away, and others stay", () => {
  assert.equal(withParameter("?a=1", "guide", "01/x"), "?a=1&guide=01/x");
  assert.equal(withParameter("?a=1&guide=01/x", "guide", null), "?a=1");
  assert.equal(withParameter("?guide=01/x", "guide", null), "");
});
