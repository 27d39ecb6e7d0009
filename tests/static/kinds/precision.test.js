import assert from "node:assert/strict";
import { test } from "node:test";
import {
  courseOf,
  distanceFrom,
  distanceWords,
} from "../../../static/js/kinds/routing/dynamic/microscope/course.js";
import { voteInFull } from "../../../static/js/kinds/routing/dynamic/microscope/one-vote.js";
import { agreementWords } from "../../../static/js/kinds/routing/dynamic/microscope/votes.js";
import { checkWords } from "../../../static/js/kinds/routing/em/arithmetic.js";
import { entryOf } from "../../../static/js/kinds/routing/em/sums.js";
import { roundToFloat16, seededRandom } from "../fixtures.js";

const DEFECT = /half precision explains no more than \d/;
const halved = (values) => Float32Array.from(values, roundToFloat16);
const times = (count, make) => Array.from({ length: count }, (_, i) => make(i));

test("of a mean and a deviation of votes, rounding explains what it does", () => {
  const random = seededRandom(3);
  for (const size of [1, 30, 1000]) {
    for (const [children, floor] of [
      [2, 0],
      [90, 0],
      [90, 1],
    ]) {
      const presence = times(children, random);
      // From nearly nothing to nearly all.
      const shares = times(children, () => random() ** 20);
      const votes = times(16 * children, () => size * (random() - 0.3));
      const at = (shares, votes) =>
        entryOf(
          { presence, parents: 1, floor, assignments: () => shares, votes },
          ...[0, 0, 5],
        );
      const exact = at(shares, votes);
      const traced = { mean: exact.mean, deviation: exact.deviation };
      const here = at(halved(shares), halved(votes));
      assert.doesNotMatch(checkWords(here, traced), DEFECT);
      const moved = at(halved(shares), halved(votes.map((_, i) => votes[i ^ 1])));
      if (children > 2) assert.match(checkWords(moved, traced), DEFECT);
    }
  }
});

test("of an agreement, rounding explains what it does", () => {
  const random = seededRandom(5);
  for (let i = 0; i < 200; i++) {
    const vote = times(16, () => 4 * random() - 2);
    const capsule = times(16, () => random() / 5);
    const exact = vote.reduce((sum, value, d) => sum + value * capsule[d], 0);
    const full = voteInFull(halved(vote), 0.5, capsule);
    const [agreement] = halved([exact]);
    assert.doesNotMatch(agreementWords(full, agreement), DEFECT);
    assert.match(agreementWords(full, exact + 0.1), DEFECT);
  }
});

test("of a course of routing, rounding explains what it does", () => {
  const random = seededRandom(7);
  for (let i = 0; i < 100; i++) {
    const [iterations, classes] = [5, 3];
    const agreement = times(iterations * classes, () => 3 * random() - 1);
    const logits = times(iterations * classes, (k) =>
      times(Math.floor(k / classes), (t) => agreement[t * classes + (k % classes)]),
    ).map((some) => some.reduce((sum, value) => sum + value, 0));
    const couplings = logits.map((logit, k) => {
      const couplingLogits = logits.slice(
        k - (k % classes),
        k - (k % classes) + classes,
      );
      return (
        Math.exp(logit) /
        couplingLogits.reduce((sum, value) => sum + Math.exp(value), 0)
      );
    });
    const sized = (values) => ({
      shape: [iterations, 1, 1, 1, classes],
      data: halved(values),
    });
    const course = courseOf(sized(agreement), 0, { isRouted: true, pin: null });
    const traced = { logits: sized(logits), couplings: sized(couplings) };
    assert.doesNotMatch(distanceWords(distanceFrom(course, traced, 0)), DEFECT);
    // Routing that begins with a prior, or adds less than the agreement, is another.
    const others = { ...traced, logits: sized(logits.map((logit) => logit + 0.05)) };
    assert.match(distanceWords(distanceFrom(course, others, 0)), DEFECT);
  }
});
