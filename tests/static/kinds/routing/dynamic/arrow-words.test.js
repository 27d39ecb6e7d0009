/** What is said of the arrows, held to the numbers that it speaks of. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  readArrow,
  tellArrows,
} from "../../../../../static/js/kinds/routing/dynamic/arrow-words.js";
import { arrowsOf } from "../../../../../static/js/kinds/routing/dynamic/arrows.js";
import { says } from "../../../fixtures.js";
import { runOf } from "./arrows-made.js";

/** The arrows of votes with two numbers, for a capsule that points along the first. */
function told(votes, pose = [0.5, 0]) {
  const couplings = votes.map(() => 0.3);
  const run = runOf({ votes, pose, couplings });
  const arrows = arrowsOf(run.tensors, run.votes, 0, []);
  return { arrows, name: "4", step: 0 };
}

for (const [votes, words] of [
  [[[0, 0]], "Every vote for 4 is 0"],
  [[[1, 0]], "The only vote for 4 agrees with"],
  [[[-1, 0]], "The only vote for 4 disagrees with"],
  [[[0, 1]], "The only vote for 4 neither agrees nor disagrees"],
  [
    [
      [1, 0],
      [0, 0],
    ],
    "The longest of the 2 votes for 4 agrees",
  ],
  [
    [
      [1, 0],
      [2, 1],
    ],
    "All of the 2 longest of 2 votes for 4 agree with",
  ],
  [
    [
      [-1, 0],
      [-2, 1],
    ],
    "All of the 2 longest of 2 votes for 4 disagree with",
  ],
  [
    [
      [0, 1],
      [0, -2],
    ],
    "None of the 2 longest of 2 votes for 4",
  ],
  [
    [
      [1, 0],
      [-2, 1],
      [-3, 0],
      [0, 1],
    ],
    "Of the 4 longest of 4 votes for 4, 1 agrees…and 2 disagree.",
  ],
])
  test(`votes ${JSON.stringify(votes)} are told by the side that they point to`, () => {
    says(tellArrows(told(votes)), words);
  });

test("one vote is read with its numbers, and with its angle where v has a length", () => {
  says(readArrow(told([[3, 4]]), 0), "5.00…+3.00…+4.00…53°…c 0.3…+1");
  assert.doesNotMatch(readArrow(told([[3, 4]], [0, 0]), 0), /°/);
});
