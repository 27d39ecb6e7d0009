import assert from "node:assert/strict";
import { test } from "node:test";
import {
  cellsOf,
  changeWords,
  comparedWords,
  layerWords,
  movedWords,
} from "../../../../static/js/lab/pooling/words.js";
import { says } from "../../fixtures.js";

const plain = (words) => words.replaceAll("\u202f", " ");

for (const [by, share, lost, words] of [
  [{ down: 0, right: 0 }, 0, 0, "It is where it was."],
  [{ down: 0, right: 1 }, Number.NaN, 0, "moved 1 pixel right; there is no ink."],
  [{ down: 0, right: 1 }, 0.59, 0, "1 pixel right:…changes by 59 % of its ink."],
  [{ down: 1, right: 0 }, 0.6, 0.031, "1 pixel down:…by 60 %…, and loses 3.1 % of it."],
])
  test(words, () => says(movedWords("It", by, share, lost), words));

const change = (given) => ({
  ...{ units: 100, active: 50, stay: [5, 10], share: 0.4, winners: null },
  ...given,
});
const told = (given, layer = {}) => ({
  network: "CNN",
  layer: { title: "Pool2", many: "values", size: 1, pooled: {}, ...layer },
  change: change(given),
});

const USUAL = "by 40.0 %; 10 % of its values stay within 1 %, 20 % within 10 %.";
for (const [given, words] of [
  [{}, USUAL],
  [{ winners: { contested: 20, rewon: 5 } }, `${USUAL} In 5 of 20 windows (25 %)`],
  [{ winners: { contested: 0, rewon: 0 } }, USUAL],
  [{ winners: { contested: 1, rewon: 0 } }, `${USUAL} In 0 of 1 window (0 %)`],
  [{ share: 0 }, "Pool2 of CNN: nothing changes."],
  [{ active: 0, share: Number.NaN }, "all values are 0 before and after."],
  [{ share: Number.POSITIVE_INFINITY }, "were 0 before; 50 of them are not after."],
])
  test(`${JSON.stringify(given)}: ${words}`, () =>
    says(layerWords(told(given)), words));

const posed = (share, network = "CapsNet") => ({
  network,
  layer: { title: "Primary", many: "poses", size: 8 },
  change: change({ share }),
});
const END = " A pose may change without telling where anything is.";

for (const [all, words] of [
  [[], ""],
  [[told({})], ""],
  [[posed(0.4)], ""],
  [[told({ share: 0 }), posed(0)], ""],
  [[told({ share: Number.POSITIVE_INFINITY }), posed(0.5)], ""],
  [
    [told({}), posed(0.5)],
    `The values in Pool2 of CNN change by 40.0 % of their sum. The poses in Primary of CapsNet change more, by 50.0 %.${END}`,
  ],
  [
    [told({}, { title: "Pool1" }), told({}), posed(0.4), posed(0.1, "Matrix")],
    `The values in Pool2 of CNN change by 40.0 % of their sum. The poses in Primary of CapsNet change as much. The poses in Primary of Matrix change less, by 10.0 %.${END}`,
  ],
])
  test(`compared: ${words}`, () => assert.equal(plain(comparedWords(all)), words));

test("the comparison first, then layers that pool or have poses", () => {
  const conv = told({}, { title: "Conv1", pooled: undefined });
  const found = changeWords([conv, told({}), posed(0.5)]);
  assert.equal(found.length, 3);
  assert.match(found[0], /^The values in/);
  assert.ok(!found.some((words) => words.startsWith("Conv1")));
  assert.deepEqual(changeWords([]), [
    "No network takes part that says what to compare.",
  ]);
});

test("the table's cells", () => {
  const cells = (given) => cellsOf(change(given)).map(plain);
  assert.deepEqual(cells({}), ["40.0 %", "10.0 %", "20.0 %", ""]);
  assert.deepEqual(
    cells({ share: Number.NaN, active: 0, winners: { contested: 0, rewon: 0 } }),
    ["–", "–", "–", "– of 0"],
  );
  assert.equal(
    cells({ winners: { contested: 1200, rewon: 300 } })[3],
    "25.0 % of 1 200",
  );
});
