/** What tests of EM routing begin with: a small network, named as matrix capsules are. */
import { viewStore } from "../../../../../static/js/core/rooms.js";
import { createNetwork } from "../../../../../static/js/kinds/network.js";
import { emRouting } from "../../../../../static/js/kinds/routing/em/kind.js";
import { scenesOf } from "../../../../../static/js/kinds/routing/em/scene.js";
import { blank, listed, MODEL, seededRandom, tensor } from "../../../fixtures.js";
import { LAYERS as DESCRIBED } from "../../../networks/layers.js";
import { makers } from "../../../networks/making.js";

const POSE = 16;

/** Two types of capsules below, three classes. */
const GRIDS = {
  primary: { types: 2, side: 11 },
  caps1: { types: 2, side: 5 },
  caps2: { types: 2, side: 3 },
  classes: { types: 3, side: 1 },
};
const BELOW = { classes: "caps2", caps2: "caps1", caps1: "primary" };
const WINDOWS = { caps1: { size: 3, step: 2 }, caps2: { size: 3, step: 1 } };

export const SMALL = {
  ...MODEL,
  id: "matrix",
  classes: 3,
  class_names: ["0", "1", "2"],
  card: { config: { variance_floor: 1 } },
  tensors: listed({
    "routing.activations": [3, 3],
    "caps2.routing.activations": [3, 2, 3, 3],
    "caps1.routing.activations": [3, 2, 5, 5],
  }),
};

const { tensors, weights, words } = DESCRIBED.matrix.find(({ id }) => id === "routing");
const other = { name: "", needs: [], thumbnail: { needs: [], paint() {} } };
const beneath = (id, below) => ({
  id,
  below,
  title: id,
  kind: other,
  tensors: {},
  window: () => WINDOWS[id] ?? { size: 5, step: 2 },
});

export const network = createNetwork({
  layers: [
    beneath("primary"),
    beneath("caps1", "primary"),
    beneath("caps2", "caps1"),
    {
      id: "routing",
      title: "EM routing",
      kind: emRouting,
      below: "caps2",
      tensors,
      weights,
      words,
    },
  ],
  model: SMALL,
});
export const { made } = makers(network, SMALL);

/**
 * EM routing as the paper's Procedure 1 has it, with loops: to a layer, from random votes
 * and activations. The results are tensors as a trace holds them.
 */
