/**
 * The votes for one digit, summed as routing sums them.
 */

/**
 * What routing makes of the votes: s = Σ c·û, and the mean with c as weights, s / Σ c.
 * @param {Float32Array} votes (capsules below, dim), û
 * @param {Float32Array} couplings (capsules below), c
 * @returns {{ sum: Float64Array, mean: Float64Array }} (dim) each
 */
export function weighVotes(votes, couplings) {
  const dim = votes.length / couplings.length;
  const sum = new Float64Array(dim);
  let weight = 0;
  for (let i = 0, at = 0; i < couplings.length; i++) {
    weight += couplings[i];
    for (let d = 0; d < dim; d++, at++) sum[d] += couplings[i] * votes[at];
  }
  return { sum, mean: sum.map((value) => value / (weight || 1)) };
}

/**
 * The strongest of the capsules below, whichever way they pull.
 * @param {Float32Array} evidence what each gives
 * @param {number} count
 * @returns {number[]} capsules, the largest magnitude first
 */
export function strongest(evidence, count) {
  /** @type {number[]} */
  const best = [];
  for (let i = 0; i < evidence.length; i++) {
    const size = Math.abs(evidence[i]);
    const isFull = best.length === count;
    if (isFull && size <= Math.abs(evidence[best[count - 1]])) continue;
    if (isFull) best.pop();
    let place = best.length;
    while (place > 0 && Math.abs(evidence[best[place - 1]]) < size) place--;
    best.splice(place, 0, i);
  }
  return best;
}
