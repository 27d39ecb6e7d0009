import assert from "node:assert/strict";
import { test } from "node:test";
import { formOf as attentionOf } from "../../../../static/js/kinds/routing/attention/form.js";
import {
  besideWords,
  leadsSince,
  rankedAt,
} from "../../../../static/js/kinds/routing/beside-words.js";
import { formOf as agreementOf } from "../../../../static/js/kinds/routing/dynamic/form.js";
import {
  formOf as emOf,
  logDensities,
} from "../../../../static/js/kinds/routing/em/form.js";
import { anyTensor, closeTo, says, seededRandom, tensor } from "../../fixtures.js";

const NAMES = ["4", "9"];
const named = (...roles) => Object.fromEntries(roles.map((role) => [role, role]));
const agreement = agreementOf({
  tensors: named("capsules", "couplings", "agreement"),
  words: { network: "the CapsNet" },
});
const em = emOf({
  tensors: named("votes", "assignments", "means", "deviations", "activations"),
  words: { network: "matrix capsules" },
});

const close = closeTo(1e-6);
const near = (found, expected) => close(found.flat(), expected.flat());

test("a class leads since it was overtaken last", () => {
  const scores = [
    [0.3, 0.2, 0.5, 0.9],
    [0.2, 0.3, 0.4, 0.1],
  ];
  assert.equal(leadsSince({ scores }), 2);
  assert.equal(leadsSince({ scores: scores.slice(0, 1) }), 0);
  assert.deepEqual(rankedAt(scores, 1), [1, 0]);
});

test("the CapsNet's lengths, couplings and agreements make a course", () => {
  const course = agreement.courseOf({
    tensors: {
      capsules: tensor([1, 2, 2], [0.6, 0.8, 0, 0.5]),
      couplings: tensor([1, 2, 1, 1, 2], [0.75, 0.25, 0.25, 0.75]),
      agreement: tensor([1, 2, 1, 1, 2], [1, 2, 3, 5]),
    },
  });
  near(course.scores, [[1], [0.5]]);
  near(course.shares, [[0.5], [0.5]]);
  near(course.largest, [[0.75], [0.75]]);
  near(course.fits, [[2], [3.5]]);
  assert.equal(course.capsules, 2);
});

test("a log density is that of sixteen independent Gaussians", () => {
  const sixteen = (value) => Array.from({ length: 16 }, () => value);
  const votes = tensor([1, 1, 1, 1, 16], sixteen(3));
  const means = tensor([1, 1, 16], sixteen(1));
  const deviations = tensor([1, 1, 16], sixteen(2));
  const { shape, data } = logDensities(votes, means, deviations);
  assert.deepEqual(shape, [1, 1, 1]);
  const density = Math.exp(-0.5) / (2 * Math.sqrt(2 * Math.PI));
  assert.ok(Math.abs(data[0] - 16 * Math.log(density)) < 1e-4);
});

test("EM routing's activations and assignments make a course", () => {
  const zeros = (shape) => anyTensor(() => 0, shape, 0);
  const ones = anyTensor(() => 1, [1, 2, 16], 0);
  const course = em.courseOf({
    tensors: {
      votes: zeros([2, 1, 1, 2, 16]),
      assignments: tensor([1, 2, 1, 1, 2], [1, 0, 0.5, 0.5]),
      means: zeros([1, 2, 16]),
      deviations: ones,
      activations: tensor([1, 2], [0.9, 0.1]),
    },
  });
  near(course.scores, [[0.9], [0.1]]);
  near(course.shares, [[0.75], [0.25]]);
  assert.equal(course.capsules, 2);
  near(course.fits, [[-8 * Math.log(2 * Math.PI)], [-8 * Math.log(2 * Math.PI)]]);
});

const side = (form, scores, shares) => ({
  form,
  course: { capsules: 72, scores, shares, largest: shares, fits: shares },
});

const matrix = side(
  em,
  [
    [0.2, 0.9],
    [0.3, 0.1],
  ],
  [
    [0.5, 0.75],
    [0.5, 0.25],
  ],
);

