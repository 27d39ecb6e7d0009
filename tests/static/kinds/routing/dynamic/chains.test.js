/** Arrows of what types give: exact sums, laid end to end, and what the plane leaves out. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  chainOf,
  strongestTypes,
} from "../../../../../static/js/kinds/routing/agreement/chains.js";
import { placesOf } from "../../../../../static/js/kinds/routing/agreement/panel.js";
import { tellChains } from "../../../../../static/js/kinds/routing/agreement/words.js";
import {
  agreement,
  givenBy,
} from "../../../../../static/js/kinds/routing/dynamic/agreement.js";
import { planeOf } from "../../../../../static/js/kinds/routing/plane.js";
import { closeTo, says, tensor } from "../../../fixtures.js";
import { anyRun, CAPSULES, CLASSES, DIM, STEPS } from "./chains-made.js";
import { MODEL, norm, scenes } from "./made.js";

const near = closeTo(1e-5);
const dot = (a, b) => a.reduce((sum, value, d) => sum + value * b[d], 0);

/** Two iterations; three types of one capsule each vote for one class, whose pose lies along the first number. */
function byHand({ votes, couplings, silenced = [] }) {
  const tensors = {
    couplings: tensor([2, 3, 1, 1, 1], couplings),
    capsules: tensor([2, 1, 3], [0.2, 0, 0, 0.5, 0, 0]),
  };
  const gifts = givenBy(tensors, tensor([3, 1, 1, 3], votes.flat()), 0, 3, silenced);
  return { tensors, given: gifts };
}

const VOTES = [
  [4, 2, 0],
  [-1, 1, 0],
  [2, -3, 0],
];
const EVEN = [0.5, 0.5, 0.5, 1, 0, 0.5];

test("what types give is their votes by their couplings, in each iteration", () => {
  const { given } = byHand({ votes: VOTES, couplings: EVEN });
  assert.deepEqual(
    given.map((vectors) => vectors.map((vector) => [...vector])),
    [
      [
        [2, 1, 0],
        [-0.5, 0.5, 0],
        [1, -1.5, 0],
      ],
      [
        [4, 2, 0],
        [0, 0, 0],
        [1, -1.5, 0],
      ],
    ],
  );
  const silent = byHand({ votes: VOTES, couplings: EVEN, silenced: [0] }).given;
  assert.deepEqual([...silent[1][0]], [0, 0, 0]);
});

test("arrows are of the types that give most, and one of all others", () => {
  const { tensors, given: gifts } = byHand({ votes: VOTES, couplings: EVEN });
  const types = strongestTypes(gifts, [0.5, 0, 0]);
  assert.deepEqual(types, [0, 2]); // type 1 gives nothing in the end
  const chain = chainOf(gifts, tensors.capsules.data.subarray(3), types);
  // Up: on the side of the sum of all arrows, which is +0.5 along the second number.
  assert.deepEqual([...chain.arrows[0]], [2, 1, 1, -1.5, -0.5, 0.5]);
  chain.lengths[0].forEach((length, i) => {
    near(length, Math.hypot(...gifts[0][[0, 2, 1][i]]));
  });
  near(chain.sums[0], 2.5);
  near(chain.sums[1], Math.hypot(5, 0.5));
  near(chain.kept, 1);
});

