/** The tensors that the views of the pooling layers are drawn from. */

export const NEEDS = /** @type {const} */ ({
  pool1: ["conv1.relu", "pool1", "pool1.winners", "scores"],
  pool2: ["conv2.relu", "pool2", "pool2.winners", "scores"],
});

/** @typedef {keyof typeof NEEDS} PoolName */

/** @typedef {typeof NEEDS["pool1"][number]} Pool1Need */

/** @typedef {typeof NEEDS["pool2"][number]} Pool2Need */