test("what both say follows from their numbers", () => {
  const capsnet = side(
    agreement,
    [
      [0.2, 0.95],
      [0.1, 0.3],
    ],
    [
      [0.5, 0.5001],
      [0.5, 0.4999],
    ],
  );
  says(
    besideWords([capsnet, matrix], NAMES),
    "as 4…length 0.95…as 4…activation 0.90…from iteration 1…from iteration 2",
  );
  says(
    besideWords([matrix, matrix], NAMES),
    "In both, 4 leads from iteration 2…by +0.250…by +0.250",
  );
});

test("after one iteration nothing is said to be routed, in any image", () => {
  const random = seededRandom(12);
  const perClass = (steps) =>
    NAMES.map(() => Array.from({ length: steps }, () => random()));
  for (let run = 0; run < 50; run++) {
    const counts = [1 + (run % 4), 1 + (Math.floor(run / 4) % 4)];
    const [capsnet, matrix] = counts.map((steps, i) =>
      side([agreement, em][i], perClass(steps), perClass(steps)),
    );
    const words = besideWords([capsnet, matrix], NAMES);
    [capsnet, matrix].forEach(({ form, course }, i) => {
      const isStill = counts[i] === 1;
      const said = `Only one iteration ran in ${form.network}: nothing was routed.`;
      assert.equal(words.includes(said), isStill, words);
      const moved = new RegExp(`by ([+−]?[\\d.]+) in ${form.network}`).exec(words);
      assert.equal(moved === null, isStill, words);
      if (moved === null) return;
      const [winner] = rankedAt(course.scores, counts[i] - 1);
      const shares = course.shares[winner];
      const by = Number(moved[1].replace("−", "-"));
      assert.ok(Math.abs(by - (shares[counts[i] - 1] - shares[0])) < 0.00051, words);
    });
  }
});

test("a network that names two classes, or none, is said to", () => {
  const one = side(agreement, [[0.9], [0.8]], [[0.5], [0.5]]);
  const words = besideWords(
    [
      { ...one, present: [0, 1] },
      { ...one, present: [] },
    ],
    NAMES,
  );
  says(words, "as 4 and 9 by…0.90 and 0.80…as none by…0.90");
});

const attention = attentionOf({
  tensors: named("scores", "shares", "agreement"),
  words: { network: "Efficient-CapsNet" },
});

test("attention's scores, shares and agreement are those of one comparison", () => {
  const course = attention.courseOf({
    tensors: {
      scores: tensor([2], [0.9, 0.1]),
      shares: tensor([2, 2], [0.75, 0.25, 1, 0]),
      agreement: tensor([2, 2], [1, 2, 3, 5]),
    },
  });
  near(course.scores, [[0.9], [0.1]]);
  near(course.shares, [[0.875], [0.125]]);
  near(course.largest, [[1], [0.25]]);
  near(course.fits, [[2], [3.5]]);
  assert.equal(course.capsules, 2);
});

test("three routings are told in one breath, and attention not as an iteration", () => {
  const capsnet = side(
    agreement,
    [
      [0.2, 0.95],
      [0.1, 0.3],
    ],
    [
      [0.5, 0.51],
      [0.5, 0.49],
    ],
  );
  const once = side(attention, [[0.99], [0.1]], [[0.9], [0.1]]);
  const words = besideWords([capsnet, matrix, once], NAMES);
  says(words, "(length 0.95)…(activation 0.90)…by Efficient-CapsNet (length 0.99).");
  says(
    words,
    "4 leads from iteration 1 on in the CapsNet, and from iteration 2 on in matrix",
  );
  says(words, "c to 4 goes from 0.500 to 0.510 over 2…R to 4 goes from 0.500 to 0.750");
  says(
    words,
    "softmax(a) to 4 is 0.900…by +0.400 in Efficient-CapsNet, by +0.250…by +0.010",
  );
  says(besideWords([matrix, matrix, once], NAMES), "and matrix capsules, 4 leads from");
  says(besideWords([capsnet, once], NAMES), "4 leads from iteration 1 on in");
  assert.doesNotMatch(words, /nothing was routed/);
});

test("networks that read differently are not said to lead alike", () => {
  const four = side(agreement, [[0.9], [0.1]], [[0.5], [0.5]]);
  const nine = side(em, [[0.1], [0.9]], [[0.5], [0.5]]);
  const words = besideWords([four, nine], NAMES);
  assert.match(words, /as 4 by the CapsNet .* as 9 by matrix capsules/);
  assert.doesNotMatch(words, /leads/);
  assert.match(words, /the mean assignment R to 9 is 0\.500\./);
});
