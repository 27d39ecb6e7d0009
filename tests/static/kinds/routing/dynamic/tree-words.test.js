/** Every sentence on parse trees, held to the numbers that it speaks of. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { treesOf } from "../../../../../static/js/kinds/routing/dynamic/tree/parts.js";
import {
  describeShared,
  describeTree,
} from "../../../../../static/js/kinds/routing/dynamic/tree/words.js";
import { seededRandom } from "../../../fixtures.js";

const GRID = { rows: 3, columns: 3 };
const plain = (words) => words.replaceAll("\u202f", "").replaceAll("\u2212", "-");

/** Two digits over 18 capsules of two types: of no length, of few parts, of many. */
function* cases() {
  const random = seededRandom(21);
  const kinds = [
    () => 0,
    () => random() - 0.9,
    () => random() - 0.4,
    () => random(),
    () => random() ** 12,
  ];
  for (let run = 0; run < 300; run++) {
    const [first, second] = [kinds[run % 5], kinds[Math.floor(run / 5) % 5]];
    const make = (one) => Float32Array.from({ length: 18 }, one);
    const own = make(first);
    const rival = run % 7 === 0 ? own.slice() : make(second);
    yield { own, rival, trees: treesOf(own, rival, GRID) };
  }
}

/** The fewest capsules that give nine tenths of all that is added, one by one. */
function slowly(evidence) {
  const sum = (some) => some.reduce((total, value) => total + value, 0);
  const added = sum([...evidence].filter((value) => value > 0));
  const left = new Map(evidence.entries());
  const chosen = [];
  let given = 0;
  while (added > 0 && given < 0.9 * added - 1e-6) {
    const [best] = [...left].reduce((a, b) => (b[1] > a[1] ? b : a));
    given += evidence[best];
    chosen.push(best);
    left.delete(best);
  }
  return { whole: sum([...evidence]), added, given, chosen };
}

const near = (text, value, tolerance) =>
  assert.ok(Math.abs(Number(text) - value) <= tolerance + 1e-6, `${text} for ${value}`);

test("the sentence of a tree says what its numbers say", () => {
  let checked = 0;
  for (const { own, trees } of cases()) {
    const { whole, added, given, chosen } = slowly(own);
    const words = plain(describeTree(trees[0], "four"));
    if (chosen.length === 0) {
      assert.match(words, /^No capsule lengthens four\./);
      continue;
    }
    const places = new Set(chosen.map((capsule) => capsule % 9)).size;
    if (chosen.length === 1) assert.match(words, /^One capsule gives \d/);
    else {
      const [, about, count, at, noun, largest] =
        /^(About )?(\d+) capsules at (?:about )?(\d+) (places?) give .*; the strongest gives ([\d.]+)%\./.exec(
          words,
        );
      assert.equal(about === undefined, trees[0].gifts.isSure, words);
      assert.deepEqual([Number(count), Number(at)], [chosen.length, places]);
      assert.equal(noun, places === 1 ? "place" : "places");
      near(largest, (100 * own[chosen[0]]) / added, 0.5);
    }
    const share = Number(/([\d.]+)% of all that lengthens four/.exec(words)[1]);
    near(share, (100 * given) / added, 0.5);
    assert.ok(share >= 90 && share <= 100, words);
    const sides =
      /lengthen it by ([\d.]+) and shorten it by ([\d.]+), which leaves (-?[\d.]+)/;
    const [, adds, takes, left] = sides.exec(words) ?? [];
    if (adds !== undefined) {
      near(adds, added, 0.005);
      near(left, whole, 0.005);
      near(takes, added - whole, 0.01);
      assert.equal((Number(adds) - Number(takes)).toFixed(2), Number(left).toFixed(2));
    } else near(/lengthen it by ([\d.]+), its length/.exec(words)[1], whole, 0.005);
    checked++;
  }
  assert.ok(checked > 100);
});

test("the sentence on what two trees share says what their numbers say", () => {
  const seen = new Set();
  for (const { own, rival, trees } of cases()) {
    const words = plain(describeShared(...trees, "four", "nine"));
    const [mine, theirs] = [slowly(own), slowly(rival)];
    if (mine.chosen.length === 0 || theirs.chosen.length === 0) {
      assert.equal(words, "");
      continue;
    }
    const both = mine.chosen.filter((capsule) => theirs.chosen.includes(capsule));
    const cells = (some) => new Set(some.map((capsule) => capsule % 9));
    const common = cells(both);
    const apart = [...cells(mine.chosen)].filter(
      (cell) => cells(theirs.chosen).has(cell) && !common.has(cell),
    ).length;
    const places = /At (\d+) places? both have capsules, but none in common/.exec(
      words,
    );
    assert.equal(Number(places?.[1] ?? 0), apart, words);
    seen.add(Math.min(both.length, 2));
    if (both.length === 0) {
      assert.match(words, /^The trees of four and nine share no capsule\./);
      continue;
    }
    const [, about, count] = /^(About )?(One|\d+) capsules? (?:is|are) in both/.exec(
      words,
    );
    assert.equal(count === "One" ? 1 : Number(count), both.length);
    if (both.length > 1)
      assert.equal(
        about === undefined,
        trees.every(({ gifts }) => gifts.isSure),
      );
    const [, ofFour, ofNine] =
      /gives? ([\d.]+)% of all that lengthens four and ([\d.]+)% of all that lengthens nine/.exec(
        words,
      );
    const sum = (some) => both.reduce((total, capsule) => total + some[capsule], 0);
    near(ofFour, (100 * sum(own)) / mine.added, 0.5);
    near(ofNine, (100 * sum(rival)) / theirs.added, 0.5);
  }
  assert.deepEqual([...seen].sort(), [0, 1, 2]);
});
