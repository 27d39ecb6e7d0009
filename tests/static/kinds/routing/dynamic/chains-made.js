/** Runs of routing with a few capsules, for tests of what types give. */
import { seededRandom, tensor } from "../../../fixtures.js";

export const [STEPS, CAPSULES, CLASSES, DIM] = [3, 30, 2, 4];

/** A run of any numbers; its agreement is that of its votes for the digit. */
export function anyRun(seed, { classIndex = 0, change = (value) => value } = {}) {
  const random = seededRandom(seed);
  const any = (count) => Array.from({ length: count }, () => change(random() - 0.4));
  const votes = tensor([CAPSULES, 1, 1, DIM], any(CAPSULES * DIM));
  const capsules = tensor([STEPS, CLASSES, DIM], any(STEPS * CLASSES * DIM));
  const size = STEPS * CAPSULES * CLASSES;
  const agreement = new Float32Array(size);
  for (let step = 0; step < STEPS; step++)
    for (let i = 0; i < CAPSULES; i++)
      for (let d = 0; d < DIM; d++)
        agreement[(step * CAPSULES + i) * CLASSES + classIndex] +=
          votes.data[i * DIM + d] *
          capsules.data[(step * CLASSES + classIndex) * DIM + d];
  const couplings = Float32Array.from({ length: size }, (_, at) =>
    at < CAPSULES * CLASSES ? 1 / CLASSES : random(),
  );
  const shape = [STEPS, CAPSULES, 1, 1, CLASSES];
  return {
    random,
    votes,
    tensors: {
      couplings: tensor(shape, couplings),
      agreement: tensor(shape, agreement),
      capsules: capsules,
    },
  };
}
