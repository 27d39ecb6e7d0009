import assert from "node:assert/strict";
import { test } from "node:test";

import { channelsIn, factsWords, inkIn } from "../../../static/js/input/facts.js";
import { pixelsOf } from "../../../static/js/lib/pixels.js";

test("ink is framed, weighed and counted", () => {
  const bytes = new Uint8Array(20);
  [bytes[6], bytes[8], bytes[13]] = [255, 255, 51]; // rows 1 and 2 of 5 columns
  const pixels = pixelsOf({ channels: 1, rows: 4, columns: 5 }, bytes);
  const { box, centre, count, full } = inkIn(pixels);
  assert.deepEqual(box, { x: 1, y: 1, width: 3, height: 2 });
  assert.ok(Math.abs(centre.row - (1 + 0.2 / 2.2)) < 1e-9);
  assert.ok(Math.abs(centre.column - (1 + 3 + 0.6) / 2.2) < 1e-9);
  assert.equal(count, 3);
  assert.ok(Math.abs(full - 2.2) < 1e-9);
  assert.match(
    factsWords(pixels),
    /2 rows high and 3 columns wide\..*3 pixels of 20 have/,
  );
  const empty = pixelsOf({ channels: 1, rows: 4, columns: 5 });
  assert.equal(inkIn(empty), null);
  assert.equal(factsWords(empty), "It has no ink.");
});

test("of a colour image each channel is told", () => {
  const bytes = Uint8Array.from([255, 255, 0, 51, 0, 0]);
  const pixels = pixelsOf({ channels: 3, rows: 1, columns: 2 }, bytes);
  const words = channelsIn(pixels).map((channel) => channel.words);
  assert.deepEqual(words, ["red: mean 1.00", "green: mean 0.10", "blue: mean 0.00"]);
  assert.match(factsWords(pixels), /three numbers for each pixel/);
});
