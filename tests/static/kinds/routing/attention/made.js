/** Runs of attention routing over many images and operations, by the paper's equations. */

import { figuresOf } from "../../../../../static/js/kinds/routing/attention/numbers.js";
import { NO_SURGERY } from "../../../../../static/js/kinds/routing/surgery/changes.js";
import { seededRandom, tensor } from "../../../fixtures.js";

export const [CAPSULES, CLASSES, DIM, INPUTS] = [5, 4, 6, 3];
export const NAMES = ["zero", "one", "two", "three"];
export const MODEL = {
  class_names: NAMES,
  classes: CLASSES,
  scores: "length",
  present: { at_most: 1, threshold: null },
};

export const range = (count) => Array.from({ length: count }, (_, i) => i);
export const dot = (a, b) => a.reduce((sum, x, d) => sum + x * b[d], 0);
export const norm = (vector) => Math.sqrt(dot(vector, vector));
export const total = (vectors) =>
  range(DIM).map((d) => vectors.reduce((sum, vector) => sum + vector[d], 0));

/** Eqs. 4 to 7 and 2, one number at a time, with surgery. */
export function route({ poses, transforms, prior }, { silenced, routing, pins }) {
  const heard = poses.map((pose, i) =>
    silenced.includes(i) ? pose.map(() => 0) : pose,
  );
  const votes = heard.map((pose, i) =>
    transforms[i].map((matrix) => matrix.map((row) => dot(row, pose))),
  );
  const attention = votes.map((row) =>
    votes.map((others) =>
      row.map((vote, n) => dot(vote, others[n]) / Math.sqrt(INPUTS)),
    ),
  );
  const agreement = attention.map((rows) =>
    range(CLASSES).map((n) => rows.reduce((sum, row) => sum + row[n], 0)),
  );
  const shares = agreement.map((row, i) => {
    const pin = pins.find(({ capsule }) => capsule === i);
    const powers = row.map((a, n) =>
      n === pin?.classIndex ? 0 : Math.exp(routing === "uniform" ? 0 : a),
    );
    const sum = powers.reduce((a, b) => a + b);
    return powers.map((power, n) =>
      n === pin?.classIndex ? pin.coupling : ((1 - (pin?.coupling ?? 0)) * power) / sum,
    );
  });
  const couplings = shares.map((row, i) =>
    row.map((share, n) =>
      pins.some(({ capsule, classIndex }) => capsule === i && classIndex === n)
        ? share
        : share + prior[i][n],
    ),
  );
  const sums = range(CLASSES).map((n) =>
    total(votes.map((row, i) => row[n].map((x) => couplings[i][n] * x))),
  );
  const capsules = sums.map((s) => {
    const length = norm(s);
    return s.map((x) => (length === 0 ? 0 : ((1 - Math.exp(-length)) * x) / length));
  });
  return { votes, attention, agreement, shares, couplings, sums, capsules };
}

/** Images of many kinds, each with what is operated on it. */
function* images() {
  const random = seededRandom(27);
  const between = (low, high) => low + (high - low) * random();
  const numbers = (...shape) =>
    shape.length === 0
      ? between(-1, 1)
      : range(shape[0]).map(() => numbers(...shape.slice(1)));
  for (let image = 0; image < 60; image++) {
    const size = [0, 0.1, 1, 2, 0.5][image % 5]; // from a silent layer below to strong votes
    const poses = numbers(CAPSULES, INPUTS).map((pose) =>
      pose.map((x) => size * (x + 0.3)),
    );
    const transforms = numbers(CAPSULES, CLASSES, DIM, INPUTS);
    const shift = [-1 / CLASSES, 0.1, -0.6][image % 3];
    const prior = numbers(CAPSULES, CLASSES).map((row) =>
      row.map((x) => shift + 0.05 * x),
    );
    const pins = [];
    if (image % 4 === 1)
      pins.push({ capsule: 2, classIndex: 1, coupling: between(0, 1) });
    if (image % 4 === 2) pins.push({ capsule: 0, classIndex: 3, coupling: 1 });
    const silenced = image % 7 === 6 ? range(CAPSULES) : image % 6 === 5 ? [1, 3] : [];
    const routing = image % 5 === 3 || image % 9 === 8 ? "uniform" : "agreement";
    yield {
      poses,
      transforms,
      prior,
      surgery: { ...NO_SURGERY, silenced, routing, pins },
    };
  }
}

/** The scene of every image, class and capsule, with what was computed for it. */
export function* runs() {
  for (const { surgery: ran, ...network } of images()) {
    const run = route(network, ran);
    const of = (values, ...shape) => tensor(shape, values.flat(9));
    const { votes, attention, agreement, shares, couplings, capsules } = run;
    const tensors = {
      lengths: of(network.poses.map(norm), CAPSULES),
      poses: of(network.poses, CAPSULES, INPUTS),
      votes: of(votes, CAPSULES, CLASSES, DIM),
      attention: of(attention, CAPSULES, CAPSULES, CLASSES),
      agreement: of(agreement, CAPSULES, CLASSES),
      shares: of(shares, CAPSULES, CLASSES),
      couplings: of(couplings, CAPSULES, CLASSES),
      capsules: of(capsules, CLASSES, DIM),
    };
    const learned = {
      transforms: of(network.transforms, CAPSULES, CLASSES, DIM, INPUTS),
      prior: of(network.prior, CAPSULES, CLASSES),
    };
    for (let classIndex = 0; classIndex < CLASSES; classIndex++)
      for (let capsule = 0; capsule < CAPSULES; capsule++) {
        const scene = {
          tensors,
          learned,
          ran,
          classIndex,
          capsule,
          model: MODEL,
          name: NAMES[classIndex],
          figures: figuresOf(tensors),
          other: 0,
          entry: 0,
        };
        yield { scene, run, network };
      }
  }
}

export const scenes = () => Array.from(runs(), ({ scene }) => scene);
