/** Every sentence of Routing, held to the numbers that it speaks of. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { findShare } from "../../../../../static/js/kinds/routing/dynamic/microscope/panel.js";
import {
  lastingPairOf,
  pairOf,
} from "../../../../../static/js/kinds/routing/dynamic/scene.js";
import { tell } from "../../../../../static/js/kinds/routing/dynamic/story.js";
import { answerInWords } from "../../../../../static/js/kinds/routing/surgery/words.js";
import { capitalized } from "../../../../../static/js/lib/format.js";
import { tensor, writtenOut } from "../../../fixtures.js";
import { CLASSES, givenBy, images, MODEL, NAMES, norm, route, runs } from "./made.js";

const lengthsIn = (iteration) => iteration.capsules.map(norm);
const near = (text, value, by = 0.00051) =>
  assert.ok(Math.abs(Number(text) - value) <= by, `${text} for ${value}`);

/** What is said of those who give most to a digit, against the votes' own numbers. */
function checkSharers(words, step, classIndex) {
  const gifts = givenBy(step, classIndex).filter((gift) => gift > 0);
  const sum = gifts.reduce((a, b) => a + b, 0);
  const match =
    /(About )?(\d+|One) capsules? gives? ([\d.]+)\D*% of all that lengthens \w+(?:; the strongest gives ([\d.]+))?/.exec(
      words,
    );
  if (match === null) return assert.ok(sum < 0.05, words);
  // Half precision knows no agreement so small.
  if (norm(step.capsules[classIndex]) < 0.0005) return undefined;
  const order = gifts.toSorted((a, b) => b - a);
  const count = match[2] === "One" ? 1 : Number(match[2]);
  const share = order.slice(0, count).reduce((a, b) => a + b, 0) / sum;
  assert.ok(Math.abs(Number(match[3]) - 100 * share) <= 0.6, words);
  const without = share - order[count - 1] / sum;
  if (match[1] === undefined) assert.ok(share >= 0.899 && without < 0.901, words);
  if (match[4] !== undefined)
    assert.ok(Math.abs(Number(match[4]) - (100 * order[0]) / sum) <= 0.6, words);
}

/**
 * A count as it is told, against the exact one.
 * @returns whether it was told as exact
 */
function checkCount(text, exact, words) {
  const isAbout = /about|hardly any/.test(text);
  const count = Number(/\d+/.exec(text)?.[0] ?? 0);
  assert.ok(Math.abs(count - exact) <= (isAbout ? 2 : 0), `${exact}: ${words}`);
  return !isAbout;
}

test("the story of an iteration says what its numbers say", () => {
  let checked = 0;
  const counts = { exact: 0, about: 0 };
  for (const { scene, steps } of runs()) {
    const { step, classIndex } = scene;
    const words = writtenOut(tell(scene));
    const name = capitalized(NAMES[classIndex]); // where sentences begin
    const now = lengthsIn(steps[step]);
    const before = step > 0 ? lengthsIn(steps[step - 1]) : null;
    if (before === null) {
      near(/the votes make \w+ ([\d.]+) long/.exec(words)[1], now[classIndex]);
      const uneven = steps[0].couplings.filter((row) =>
        row.some((coupling) => Math.abs(coupling - 1 / CLASSES) >= 0.001),
      ).length;
      const held = /except (\d+) with a coupling that is held/.exec(words);
      assert.equal(held ? Number(held[1]) : 0, uneven, words);
    } else {
      const moves = steps[step].couplings.map(
        (row, i) => row[classIndex] - steps[step - 1].couplings[i][classIndex],
      );
      const match =
        /((?:about )?\d+|hardly any) of 12 capsules (sends?) more to \w+, ((?:about )?\d+|hardly any) (sends?) less/.exec(
          words,
        ) ?? ["", "0", "send", "0", "send"];
      const exact = [
        moves.filter((move) => move >= 0.001).length,
        moves.filter((move) => move <= -0.001).length,
      ];
      for (const i of [0, 1]) {
        const [count, verb] = match.slice(1 + 2 * i);
        assert.equal(verb === "sends", /\b1$/.test(count), words);
        counts[checkCount(count, exact[i], words) ? "exact" : "about"]++;
      }
      const largest = (iteration) =>
        Math.max(...iteration.couplings.map((row) => row[classIndex]));
      const [, coupling] = /the largest coupling is c = ([\d.]+)/.exec(words);
      near(coupling, largest(steps[step]), 0.0053);
      const goes = new RegExp(`${name} (grows|shrinks) from ([\\d.]+) to ([\\d.]+)\\.`);
      const change = goes.exec(words);
      if (change) {
        near(change[2], before[classIndex]);
        near(change[3], now[classIndex]);
        assert.equal(
          change[1] === "grows",
          now[classIndex] > before[classIndex],
          words,
        );
      } else {
        near(
          new RegExp(`${name} stays ([\\d.]+) long`).exec(words)[1],
          now[classIndex],
        );
        assert.ok(Math.abs(now[classIndex] - before[classIndex]) < 0.001, words);
      }
    }
    checkSharers(words, steps[step], classIndex);
    const longest = Math.max(...now);
    const lead =
      /(\w+) is the longest|(\w+) with [\d.]+ leads|(\w+) has overtaken/.exec(words);
    const first = lead?.slice(1).find(Boolean)?.toLowerCase();
    if (first) assert.ok(now[NAMES.indexOf(first)] >= longest - 1e-6, words);
    else if (longest === 0) assert.match(words, /No class has any length\./);
    else assert.match(words, /equally long/);
    const overtaken = / has overtaken (\w+)\./.exec(words);
    if (overtaken)
      assert.ok(before[NAMES.indexOf(overtaken[1])] >= Math.max(...before) - 1e-6);
    checked++;
  }
  assert.ok(checked > 500);
  assert.ok(counts.exact > 500 && counts.about > 5, JSON.stringify(counts));
});

