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

/** The fewest capsules that give nine tenths, one by one. */
function slowly(evidence) {
  const whole = evidence.reduce((sum, value) => sum + value, 0);
  const left = new Map(evidence.entries());
  const chosen = [];
  let given = 0;
  while (whole > 0 && given < 0.9 * whole - 1e-6) {
    const [best] = [...left].reduce((a, b) => (b[1] > a[1] ? b : a));
    given += evidence[best];
    chosen.push(best);
    left.delete(best);
  }
  return { whole, given, chosen, left: [...left.values()] };
}

const near = (text, value, tolerance) =>
  assert.ok(Math.abs(Number(text) - value) <= tolerance + 1e-6, `${text} for ${value}`);

test("the sentence of a tree says what its numbers say", () => {
  let checked = 0;
  for (const { own, trees } of cases()) {
    const { whole, given, chosen, left } = slowly(own);
    const words = plain(describeTree(trees[0], "four"));
    if (chosen.length === 0) {
      assert.match(words, /^four has no length/);
      continue;
    }
    const places = new Set(chosen.map((capsule) => capsule % 9)).size;
    if (chosen.length === 1) assert.match(words, /^One capsule gives \d/);
    else {
      const [, about, count, at, noun, largest] =
        /^(About )?(\d+) capsules at (?:about )?(\d+) (places?) give .*; the largest gives ([\d.]+)% of that length\./.exec(
          words,
        );
      assert.equal(about === undefined, trees[0].isSure, words);
      assert.deepEqual([Number(count), Number(at)], [chosen.length, places]);
      assert.equal(noun, places === 1 ? "place" : "places");
      near(largest, (100 * own[chosen[0]]) / whole, 0.5);
    }
    const [, share, length] =
      /([\d.]+)% of the length of four, which is ([\d.]+) before squash/.exec(words);
    near(share, (100 * given) / whole, 0.5);
    assert.ok(Number(share) >= 90);
    near(length, whole, 0.005);
    if (left.length === 0) assert.doesNotMatch(words, /other/);
    else {
      const [, others, rest] = /The others?( \d+| one)? (.*)\.$/.exec(words);
      const [, adds = "0"] = /lengthens? it by ([\d.]+)/.exec(rest) ?? [];
      const [, takes = "0"] = /shortens? it by ([\d.]+)/.exec(rest) ?? [];
      assert.equal(
        /nothing/.test(rest),
        Number(adds) === 0 && left.every((v) => v === 0),
      );
      if (others === undefined) assert.ok(!trees[0].isSure && left.length > 1);
      else assert.equal(others === " one" ? 1 : Number(others), left.length);
      near(
        adds,
        left.filter((v) => v > 0).reduce((a, b) => a + b, 0),
        0.005,
      );
      near(takes, -left.filter((v) => v < 0).reduce((a, b) => a + b, 0), 0.005);
    }
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
        trees.every(({ isSure }) => isSure),
      );
    const [, ofFour, ofNine] =
      /gives? ([\d.]+)% of the length of four and ([\d.]+)% of that of nine/.exec(
        words,
      );
    const sum = (some) => both.reduce((total, capsule) => total + some[capsule], 0);
    near(ofFour, (100 * sum(own)) / mine.whole, 0.5);
    near(ofNine, (100 * sum(rival)) / theirs.whole, 0.5);
  }
  assert.deepEqual([...seen].sort(), [0, 1, 2]);
});
