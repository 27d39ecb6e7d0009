/** Every sentence on the arrows, held to the numbers that it speaks of. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  compareArrows,
  readArrow,
  sentencesOf,
} from "../../../../../static/js/kinds/routing/dynamic/arrow-words.js";
import { arrowsOf } from "../../../../../static/js/kinds/routing/dynamic/arrows.js";
import { says } from "../../../fixtures.js";
import { anyRun, CAPSULES, CLASSES, runOf, STEPS } from "./arrows-made.js";

const plain = (words) => words.replaceAll("\u202f", "").replaceAll("\u2212", "-");
const near = (text, value, tolerance) =>
  assert.ok(Math.abs(Number(text) - value) <= tolerance + 1e-6, `${text} for ${value}`);

/** Votes of any kind: as they come, all one way, all of no length, of few numbers. */
function* cases() {
  const kinds = [
    (value) => value,
    (value) => Math.abs(value),
    () => 0,
    (value) => (value > 0.4 ? value : 0),
  ];
  for (let seed = 0; seed < 40; seed++) {
    const { tensors, votes } = anyRun(seed, { change: kinds[seed % 4] });
    const silenced =
      seed % 5 === 0 ? Array.from({ length: CAPSULES - 1 }, (_, i) => i) : [];
    const arrows = arrowsOf(tensors, votes, 0, silenced);
    for (let step = 0; step < STEPS; step++)
      yield { arrows, name: "four", step, ends: CLASSES };
  }
}

/** How many of some couplings grew, and fell, by 0.001 or more. */
function moved({ arrows, step }, isOfThem) {
  const now = arrows.couplings[step];
  const own = [...now.keys()].filter((i) => isOfThem(arrows.agreement[step][i]));
  const moves = own.map((i) => now[i] - arrows.couplings[0][i]);
  return [
    own.length,
    moves.filter((move) => move >= 0.001).length,
    moves.filter((move) => move <= -0.001).length,
  ];
}

test("the sentences of a digit say what its arrows do", () => {
  const seen = new Set();
  for (const told of cases()) {
    const { arrows, step } = told;
    const words = plain(sentencesOf(told).join(" "));
    const count = arrows.capsules.length;
    if (count === 0) {
      seen.add("none");
      assert.equal(words, "Every vote for four is 0, so there is nothing to compare.");
      continue;
    }
    const pro = moved(told, (a) => a > 0);
    const contra = moved(told, (a) => a < 0);
    const whose =
      count === 1
        ? /^The longest of the 30 votes for four /
        : new RegExp(`^(Of|All of|None of) the ${count} longest of 30 votes for four`);
    assert.match(words, whose);
    if (pro[0] === count) {
      seen.add("all");
      assert.match(words, count === 1 ? /four agrees with/ : /^All .* agree with/);
    } else if (contra[0] === count) {
      seen.add("against");
      assert.match(
        words,
        count === 1 ? /four disagrees with/ : /^All .* disagree with/,
      );
    } else if (pro[0] + contra[0] > 0) {
      seen.add("both");
      const [, one, other] = /, (\d+) agrees? with .* and (\d+) disagrees?\./.exec(
        words,
      );
      assert.deepEqual([Number(one), Number(other)], [pro[0], contra[0]]);
    }
    if (step === 0) assert.match(words, /Every coupling is 1\/2: no votes/);
    else {
      for (const [verb, [size, grown, fallen]] of [
        ["agree", pro],
        ["disagree", contra],
      ]) {
        if (size === 1) {
          const is = grown ? "grew" : fallen ? "fell" : "stayed";
          const may = "(?:grew|fell) or stayed";
          assert.match(words, new RegExp(`the one that ${verb}s (?:${is}|${may})`));
          continue;
        }
        const whose = `of the ${size} that ${verb}, `;
        const either = (count) => `(?:${count}|about ${count}|hardly any)`;
        const counts = `${either(grown)} grew and ${either(fallen)} fell|none grew or fell`;
        const alike = { [grown]: "all grew", [fallen]: "all fell" }[size];
        // What rounding may have changed is counted, and not said of all.
        const text = `${whose}(?:${alike ?? counts}|${counts})`;
        assert.equal(new RegExp(text).test(words), size > 0, words);
      }
    }
    const [, mean] = /Their mean, weighted by c, (?:is|stays) ([\d.]+) long/.exec(
      words,
    );
    near(mean, arrows.meanLengths[step], 0.005);
    const [, share] = /The plane holds (\d+)% of these votes’ squared length/.exec(
      words,
    );
    near(share, 100 * arrows.share, 0.5);
  }
  assert.deepEqual([...seen].sort(), ["against", "all", "both", "none"]);
});

test("couplings that are held before anything is compared are told", () => {
  const run = runOf({
    votes: [
      [1, 0],
      [0, 1],
    ],
    pose: [0.5, 0],
    couplings: [1, 0.25],
  });
  const arrows = arrowsOf(run.tensors, run.votes, 0, []);
  const words = sentencesOf({ arrows, name: "4", step: 0, ends: 1 }).join(" ");
  assert.match(words, /Surgery holds couplings, .* between 0\.250 and 1\.000/);
  says(words, "1 agrees with its capsule…and 0 disagree");
});

test("two digits are compared by mean coupling", () => {
  for (const told of cases()) {
    const words = plain(compareArrows(told, { ...told, name: "nine" }));
    const { arrows, step } = told;
    const couplings = [...arrows.couplings[step]];
    if (couplings.length === 0)
      assert.match(words, /every vote for four is 0; every vote for nine is 0/);
    else {
      const mean = couplings.reduce((sum, c) => sum + c, 0) / couplings.length;
      const told =
        /votes for four .* coupling of ([\d.]+); those for nine, of ([\d.]+)\./;
      for (const text of told.exec(words).slice(1)) near(text, mean, 0.0005);
    }
  }
});

test("one vote is read with its numbers, and with its angle where v has a length", () => {
  const run = runOf({ votes: [[3, 4]], pose: [0.5, 0], couplings: [0.3] });
  const arrows = arrowsOf(run.tensors, run.votes, 0, []);
  says(
    readArrow({ arrows, name: "4", step: 0, ends: 10 }, 0),
    "5.00…+3.00…+4.00…53°…c 0.3…+1",
  );
  const still = runOf({ votes: [[3, 4]], pose: [0, 0], couplings: [0.3] });
  const none = arrowsOf(still.tensors, still.votes, 0, []);
  assert.doesNotMatch(
    readArrow({ arrows: none, name: "4", step: 0, ends: 10 }, 0),
    /°/,
  );
});