test("the other of two digits is called what it is in the iteration on show", () => {
  const ranks = new Set();
  for (const { scene, steps } of runs()) {
    const { step, classIndex, iterations } = scene;
    const isTrue = (rank, other, at) => {
      const [length, rival] = [classIndex, other].map((i) => lengthsIn(steps[at])[i]);
      const longest = Math.max(...lengthsIn(steps[at]));
      // What is written alike is equal.
      if (rank === "equally long") return assert.ok(Math.abs(length - rival) < 1e-3);
      assert.ok(rank === "the longest" || length >= longest - 1e-6 || rival < length);
      assert.equal(rank === "the runner-up", length > rival);
      if (rank === "the longest") assert.ok(rival >= longest - 1e-6);
    };
    const now = pairOf(scene, step);
    isTrue(now.rank, now.rival, step);
    const lasting = lastingPairOf(scene);
    ranks.add(lasting.rank);
    const [, rank, atEnd] = /^(.*?)( in the end)?$/.exec(lasting.rank);
    isTrue(rank, lasting.rival, iterations - 1);
    if (!atEnd) isTrue(rank, lasting.rival, step);
  }
  assert.ok(
    ranks.has("the runner-up in the end") && ranks.has("the longest in the end"),
  );
});

test("what the network reads under surgery is said as its lengths say", () => {
  const outcomes = new Set();
  for (const { votes, iterations, surgery } of images()) {
    const runs = [route(votes, iterations), route(votes, iterations, surgery)];
    const lengths = runs.map((steps) => lengthsIn(steps[iterations - 1]));
    const [intact, changed] = lengths.map((scores) => ({
      prediction: scores.indexOf(Math.max(...scores)),
      tensors: { scores: tensor([CLASSES], scores) },
    }));
    const { silenced, held, uniform } = surgery;
    const pins = [...held].map(([capsule, pin]) => ({ capsule, ...pin }));
    const routing = uniform ? "uniform" : "agreement";
    const change = { silenced, routing, pins };
    const words = answerInWords({ model: MODEL, surgery: change, intact, changed });
    const isChanged = silenced.length > 0 || uniform || pins.length > 0;
    const now = isChanged ? changed : intact;
    const longest = now.tensors.scores.data[now.prediction];
    const reads = /reads (\w+)/.exec(words)?.[1];
    if (longest < 0.5) {
      outcomes.add(longest === 0 ? "nothing" : "none");
      assert.match(words, /^The network (now |still )?sees none of its classes: /);
      assert.equal(reads, undefined);
    } else {
      outcomes.add("one");
      assert.equal(reads, NAMES[now.prediction], words);
    }
    if (longest === 0 && isChanged) assert.match(words, /every length is 0/);
    for (const [, figure] of words.matchAll(
      /(?:from|to|stays|length|was) (\d\.\d{3})/g,
    ))
      assert.ok(
        lengths.flat().some((length) => Math.abs(length - Number(figure)) < 0.00051),
        words,
      );
  }
  assert.deepEqual([...outcomes].sort(), ["none", "nothing", "one"]);
});

test("a folded panel says of its class what the votes' own numbers say", () => {
  for (const { scene, steps } of runs()) {
    const { step, classIndex } = scene;
    const gifts = givenBy(steps[step], classIndex);
    // Two decimals of what came in half precision, which keeps little of tiny agreements.
    const nearly = (text, value) =>
      near(text, value, 0.006 + 2 ** -10 * Math.abs(value));

    const capsule = (7 * step + classIndex) % gifts.length;
    const { couplings, agreement } = steps[step];
    const [share, agrees] = writtenOut(findShare({ ...scene, capsule })).match(
      /[+−]?\d+\.\d+/g,
    );
    near(share, couplings[capsule][classIndex], 0.001);
    nearly(agrees.replace("−", "-"), agreement[capsule][classIndex]);
  }
});
