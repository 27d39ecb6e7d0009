import assert from "node:assert/strict";
import { test } from "node:test";
import { layOutVotes } from "../../../../../static/js/kinds/routing/dynamic/vote-plane.js";
import { closeTo } from "../../../fixtures.js";
import { scenes } from "./scenes-made.js";

const LAYER = { tensors: { votes: "votes" } };

test("nothing is laid out before the votes are there", () => {
  const [{ scene }] = scenes();
  assert.equal(layOutVotes({ ...scene, more: {} }, LAYER), null);
});

test("the means are those of all votes, of which the silenced count for nothing", () => {
  const close = closeTo(0.02); // in half precision
  for (const { scene, steps } of scenes()) {
    const { classIndex, more, ran, step } = scene;
    const { shape, data } = more[`votes.${classIndex}`];
    const dim = shape.at(-1);
    const sum = new Array(dim).fill(0);
    let weight = 0;
    steps[step].couplings.forEach((own, i) => {
      weight += own[classIndex];
      if (ran.silenced.includes(i)) return;
      for (let d = 0; d < dim; d++) sum[d] += own[classIndex] * data[i * dim + d];
    });
    const { course } = layOutVotes(scene, LAYER);
    close(
      course.meanVotes[step],
      sum.map((value) => (weight > 0 ? value / weight : 0)),
    );
    const silent = layOutVotes({ ...scene, ran: { silenced: [3] } }, LAYER);
    assert.equal(silent.course.points, course.points, "points stay where they were");
  }
});

test("colours are shares of the most agreement in any iteration", () => {
  const close = closeTo(0.01);
  for (const { scene, steps } of scenes()) {
    const { classIndex, step } = scene;
    const of = (each) => each.agreement.map((own) => own[classIndex]);
    const most = Math.max(...steps.flatMap(of).map(Math.abs));
    if (most < 0.01) continue; // half precision knows little of what is so small
    const shares = of(steps[step]).map((value) => value / most);
    close(layOutVotes(scene, LAYER).tints, shares);
  }
});
