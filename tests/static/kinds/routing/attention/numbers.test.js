/** Attention routing's sums, held to the paper's equations worked out one number at a time. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  giftsOf,
  sharesOf,
  stepsOf,
} from "../../../../../static/js/kinds/routing/attention/numbers.js";
import { dot, INPUTS, norm, runs, total } from "./made.js";

const near = (value, expected, what, tolerance = 2e-5) =>
  assert.ok(
    Math.abs(value - expected) <= tolerance * Math.max(1, Math.abs(expected)),
    `${what}: ${value}, not ${expected}`,
  );

test("every step of every vote is what the equations say, surgery or not", () => {
  for (const { scene, run, network } of runs()) {
    const { tensors, learned, ran, capsule: i, classIndex: n } = scene;
    const steps = stepsOf(tensors, learned, ran, i, n);
    run.votes[i][n].forEach((x, d) => {
      near(steps.vote[d], x, "vote");
    });
    const sum = total(run.votes.map((row) => row[n]));
    steps.total.forEach((x, d) => {
      near(x, sum[d], "sum");
    });
    near(steps.product, dot(run.votes[i][n], sum), "dot product");
    near(steps.scale, Math.sqrt(INPUTS), "scale");
    near(steps.agreement, run.agreement[i][n], "agreement");
    steps.shares.forEach((share, k) => {
      near(share, run.shares[i][k], "share");
    });
    near(steps.coupling, run.couplings[i][n], "coupling");
    assert.equal(
      steps.held !== null,
      ran.pins.some((pin) => pin.capsule === i && pin.classIndex === n),
    );
    if (steps.held === null) near(steps.prior, network.prior[i][n], "prior");
    near(steps.before, norm(run.sums[n]), "‖s‖");
    near(steps.after, norm(run.capsules[n]), "‖v‖");
  }
});

test("what capsules give adds up to the length before squash", () => {
  for (const { scene, run } of runs()) {
    const { classIndex: n, figures } = scene;
    const evidence = figures.evidence(n);
    const length = norm(run.sums[n]);
    near(
      evidence.reduce((sum, gift) => sum + gift, 0),
      length,
      "‖s‖",
    );
    evidence.forEach((gift, i) => {
      const along = length < 1e-9 ? 0 : dot(run.votes[i][n], run.sums[n]) / length;
      near(gift, run.couplings[i][n] * along, "given");
    });
    const shares = sharesOf(evidence);
    const added = evidence.filter((gift) => gift > 0).reduce((a, b) => a + b, 0);
    for (const share of shares) assert.ok(share <= 1);
    near(
      shares.reduce((sum, share) => sum + share, 0),
      added === 0 ? 0 : length / added,
      "shares",
    );
  }
});

test("what capsules give is their votes by their couplings, which add up to the sum", () => {
  for (const { scene, run } of runs()) {
    const { tensors, classIndex: n } = scene;
    const [gifts] = giftsOf(tensors, n);
    gifts.forEach((vector, i) => {
      vector.forEach((value, d) => {
        near(value, run.couplings[i][n] * run.votes[i][n][d], "given");
      });
    });
    near(norm(total(gifts)), norm(run.sums[n]), "the sum");
  }
});
