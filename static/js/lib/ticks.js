/** Round numbers for an axis. */

/**
 * Ticks at multiples of 1, 2 or 5 times a power of ten, from 0 to the first that is not
 * below `most`.
 * @param {number} most the largest value that must find room
 * @param {number} [count] about how many steps
 * @returns {number[]} at least 0 and one more
 */
export function ticksTo(most, count = 4) {
  const end = most > 0 ? most : 1;
  const step = roundStep(end / count);
  // What a product of decimals misses by is no reason for one more tick.
  const steps = Math.max(1, Math.ceil(end / step - 1e-9));
  return Array.from({ length: steps + 1 }, (_, i) =>
    Number((i * step).toPrecision(12)),
  );
}

/** @param {number} least the step may not be smaller */
function roundStep(least) {
  const power = 10 ** Math.floor(Math.log10(least));
  const factor = [1, 2, 5].find((each) => each * power >= least * (1 - 1e-9)) ?? 10;
  return factor * power;
}

/**
 * How many decimals the ticks of an axis need.
 * @param {readonly number[]} ticks
 */
export function tickDecimals(ticks) {
  return Math.max(...ticks.map((tick) => String(tick).split(".")[1]?.length ?? 0));
}
