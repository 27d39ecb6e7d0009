import assert from "node:assert/strict";
import { test } from "node:test";
import { rowsOf } from "../../../../../static/js/kinds/routing/dynamic/tree/panel.js";
import {
  areaOf,
  treesOf,
} from "../../../../../static/js/kinds/routing/dynamic/tree/parts.js";
import { seededRandom } from "../../../fixtures.js";

const GRID = { rows: 6, columns: 6 };

/** What capsules give: zeros but for those that are named. */
function evidence(given, capsules = 72) {
  const values = new Float32Array(capsules);
  for (const [capsule, gives] of Object.entries(given)) values[capsule] = gives;
  return values;
}

test("a tree is sure of its capsules unless rounding could have chosen others", () => {
  const sure = (...values) => {
    const [tree] = treesOf(Float32Array.from(values), new Float32Array(4), {
      rows: 2,
      columns: 2,
    });
    return tree.gifts.isSure;
  };
  assert.ok(sure(6, 3.3, 0.7, 0)); // 9.3 of 10, and 6 without the second
  assert.ok(!sure(6, 3.001, 0.999, 0)); // 9.001 of 10
  assert.ok(!sure(6, 2.999, 1.001, 0)); // 8.999 of 10 with two
  assert.ok(!sure(20, 1.5, 1.499, 0)); // either of the last two could be the second
  assert.ok(sure(0, 0, 0, 0));
});

test("a grid of any size is divided alike from both sides", () => {
  for (let side = 1; side <= 12; side++) {
    const grid = { rows: side, columns: side };
    for (let at = 0; at < side; at++) {
      const third = areaOf({ row: 0, column: at }, grid) % 3;
      const mirrored = areaOf({ row: 0, column: side - 1 - at }, grid) % 3;
      assert.equal(third + mirrored, 2, `${at} of ${side}`);
    }
  }
  assert.equal(areaOf({ row: 0, column: 0 }, { rows: 1, columns: 1 }), 4);
});

test("types at one place share a node, and neighbouring places an area", () => {
  // Place 0 (row 0, column 0) and 7 (row 1, column 1) are both top left; 35 is apart.
  const given = { 0: 0.5, 36: 3, 7: 2, 35: 3.5, 20: -0.5 };
  const [tree] = treesOf(evidence(given), evidence({}), GRID);
  assert.equal(tree.whole, 8.5);
  const parts = tree.parts.map(({ capsule, type, gives }) => [capsule, type, gives]);
  assert.deepEqual(parts.map(String), ["35,0,3.5", "36,1,3", "7,0,2"]);
  const areas = tree.areas.map(({ area, gives, places }) => {
    const at = places.map(({ row, column }) => `${row}-${column}`);
    return `${area} gives ${gives} at ${at}`;
  });
  assert.deepEqual(areas, ["0 gives 5 at 0-0,1-1", "8 gives 3.5 at 5-5"]);
  assert.deepEqual([tree.places, tree.gifts.given, tree.gifts.added], [3, 8.5, 9]);
});

test("two trees know what they share", () => {
  const [own, rival] = treesOf(
    evidence({ 3: 5, 39: 4, 10: 3 }),
    evidence({ 39: 2, 3: 2, 12: 2 }),
    GRID,
  );
  const shared = ({ parts }) =>
    parts.filter(({ isShared }) => isShared).map(({ capsule }) => capsule);
  assert.deepEqual(shared(own), [3, 39]);
  assert.deepEqual(shared(rival).sort(), [3, 39]);
  const rows = rowsOf({ tree: own }, { tree: rival });
  const given = rows.map(({ capsule, given }) => [
    capsule,
    ...given.map((part) => part?.gives),
  ]);
  assert.deepEqual(given.map(String), ["3,5,2", "39,4,2", "10,3,", "12,,2"]);
});

test("every capsule of a tree stands in it once, and sums agree", () => {
  const random = seededRandom(9);
  for (let run = 0; run < 50; run++) {
    const make = () =>
      Float32Array.from({ length: 32 * 36 }, () => random() ** 9 - 0.05);
    const [own, rival] = treesOf(make(), make(), GRID);
    for (const { parts, areas, places, whole, gifts } of [own, rival]) {
      const within = areas.flatMap((area) => area.places);
      const hung = within.flatMap((place) => place.parts.map(({ capsule }) => capsule));
      assert.deepEqual([...hung].sort(), parts.map(({ capsule }) => capsule).sort());
      assert.equal(within.length, places);
      assert.ok(areas.length <= 9);
      const sum = areas.reduce((total, area) => total + area.gives, 0);
      assert.ok(Math.abs(sum - gifts.given) < 1e-9 * Math.max(1, sum));
      assert.ok(Math.abs(gifts.added - gifts.taken - whole) < 1e-6);
    }
  }
});