test("laid end to end, arrows reach where the sum ends", () => {
  const { tensors, votes } = anyRun(4);
  const gifts = givenBy(tensors, votes, 1, CAPSULES, []);
  const pose = tensors.capsules.data.subarray(((STEPS - 1) * CLASSES + 1) * DIM);
  const types = strongestTypes(gifts, pose.subarray(0, DIM));
  const chain = chainOf(gifts, pose.subarray(0, DIM), types);
  assert.equal(types.length, 5);
  for (let step = 0; step < STEPS; step++) {
    const sum = Array.from({ length: DIM }, (_, d) =>
      gifts[step].reduce((so, vector) => so + vector[d], 0),
    );
    near(chain.sums[step], Math.hypot(...sum));
    const [x, y] = placesOf(chain.arrows[step]).at(-1);
    const right = pose
      .subarray(0, DIM)
      .map((value) => value / Math.hypot(...pose.subarray(0, DIM)));
    near(x, dot(sum, right), 1e-4);
    assert.ok(Math.hypot(x, y) <= chain.sums[step] + 1e-4);
  }
  assert.ok(chain.kept > 0 && chain.kept <= 1 + 1e-6);
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

const CHAIN = {
  types: [18, 21],
  arrows: [Float32Array.of(1, 0, -0.5, 0, 0, 0), Float32Array.of(2, 0, 0.25, 0, 0, 0)],
  sums: [0.5, 2.25],
};
const OTHER = { ...CHAIN, sums: [0.21, 0.21] };

test("sentences follow from the arrows", () => {
  const telling = { chains: [CHAIN, OTHER], names: ["4", "8"], group: "type" };
  says(
    tellChains({ ...telling, step: 0 }),
    "No votes have been compared yet. Laid end to end, the arrows for 4 reach 0.50, those for 8 0.21. Type 21 points backward.",
  );
  assert.equal(
    tellChains({ ...telling, step: 1 }),
    "The sum for 4 is 2.25 long, 4.5 times as long as at first; the sum for 8 is 0.21 long, as at first. Type 21 pointed backward at first, and has turned.",
  );
  const back = { ...CHAIN, arrows: [CHAIN.arrows[0], CHAIN.arrows[0]] };
  says(
    tellChains({ ...telling, chains: [back, OTHER], step: 1 }),
    "Type 21 points backward.",
  );
  says(
    tellChains({ ...telling, chains: [CHAIN], step: 0, isOnce: true }),
    "Laid end to end, the arrows for 4 reach 0.50. Type 21 points backward.",
  );
  const none = { ...CHAIN, types: [] };
  assert.equal(
    tellChains({ ...telling, chains: [none, OTHER], step: 1 }),
    "Nothing speaks for 4.",
  );
});

/** What is described, with all within it. */
const within = (content) =>
  [content]
    .flat(9)
    .flatMap((node) => [node, ...(node?.content?.flatMap(within) ?? [])]);

test("the decoder draws the class, and each part that speaks for it, in one request", () => {
  const model = { ...MODEL, can: { reconstruct: true }, input_shape: [1, 6, 6] };
  let both = 0;
  for (const scene of scenes()) {
    const n = agreement.numbers({ ...scene, model });
    const types = n.chains[0].types;
    const wishes = [];
    const decoded = (_model, run, some) => {
      assert.equal(run, scene.tensors.couplings);
      wishes.push(...some);
      const images = new Float32Array(36 * (types.length + 1)).map((_, i) => i / 36);
      return [{ types: some[0].types, images }];
    };
    const parts = within(agreement.picture(n, { decoded, chooseType() {} }));
    const [{ digit, poses }, ...others] = wishes;
    assert.deepEqual([digit, others], [scene.classIndex, []]);
    const [pose, ...typePoses] = poses();
    const votes = types.map((type) => n.given[0][scene.step][type]);
    typePoses.forEach((typePose, i) => {
      if (norm(votes[i]) > 1e-6) near(norm(typePose), norm(pose), 1e-4);
    });
    const labels = parts.map((part) => part?.attributes?.["aria-label"]);
    const against = parts.filter(({ content }) => content?.[0] === "−").length;
    const says = labels.filter((label) => label?.includes("its votes for")).length;
    assert.equal(says + against, types.length);
    both += says * against;
    assert.equal(
      against,
      types.filter((_, i) => !(n.chains[0].arrows[scene.step][2 * i] > 0)).length,
    );
  }
  assert.ok(both > 0); // some speak against the class
});