function routedTensors(model, above, random, { iterations = 3, learned, presence }) {
  const below = BELOW[above];
  const [lower, upper] = [GRIDS[below], GRIDS[above]];
  const { size, step: stride } = WINDOWS[above] ?? { size: lower.side, step: 1 };
  const children = lower.types * lower.side ** 2;
  const parents = upper.types * upper.side ** 2;
  const at = (number, side) => ({
    type: Math.floor(number / side ** 2),
    row: Math.floor((number % side ** 2) / side),
    column: number % side,
  });
  const slot = (child, parent) => {
    const [i, j] = [at(child, lower.side), at(parent, upper.side)];
    const [row, column] = [i.row - stride * j.row, i.column - stride * j.column];
    const isSeen = row >= 0 && row < size && column >= 0 && column < size;
    return isSeen ? (i.type * size + row) * size + column : -1;
  };
  const active = presence ?? Array.from({ length: children }, random);
  const slots = lower.types * size ** 2;
  const votes = new Float32Array(parents * slots * POSE).map(() => 4 * random() - 2);
  const voteAt = (child, parent) =>
    above === "classes"
      ? (slot(child, parent) * upper.types + parent) * POSE
      : (parent * slots + slot(child, parent)) * POSE;
  const isSeen = (child, parent) => slot(child, parent) >= 0;
  const range = (count) => Array.from({ length: count }, (_, i) => i);

  const heat = (t) => (1 - 0.95 ** (t + 1)) / (1 - 0.95 ** model.routing_iterations);
  let R = range(children).map((i) => {
    const reach = range(parents).filter((j) => isSeen(i, j));
    return range(parents).map((j) => (isSeen(i, j) ? 1 / reach.length : 0));
  });
  const even = R;
  const results = {
    assignments: [],
    means: [],
    deviations: [],
    activations: [],
    costs: [],
  };
  for (let t = 0; t < iterations; t++) {
    const fits = range(parents).map((j) => {
      const type = at(j, upper.side).type;
      const mine = range(children).filter((i) => isSeen(i, j));
      const mass = mine.reduce((sum, i) => sum + R[i][j] * active[i], 0);
      const evenMass = mine.reduce((sum, i) => sum + even[i][j] * active[i], 0);
      const mean = range(POSE).map(
        (h) =>
          mine.reduce(
            (sum, i) => sum + R[i][j] * active[i] * votes[voteAt(i, j) + h],
            0,
          ) /
          (mass + 1e-8),
      );
      const deviation = range(POSE).map((h) => {
        const variance =
          mine.reduce(
            (sum, i) =>
              sum + R[i][j] * active[i] * (votes[voteAt(i, j) + h] - mean[h]) ** 2,
            0,
          ) /
          (mass + 1e-8);
        return Math.sqrt(variance + model.card.config.variance_floor);
      });
      const cost =
        (mass / (evenMass + 1e-8)) *
        deviation.reduce(
          (sum, sigma) => sum + learned.betaU.data[type] + Math.log(sigma),
          0,
        );
      const logit =
        learned.lambda.data[0] * heat(t) * (learned.betaA.data[type] - cost);
      return { mean, deviation, cost, activation: 1 / (1 + Math.exp(-logit)) };
    });
    results.assignments.push(...R.flat());
    results.means.push(...fits.flatMap(({ mean }) => mean));
    results.deviations.push(...fits.flatMap(({ deviation }) => deviation));
    results.activations.push(...fits.map(({ activation }) => activation));
    results.costs.push(...fits.map(({ cost }) => cost));
    R = R.map((_, i) => {
      const claims = fits.map(({ mean, deviation, activation }, j) => {
        if (!isSeen(i, j)) return 0;
        let density = activation;
        for (let h = 0; h < POSE; h++)
          density *=
            Math.exp(-(((votes[voteAt(i, j) + h] - mean[h]) / deviation[h]) ** 2) / 2) /
            deviation[h];
        return density;
      });
      const total = claims.reduce((sum, claim) => sum + claim, 0);
      return claims.map((claim) => claim / total);
    });
  }
  const prefix = above === "classes" ? "" : `${above}.`;
  const grid =
    above === "classes" ? [upper.types] : [upper.types, upper.side, upper.side];
  const shape = (...numbers) => [iterations, ...grid, ...numbers];
  return {
    [`${below}.activations`]: tensor([lower.types, lower.side, lower.side], active),
    [`${prefix}votes`]: tensor([votes.length], votes),
    [`${prefix}routing.assignments`]: tensor(
      [iterations, lower.types, lower.side, lower.side, ...grid],
      results.assignments,
    ),
    [`${prefix}routing.means`]: tensor(shape(POSE), results.means),
    [`${prefix}routing.deviations`]: tensor(shape(POSE), results.deviations),
    [`${prefix}routing.activations`]: tensor(shape(), results.activations),
    [`${prefix}routing.costs`]: tensor(shape(), results.costs),
  };
}

/** What a layer might have learned. */
function learnedBy(above, random) {
  const some = (of) => tensor([types], Array.from({ length: types }, of));
  const { types } = GRIDS[above];
  return {
    betaU: some(() => -0.5 - 0.2 * random()),
    betaA: some(() => -6 - 2 * random()),
    lambda: tensor([1], [0.4]),
  };
}

/** The layers that are routed to. */
export const LAYERS = ["classes", "caps2", "caps1"];

const VIEW = network.views.find(({ id }) => id === "routing");

/** The scene that a page would show. */
export function sceneAt(above, seed, step, patch = {}, options = {}) {
  const random = seededRandom(seed);
  const weights = {};
  const tensors = {};
  for (const layer of LAYERS) {
    const learned = learnedBy(layer, random);
    weights[`${layer}.beta_u`] = learned.betaU;
    weights[`${layer}.beta_a`] = learned.betaA;
    weights[`${layer}.inverse_temperature`] = learned.lambda;
    Object.assign(
      tensors,
      routedTensors(SMALL, layer, random, { learned, ...options }),
    );
  }
  const pixels = blank();
  const trace = { model: SMALL.id, pixels, options: {}, prediction: 1, tensors };
  const start = { view: "routing", trace, weights, routed: above, step };
  const { own, store } = made(start, SMALL);
  const chosen = { ...store.get().slices[SMALL.id], caps1: 0, caps2: 0, primary: 0 };
  store.set({
    slices: { [SMALL.id]: { ...chosen, ...patch } },
    classIndex: patch.classIndex ?? null,
  });
  return scenesOf(viewStore(own, VIEW)).shown();
}

export const scenes = () =>
  LAYERS.flatMap((above) => [0, 1, 2].map((step) => sceneAt(above, step, step + 1)));
