import assert from "node:assert/strict";
import { test } from "node:test";

import {
  countLargest,
  lossOf,
  lossOfAll,
  pooledMap,
  thrownAway,
  tiesIn,
  windowOf,
  winnerMarks,
} from "../../../../static/js/kinds/pooling/windows.js";
import { lossWords } from "../../../../static/js/kinds/pooling/words.js";
import { says, seededRandom, tensor } from "../../fixtures.js";
import { BELOW } from "./made.js";

const LAYER = {
  below: tensor([1, 5, 5], BELOW),
  pooled: tensor([1, 2, 2], [4, 0, 5, 2]),
  winners: tensor([1, 2, 2], [1, 0, 0, 3]),
};
const MAP = pooledMap(LAYER, 0);

test("equal pixels are counted, and four zeros have no winner", () => {
  assert.equal(countLargest([1, 4, 2, 3]), 1);
  assert.equal(countLargest([5, 5, 0, 0]), 2);
  assert.equal(countLargest([2, 2, 2, 2]), 4);
  assert.equal(countLargest([0, 0, 0, 0]), 0);
  const { isTied, ties } = tiesIn(MAP);
  assert.deepEqual(isTied, [false, false, true, false]);
  assert.equal(ties, 1);
});

test("what is thrown away is the map without its winners, edges in no window included", () => {
  // biome-ignore format: rows
  assert.deepEqual([...thrownAway(MAP)], [
    1, 0, 0, 0, 8,
    2, 3, 0, 0, 0,
    0, 5, 0, 1, 0,
    0, 0, 0, 0, 0,
    0, 7, 0, 0, 0,
  ]);
  const loss = lossOf(MAP);
  assert.equal(loss.total, 38);
  assert.equal(loss.lost, 27);
  assert.equal(loss.share, 27 / 38);
  assert.deepEqual([loss.windows, loss.empty, loss.lostActive], [4, 1, 7]);
});

test("all maps together lose the sum, not the mean of shares", () => {
  const other = { ...lossOf(MAP), total: 2, lost: 0, share: 0 };
  const all = lossOfAll([lossOf(MAP), other]);
  assert.equal(all.share, 27 / 40);
  assert.equal(all.windows, 8);
  assert.equal(lossOfAll([]).share, 0);
});

test("a dot is drawn on a winner, a ring where it shares its value, nothing on zeros", () => {
  const { dots, rings } = winnerMarks(MAP);
  assert.deepEqual(dots.match(/M[\d.]+ [\d.]+/g), ["M1.3 0.5", "M3.3 3.5"]);
  assert.deepEqual(rings.match(/M[\d.]+ [\d.]+/g), ["M0.3 2.5"]);
});

test("a map's loss in words, whatever it loses", () => {
  const words = lossWords(lossOf(MAP), "Map 0");
  assert.match(words, /activation of 38.0/);
  assert.match(words, /11.0 goes on, and 27.0 is thrown away: 71.1\u202f%/);
  says(
    words,
    "In 3 of its 4 windows one pixel goes on…the other one holds…7 are above",
  );
  const nothing = { total: 0, lost: 0, share: 0, windows: 1, empty: 0 };
  assert.match(lossWords({ ...nothing, lostActive: 0 }, "Map 1"), /^Map 1 is 0 every/);
  const spared = { ...nothing, total: 2, lostActive: 0 };
  says(lossWords(spared, "Map 2"), "Map 2 loses nothing…2.000…only window one pixel");
});

test("the sentences of a map count the same winners, in many maps", () => {
  const random = seededRandom(4);
  const outcomes = new Set();
  for (let run = 0; run < 200; run++) {
    const side = 2 + (run % 5);
    const zeros = [0, 0.5, 0.9, 1][run % 4];
    const below = Array.from({ length: side ** 2 }, () =>
      random() < zeros ? 0 : Math.ceil(4 * random()) / 4,
    );
    const across = Math.floor(side / 2);
    const fours = Array.from({ length: across ** 2 }, (_, i) => {
      const first = 2 * (Math.floor(i / across) * side + (i % across));
      return [0, 1, side, side + 1].map((by) => below[first + by]);
    });
    const most = fours.map((four) => Math.max(...four));
    const layer = {
      below: tensor([1, side, side], below),
      pooled: tensor([1, across, across], most),
      winners: tensor(
        [1, across, across],
        fours.map((four, i) => four.indexOf(most[i])),
      ),
    };
    const words = lossWords(lossOf(pooledMap(layer, 0)), "Map 0");
    const won = most.filter((value) => value > 0).length;
    const active = below.filter((value) => value > 0).length;
    if (active === 0) {
      outcomes.add("nothing");
      assert.match(words, /^Map 0 is 0 everywhere/);
      continue;
    }
    const all = fours.length;
    const [, some, of] =
      /In (?:(\d+) of its|each of its|its only) ?(\d+)? windows?/.exec(words);
    assert.deepEqual([Number(some ?? all), Number(of ?? all)], [won, all], words);
    const [, empty = "0"] = /the other (\d+|one) holds? four zeros/.exec(words) ?? [];
    assert.equal(empty === "one" ? 1 : Number(empty), all - won, words);
    const [, lost = "0"] = /do not go on, (\d+) (?:is|are) above 0/.exec(words) ?? [];
    assert.equal(Number(lost), active - won, words);
    outcomes.add(won === all ? "all" : won === 0 ? "none" : "some");
  }
  assert.deepEqual([...outcomes].sort(), ["all", "none", "nothing", "some"]);
});

test("a pixel is in the window that pools it, in none as if in the last", () => {
  const map = { pooled: new Float32Array(12 * 11), across: 11 };
  for (const [row, column, ...window] of [
    [0, 0, 0, 0],
    [1, 1, 0, 0],
    [5, 20, 2, 10],
    [24, 22, 11, 10],
  ])
    assert.deepEqual(Object.values(windowOf({ row, column }, map)), window);
});

test("the share thrown away follows from the figures beside it", () => {
  const random = seededRandom(8);
  for (let run = 0; run < 300; run++) {
    const total = 10 ** (4 * random() - 1);
    const lost = total * random();
    const loss = { total, lost, share: lost / total, windows: 9, empty: 0 };
    const words = lossWords({ ...loss, lostActive: 3 }, "Map 0");
    const [all, , gone, share] = words
      .match(/\d+(\.\d+)?/g)
      .slice(1)
      .map(Number);
    const percentage = words.match(/([\d.]+)\u202f%/)[1];
    const digits = percentage.split(".")[1]?.length ?? 0;
    assert.equal(((100 * gone) / all).toFixed(digits), share.toFixed(digits), words);
  }
});
