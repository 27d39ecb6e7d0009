import assert from "node:assert/strict";
import { test } from "node:test";
import { findCost } from "../../../../../static/js/kinds/routing/em/arithmetic.js";
import { voicesOf } from "../../../../../static/js/kinds/routing/em/says.js";
import { tell, tellApart } from "../../../../../static/js/kinds/routing/em/story.js";
import {
  claimsOn,
  costOf,
  distancesOf,
  undecided,
  voteShares,
} from "../../../../../static/js/kinds/routing/em/sums.js";
import { closeTo } from "../../../fixtures.js";
import { LAYERS, sceneAt, scenes } from "./made.js";

/** Routing to a layer of the small model. */
function routing(above, seed = 1, options = {}) {
  return sceneAt(above, seed, 1, { [above]: 4 }, options).routed;
}

const near = closeTo(1e-4);

for (const above of LAYERS) {
  test(`cost and activation of ${above} come out as the network's own`, () => {
    const routed = routing(above);
    for (let step = 0; step < routed.iterations; step++) {
      for (let parent = 0; parent < routed.parents; parent++) {
        const { cost, activation } = costOf(routed, step, parent);
        near(cost, routed.cost(step, parent));
        near(activation, routed.activation(step, parent));
      }
    }
  });

  test(`claims on a child below ${above} are what the next iteration used`, () => {
    const routed = routing(above);
    for (const child of [0, 4, routed.children.length - 1]) {
      const claims = claimsOn(routed, 0, child);
      near(
        claims.reduce((sum, { share }) => sum + share, 0),
        1,
      );
      const used = routed.assignments(1);
      for (const { parent, share } of claims)
        if (parent >= 0) near(share, used[child * routed.parents + parent]);
    }
  });
}

test("a child is undecided at first, and its votes are shared evenly", () => {
  const routed = routing("classes");
  near(undecided(routed, 0), 1);
  assert.ok(undecided(routed, 2) < 0.99);
  for (const share of voteShares(routed, 0)) near(share, 1 / 3);
});

test("distances are those of votes from the mean", () => {
  const routed = routing("classes");
  const mean = routed.means(1, 2);
  const vote = routed.votes.subarray((2 * 18 + 5) * 16, (2 * 18 + 6) * 16);
  near(distancesOf(routed, 1, 2)[5], Math.hypot(...vote.map((v, h) => v - mean[h])));
});

test("the story follows from the numbers, whatever they are", () => {
  for (let seed = 1; seed <= 40; seed++) {
    const above = LAYERS[seed % 3];
    for (const step of [1, 2, 3]) {
      const scene = sceneAt(above, seed, step, { classIndex: seed % 3 });
      const words = tell(scene);
      assert.doesNotMatch(words, /NaN|undefined|null|Infinity/);
      const { course, parent, step: now } = scene;
      const activation = course.activations()[parent];
      if (now > 0) {
        const goes = /its activation (?:goes from (\S+) to|stays) (\S+?)[,;]/.exec(
          words,
        );
        near(Number(goes[2]), activation[now], 0.00051);
        if (goes[1]) near(Number(goes[1]), activation[now - 1], 0.00051);
        const [, even] = /with even assignments it would be (\S+) here\./.exec(words);
        const { betaA, cost } = costOf(scene.routed, 0, parent);
        const logit = scene.routed.lambda(now) * (betaA - cost);
        near(Number(even), 1 / (1 + Math.exp(-logit)), 0.00051);
        const [was, is] = [now - 1, now].map((at) => {
          const shares = scene.routed.assignments(at);
          return shares.filter((_, i) => i % scene.routed.parents === parent);
        });
        const moves = Array.from(is, (share, i) => share - was[i]);
        const phrases =
          / rises for (about \d+|\d+|hardly any) of .* falls for (about \d+|\d+|hardly any) /.exec(
            words,
          ) ?? ["", "0", "0"];
        for (const [i, sign] of [1, -1].entries()) {
          const count = moves.filter((move) => sign * move >= 0.01).length;
          const ways = [`${count}`, count === 0 ? "hardly any" : `about ${count}`];
          assert.ok(ways.includes(phrases[1 + i]), words);
        }
      }
      const all = course.activations().map((values) => values[now]);
      const first = all.indexOf(Math.max(...all));
      const lead = /(\S+) (?:is the most active|has overtaken|with [\d.]+ leads)/.exec(
        words,
      );
      if (lead) assert.equal(lead[1], String(first));
      const shares = course.shares()[first];
      assert.equal(
        /fewer votes than an even/.test(words),
        now > 0 && shares[now] < shares[0],
      );
    }
  }
});

