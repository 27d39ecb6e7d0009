/** What tests of matrix capsules begin with. */

import { network } from "../../../../static/js/networks/matrix/index.js";
import {
  gridOf,
  POSE,
  windowsOf,
} from "../../../../static/js/networks/matrix/places.js";
import { listed, MODEL, tensor } from "../../fixtures.js";
import { makers } from "../making.js";

export const SIZES = {
  image_size: 28,
  kernel_size: 5,
  conv1_kernels: 64,
  primary_types: 8,
  caps1_types: 8,
  caps2_types: 8,
  capsule_kernel: 3,
  classes: 10,
  routing_iterations: 3,
  variance_floor: 1,
};

export const MATRIX_MODEL = {
  ...MODEL,
  id: "matrix",
  architecture: "matrix",
  scores: "activation",
  card: { config: SIZES },
  tensors: listed({
    "conv1.pre": [64, 12, 12],
    "primary.poses": [8, 12, 12, 4, 4],
    "primary.activations": [8, 12, 12],
    "caps1.poses": [8, 5, 5, 4, 4],
    "caps1.activations": [8, 5, 5],
    "caps2.poses": [8, 3, 3, 4, 4],
    "caps2.activations": [8, 3, 3],
    "classes.poses": [10, 4, 4],
    scores: [10],
    reconstruction: [28, 28],
  }),
};

export const { stateWith, made } = makers(network, MATRIX_MODEL);

/** A model of few capsules: two types below, three classes. */
export const SMALL = {
  ...MATRIX_MODEL,
  classes: 3,
  class_names: ["0", "1", "2"],
  card: {
    config: {
      ...SIZES,
      primary_types: 2,
      caps1_types: 2,
      caps2_types: 2,
      classes: 3,
    },
  },
};

/**
 * EM routing as the paper's Procedure 1 has it, with loops: to a layer, from random votes
 * and activations. The results are tensors as a trace holds them.
 */
export function routedTensors(
  model,
  above,
  random,
  { iterations = 3, learned, presence },
) {
  const sizes = model.card.config;
  const below = { classes: "caps2", caps2: "caps1", caps1: "primary" }[above];
  const lower = gridOf(sizes, below);
  const upper = gridOf(sizes, above);
  const { size, stride } = windowsOf(sizes, above);
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
  const seen = (child, parent) => slot(child, parent) >= 0;
  const each = (count) => Array.from({ length: count }, (_, i) => i);

  const heat = (t) => (1 - 0.95 ** (t + 1)) / (1 - 0.95 ** model.routing_iterations);
  let R = each(children).map((i) => {
    const reach = each(parents).filter((j) => seen(i, j));
    return each(parents).map((j) => (seen(i, j) ? 1 / reach.length : 0));
  });
  const even = R;
  const found = {
    assignments: [],
    means: [],
    deviations: [],
    activations: [],
    costs: [],
  };
  for (let t = 0; t < iterations; t++) {
    const fits = each(parents).map((j) => {
      const type = at(j, upper.side).type;
      const mine = each(children).filter((i) => seen(i, j));
      const mass = mine.reduce((sum, i) => sum + R[i][j] * active[i], 0);
      const evenMass = mine.reduce((sum, i) => sum + even[i][j] * active[i], 0);
      const mean = each(POSE).map(
        (h) =>
          mine.reduce(
            (sum, i) => sum + R[i][j] * active[i] * votes[voteAt(i, j) + h],
            0,
          ) /
          (mass + 1e-8),
      );
      const deviation = each(POSE).map((h) => {
        const variance =
          mine.reduce(
            (sum, i) =>
              sum + R[i][j] * active[i] * (votes[voteAt(i, j) + h] - mean[h]) ** 2,
            0,
          ) /
          (mass + 1e-8);
        return Math.sqrt(variance + sizes.variance_floor);
      });
      const cost =
        (mass / (evenMass + 1e-8)) *
        deviation.reduce(
          (sum, sigma) => sum + learned.betaU[type] + Math.log(sigma),
          0,
        );
      const logit = learned.lambda * heat(t) * (learned.betaA[type] - cost);
      return { mean, deviation, cost, activation: 1 / (1 + Math.exp(-logit)) };
    });
    found.assignments.push(...R.flat());
    found.means.push(...fits.flatMap(({ mean }) => mean));
    found.deviations.push(...fits.flatMap(({ deviation }) => deviation));
    found.activations.push(...fits.map(({ activation }) => activation));
    found.costs.push(...fits.map(({ cost }) => cost));
    R = R.map((_, i) => {
      const claims = fits.map(({ mean, deviation, activation }, j) => {
        if (!seen(i, j)) return 0;
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
  const own = above === "classes" ? "" : `${above}.`;
  const grid =
    above === "classes" ? [upper.types] : [upper.types, upper.side, upper.side];
  const shape = (...numbers) => [iterations, ...grid, ...numbers];
  return {
    [`${below}.activations`]: tensor([lower.types, lower.side, lower.side], active),
    [`${own}votes`]: tensor([votes.length], votes),
    [`${own}routing.assignments`]: tensor(
      [iterations, lower.types, lower.side, lower.side, ...grid],
      found.assignments,
    ),
    [`${own}routing.means`]: tensor(shape(POSE), found.means),
    [`${own}routing.deviations`]: tensor(shape(POSE), found.deviations),
    [`${own}routing.activations`]: tensor(shape(), found.activations),
    [`${own}routing.costs`]: tensor(shape(), found.costs),
  };
}

/** What a layer might have learned. */
export function learnedBy(types, random) {
  return {
    transforms: tensor([0], []),
    betaU: Float32Array.from({ length: types }, () => -0.5 - 0.2 * random()),
    betaA: Float32Array.from({ length: types }, () => -6 - 2 * random()),
    lambda: 0.4,
  };
}
