import assert from "node:assert/strict";
import { test } from "node:test";

import { kept } from "../../../../static/js/convolution/kernel/changes.js";
import { preset } from "../../../../static/js/convolution/kernel/presets.js";
import { readSlice, writeSlice } from "../../../../static/js/networks/cnn/link.js";
import { initialSlice } from "../../../../static/js/networks/cnn/state.js";
import { CNN } from "./made.js";

const START = initialSlice(CNN);

function written(patch) {
  const link = new URLSearchParams();
  writeSlice(link, { ...START, ...patch }, CNN);
  return link;
}

/** What a link says, on top of the start. */
function read(text) {
  return { ...START, ...readSlice(new URLSearchParams(text), CNN) };
}

test("where nothing is chosen a link says nothing", () => {
  assert.equal(written({}).toString(), "");
  assert.deepEqual(read(""), START);
});

test("what is chosen and how it is looked at comes back", () => {
  const chosen = {
    map: 31,
    pixel: 575,
    map2: 63,
    pixel2: 0,
    unit: 511,
    centre: 783,
    conv1: { shown: "own", order: "energy", scale: "layer" },
    conv2: { shown: "kernels", order: "number", scale: "tile" },
    beneath: { shown: "products", order: "number" },
    pooling: { shown: "lost", order: "lost" },
    shift: { down: -2, right: 1 },
    units: { shown: "given", order: "given" },
    inputs: { shown: "window", order: "number" },
    kernel: kept(preset("box", 5)),
  };
  const link = written(chosen);
  assert.equal(link.get("map2"), "63");
  assert.deepEqual(read(link), { ...START, ...chosen });
});

for (const [text, why] of [
  ["map=32", "there are 32 maps"],
  ["pixel=576", "a map has 576 pixels"],
  ["map2=64", "there are 64 maps"],
  ["pixel2=64", "a map has 64 pixels"],
  ["pixel2=-1", "nothing is below 0"],
  ["unit=512", "there are 512 units"],
  ["maps2=own", "Conv2 takes no kernel of one's own"],
  ["moved=3,0", "nothing moves further than 2 pixels"],
  ["moved=0,0", "that is where it stands"],
  ["beneath=sideways&order2=size", "there are no such choices"],
]) {
  test(`${text} is as if it were not said: ${why}`, () => {
    assert.deepEqual(read(text), START);
  });
}