test("a chosen capsule below is in focus where the window holds it", () => {
  const held = sceneAt("caps2", 3, 1, { caps2: 4, caps1: 12 });
  assert.deepEqual(held.childPosition, { type: 0, row: 2, column: 2 });
  const away = sceneAt("caps2", 3, 1, { caps2: 4, caps1: 0 });
  const { presence } = away.routed;
  assert.equal(presence[away.child], Math.max(...presence));
});

test("a folded panel says what the cost comes to", () => {
  for (const above of LAYERS)
    for (const step of [1, 2, 3]) {
      const scene = sceneAt(above, step, step, { [above]: 4 });
      const { routed, parent, name, step: at } = scene;
      const numbers = (words) =>
        words
          .replace(` ${name} `, " ")
          .match(/−?\d+\.\d+/g)
          .map((text) => Number(text.replace("−", "-")));

      const [cost, activation] = numbers(findCost(scene));
      near(cost, routed.cost(at, parent), 0.0051);
      near(activation, routed.activation(at, parent), 0.00051);
    }
});

test("what types say adds up to the class: the mean of their means is μ", () => {
  const routed = routing("classes");
  for (let step = 0; step < routed.iterations; step++) {
    const voices = voicesOf(routed, step, 1);
    const mean = routed.means(step, 1);
    near(
      voices.reduce((all, { share }) => all + share, 0),
      1,
    );
    mean.forEach((value, d) => {
      near(
        voices.reduce((all, { share, pose }) => all + share * pose[d], 0),
        value,
      );
    });
  }
});

/** A capsule whose votes move apart by a tenth while it becomes more active. */
function apart(was, is) {
  const logs = [was, is].map(({ log }) => new Float64Array(16).fill(Math.exp(log)));
  const routed = {
    ...{ parents: 1, presence: [1, 1] },
    assignments: (step) =>
      Float32Array.of([was, is][step].share, [was, is][step].share),
    deviations: (step) => logs[step],
    betaU: () => 0,
    betaA: () => 1,
    lambda: () => 1,
  };
  // What even assignments give is that of the first iteration.
  const course = { distances: () => [[1.9, 2]], activations: () => [[0.2, 0.9]] };
  return tellApart({ routed, course, step: 1, parent: 0, name: "4" });
}

test("it is told why a capsule is more active although its votes lie further apart", () => {
  const start = "So it is more active although its votes lie further apart: ";
  const cases = [
    [
      { share: 0.1, log: -1 },
      { share: 0.4, log: -1 },
      "more votes are assigned to it, 1.00 to 4.00 times an even share.",
    ],
    [
      { share: 0.1, log: 1 },
      { share: 0.05, log: 1 },
      "fewer votes have to be explained, 1.00 to 0.50 times an even share.",
    ],
    [
      { share: 0.1, log: 1 },
      { share: 0.1, log: 0.5 },
      "in sum over the numbers of a pose, log σ is lower.",
    ],
    [
      { share: 0.1, log: 1 },
      { share: 0.1, log: 1.5 },
      "λ is higher, and its cost is not lower.",
    ],
  ];
  for (const [was, is, reason] of cases) assert.equal(apart(was, is), start + reason);
  for (const scene of scenes()) {
    const words = tellApart(scene);
    const { course, step, parent } = scene;
    const [distances, activations] = [course.distances(), course.activations()];
    if (words === "" || step === 0) continue;
    assert.ok(distances[parent][step] > distances[parent][step - 1]);
    assert.ok(activations[parent][step] > activations[parent][step - 1]);
  }
});
