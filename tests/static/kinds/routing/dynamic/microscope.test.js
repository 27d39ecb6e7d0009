import assert from "node:assert/strict";
import { test } from "node:test";
import {
  courseOf,
  DECIMALS,
  ruleOf,
  softmaxOf,
} from "../../../../../static/js/kinds/routing/dynamic/microscope/course.js";
import {
  squashOf,
  voteInFull,
  voteOf,
} from "../../../../../static/js/kinds/routing/dynamic/microscope/one-vote.js";
import { NO_SURGERY } from "../../../../../static/js/kinds/routing/surgery/changes.js";
import { fewestDecimals, rounded } from "../../../../../static/js/lib/decimals.js";
import { seededRandom, tensor } from "../../../fixtures.js";

const ROUTED = { isRouted: true, pin: null };

/** Agreements of one capsule, all others 0: (iterations, 2 types, 1, 1, classes). */
function agreementsOf(rows, capsule) {
  const classes = rows[0].length;
  const none = Array.from({ length: classes }, () => 0);
  const data = rows.flatMap((row) =>
    capsule === 0 ? [...row, ...none] : [...none, ...row],
  );
  return tensor([rows.length, 2, 1, 1, classes], data);
}

test("as few decimals as a calculation needs", () => {
  assert.equal(
    fewestDecimals(2, () => true),
    2,
  );
  assert.equal(
    fewestDecimals(2, (decimals) => decimals >= 5),
    5,
  );
  assert.equal(
    fewestDecimals(2, () => false),
    10,
  );
});

test("logits begin at 0, couplings even; then b grows by the agreement", () => {
  const course = courseOf(
    agreementsOf(
      [
        [0.5, -0.25],
        [0.125, 0],
      ],
      1,
    ),
    1,
    ROUTED,
  );
  assert.deepEqual(course[0], {
    logits: [0, 0],
    couplings: [0.5, 0.5],
    agreement: [0.5, -0.25],
    next: [0.5, -0.25],
  });
  const { logits, couplings, next } = course[1];
  assert.deepEqual(logits, [0.5, -0.25]);
  // e^0.5 / (e^0.5 + e^-0.25) = 1 / (1 + e^-0.75) = 0.67918
  assert.deepEqual(couplings, [0.6792, 0.3208]);
  assert.deepEqual(next, [0.625, -0.25]);
});

test("a held coupling stays; the others share the rest as their softmax says", () => {
  const pin = { capsule: 1, classIndex: 0, coupling: 0.4 };
  const rule = ruleOf({ ...NO_SURGERY, pins: [pin] }, 1);
  assert.deepEqual(rule, { isRouted: true, pin });
  assert.equal(ruleOf({ ...NO_SURGERY, pins: [pin] }, 2).pin, null);
  const agreement = agreementsOf(
    [
      [3, 0.75, 0],
      [0, 0, 0],
    ],
    1,
  );
  const [first, second] = courseOf(agreement, 1, rule);
  assert.deepEqual(first.couplings, [0.4, 0.3, 0.3]);
  // 0.6 / (1 + e^-0.75) = 0.40751, and what is left
  assert.deepEqual(second.couplings, [0.4, 0.4075, 0.1925]);
});

/** Slow and obvious: a sum of numbers with four decimals, in whole numbers. */
function tenThousandths(value) {
  return Math.round(value * 1e4);
}

test("whatever the agreements, what is written adds up", () => {
  const random = seededRandom(8);
  for (let round = 0; round < 100; round++) {
    const iterations = 1 + Math.floor(10 * random());
    const rows = Array.from({ length: iterations }, () =>
      Array.from({ length: 10 }, () => Math.fround(3 * (random() - 0.5) ** 3)),
    );
    const pin =
      random() < 0.3
        ? { capsule: 0, classIndex: 3, coupling: rounded(random(), 2) }
        : null;
    const rule = { isRouted: true, pin };
    const course = courseOf(agreementsOf(rows, 0), 0, rule);
    course.forEach((now, step) => {
      const { terms, sum, decimals } = softmaxOf(now, rule);
      const rest = 1 - (pin?.coupling ?? 0);
      now.logits.forEach((logit, j) => {
        assert.equal(
          tenThousandths(now.next[j]),
          tenThousandths(logit) + tenThousandths(now.agreement[j]),
        );
        assert.ok(Math.abs(now.agreement[j] - rows[step][j]) <= 0.00005 + 1e-12);
        if (step > 0) assert.equal(logit, course[step - 1].next[j]);
        const isHeld = terms[j] === null;
        const term = isHeld ? 0 : rounded(Math.exp(logit), decimals);
        assert.equal(terms[j] ?? 0, term);
        const coupling = isHeld ? pin.coupling : rounded((rest * term) / sum, DECIMALS);
        assert.equal(now.couplings[j], coupling);
      });
      const total = terms.reduce((all, term) => all + (term ?? 0), 0);
      assert.equal(rounded(total, decimals), sum);
    });
  }
});

test("a vote is found in those for its digit", () => {
  const votes = tensor([2, 1, 1, 3], [4, 5, 6, 10, 11, 12]);
  assert.deepEqual([...voteOf(votes, 1)], [10, 11, 12]);
});

test("squash comes out as it is written, whatever the capsule", () => {
  const random = seededRandom(5);
  for (let round = 0; round < 500; round++) {
    const reach = 0.24 * random() ** 2;
    const capsule = Array.from({ length: 16 }, () => (2 * random() - 1) * reach);
    const { before, squared, after, decimals } = squashOf(capsule);
    assert.equal(after, rounded(Math.hypot(...capsule), DECIMALS));
    assert.equal(rounded(before ** 2, decimals), squared);
    assert.equal(rounded(squared / (1 + squared), DECIMALS), after);
  }
});

test("a vote's way, worked out by hand", () => {
  // v = (0.3, 0.4) is 0.5 long, so s is twice as long.
  const { most, ...full } = voteInFull([0.5, -0.25], 0.2, [0.3, 0.4]);
  assert.ok(most > 0 && most < 0.002);
  assert.deepEqual(full, {
    vote: [0.5, -0.25],
    added: [0.1, -0.05],
    factor: "0.5000",
    total: [0.6, 0.8],
    decimals: 4,
    capsule: [0.3, 0.4],
    products: [0.15, -0.1],
    sum: 0.05,
  });
});

test("without routing b stays 0, whatever agrees", () => {
  const rule = ruleOf({ ...NO_SURGERY, routing: "uniform" }, 0);
  const course = courseOf(
    agreementsOf(
      [
        [0.5, 1],
        [0.5, 1],
      ],
      0,
    ),
    0,
    rule,
  );
  for (const { logits, couplings, agreement, next } of course) {
    assert.deepEqual(logits, [0, 0]);
    assert.deepEqual(couplings, [0.5, 0.5]);
    assert.deepEqual(agreement, [0.5, 1]);
    assert.deepEqual(next, [0, 0]);
  }
});
