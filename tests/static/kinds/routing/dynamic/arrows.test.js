/** Arrows of votes: exact projections, and what the plane leaves out. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { movingOf } from "../../../../../static/js/kinds/routing/dynamic/agreement.js";
import {
  arrowsOf,
  SHOWN,
} from "../../../../../static/js/kinds/routing/dynamic/arrows.js";
import { planeOf } from "../../../../../static/js/kinds/routing/plane.js";
import { closeTo, tensor } from "../../../fixtures.js";
import { anyRun, CLASSES, DIM, runOf, STEPS } from "./arrows-made.js";

const near = closeTo(1e-5);
const dot = (a, b) => a.reduce((sum, value, d) => sum + value * b[d], 0);

test("three votes whose places are known by hand", () => {
  // v lies along the first number; besides it, votes are longest along the third.
  const votes = [
    [0.3, 0, 0.4, 0],
    [3, 0.1, 0, 0],
    [1, 0, -2, 0],
  ];
  const run = runOf({ votes, pose: [0.5, 0, 0, 0], couplings: [0.1, 0.05, 0.35] });
  const arrows = arrowsOf(run.tensors, run.votes, 0, []);
  assert.deepEqual(arrows.capsules, [1, 2, 0]);
  const up = [0, 2, -0.4]; // on the side of their sum, which is below along the third
  arrows.capsules.forEach((capsule, i) => {
    near(arrows.tips[2 * i], votes[capsule][0]);
    near(arrows.tips[2 * i + 1], up[i], 0.01);
    near(arrows.lengths[i], Math.hypot(...votes[capsule]));
  });
  near(arrows.means[0], (0.1 * 0.3 + 0.05 * 3 + 0.35 * 1) / 0.5);
  near(arrows.poses[0], 0.5);
  near(arrows.poses[1], 0);
  const held = runOf({ votes, pose: [0.5, 0, 0, 0], couplings: [0, 0, 0] });
  assert.deepEqual([...arrowsOf(held.tensors, held.votes, 0, []).means], [0, 0]);
});

test("no direction at right angles to v holds more of the votes", () => {
  const { tensors, votes, random } = anyRun(2);
  const arrows = arrowsOf(tensors, votes, 1, []);
  const rows = arrows.capsules.map((i) => votes.data.subarray(i * DIM, (i + 1) * DIM));
  const from = ((STEPS - 1) * CLASSES + 1) * DIM;
  const pose = [...tensors.capsules.data.subarray(from, from + DIM)];
  const right = pose.map((value) => value / Math.hypot(...pose));
  const whole = rows.reduce((sum, row) => sum + dot(row, row), 0);
  let most = 0;
  for (let turn = 0; turn < 3000; turn++) {
    const any = Array.from({ length: DIM }, () => random() - 0.5);
    const along = dot(any, right);
    const rest = any.map((value, d) => value - along * right[d]);
    const way = rest.map((value) => value / Math.hypot(...rest));
    const held = rows.reduce(
      (sum, row) => sum + dot(row, right) ** 2 + dot(row, way) ** 2,
      0,
    );
    most = Math.max(most, held / whole);
  }
  const share = arrows.tips.reduce((sum, value) => sum + value ** 2, 0) / whole;
  assert.ok(most <= share + 1e-6);
  near(most, share, 0.02); // and thousands of tries come close
});

test("the longest votes are shown, without the silenced and those of no length", () => {
  const { tensors, votes } = anyRun(3);
  const longest = (silenced) => {
    const lengths = Array.from({ length: votes.data.length / DIM }, (_, i) =>
      silenced.includes(i)
        ? 0
        : Math.hypot(...votes.data.subarray(i * DIM, (i + 1) * DIM)),
    );
    const order = lengths.map((_, i) => i).sort((a, b) => lengths[b] - lengths[a]);
    return order.slice(0, SHOWN);
  };
  const all = arrowsOf(tensors, votes, 0, []).capsules;
  assert.deepEqual(all, longest([]));
  const silenced = [all[0], all[4]];
  assert.deepEqual(arrowsOf(tensors, votes, 0, silenced).capsules, longest(silenced));
  const none = tensor(votes.shape, new Float32Array(votes.data.length));
  const blank = arrowsOf(tensors, none, 0, []);
  assert.deepEqual([blank.capsules, [...blank.tips]], [[], []]);
});

test("a plane has two directions of length 1 at right angles, whatever it is of", () => {
  const cases = [
    [
      [1, 0, 0, 0],
      [
        [2, 0, 0, 0],
        [-1, 0, 0, 0],
      ],
    ], // all votes lie along v
    [
      [0, 0, 0, 0],
      [
        [0, 3, 0, 0],
        [0, 2, 1, 0],
      ],
    ], // v has no length
    [[0, 0, 0, 0], []],
    [[0.5, 0.5, 0, 0.1], [[1, 2, 3, 4]]],
  ];
  for (const [pose, votes] of cases) {
    const { right, up } = planeOf(
      Float32Array.from(votes.flat()),
      Float32Array.from(pose),
    );
    near(Math.hypot(...right), 1);
    near(Math.hypot(...up), 1);
    near(dot(right, up), 0);
  }
});

test("what moves are couplings, shares of the most agreement, and both ends", () => {
  const arrows = {
    couplings: [Float32Array.of(0.5, 0.5), Float32Array.of(0.25, 0.75)],
    agreement: [Float32Array.of(1, -2), Float32Array.of(2, 0)],
    means: Float32Array.of(1, 2, 3, 4),
    poses: Float32Array.of(5, 6, 7, 8),
  };
  const other = { agreement: [Float32Array.of(4)] };
  assert.deepEqual(
    [...movingOf(arrows, 0, [arrows, other])],
    [0.5, 0.5, 0.25, -0.5, 1, 2, 5, 6],
  );
  assert.deepEqual([...movingOf(arrows, 1, [arrows])], [0.25, 0.75, 1, 0, 3, 4, 7, 8]);
  const none = { ...arrows, agreement: [Float32Array.of(0, 0)] };
  assert.deepEqual([...movingOf(none, 0, [none])], [0.5, 0.5, 0, 0, 1, 2, 5, 6]);
});
