/** Keeping what has been computed. */

/**
 * Keep the last result until an argument changes; without arguments, for ever.
 * @template {unknown[]} Of
 * @template Result
 * @param {(...of: Of) => Result} compute
 * @returns {(...of: Of) => Result} answers with the last result
 */
export function memoize(compute) {
  /** @type {{ of: Of, result: Result } | null} */
  let last = null;
  return (...of) => {
    if (!last?.of.every((argument, i) => argument === of[i]))
      last = { of, result: compute(...of) };
    return last.result;
  };
}

/**
 * Compute once for each of 0, 1, 2 ...
 * @template Result
 * @param {(index: number) => Result} compute
 * @returns {(index: number) => Result}
 */
export function memoizeByIndex(compute) {
  /** @type {{ result: Result }[]} */
  const known = [];
  return (index) => {
    known[index] ??= { result: compute(index) };
    return known[index].result;
  };
}

/**
 * Compute once for each object; the result goes when the object does.
 * @template {WeakKey} Key
 * @template Of
 * @template Result
 * @param {(of: Of) => Key} keyOf the object
 * @param {(of: Of) => Result} compute
 * @returns {(of: Of) => Result}
 */
export function memoizeByObject(keyOf, compute) {
  /** @type {WeakMap<Key, { result: Result }>} */
  const known = new WeakMap();
  return (of) => {
    const key = keyOf(of);
    const entry = known.get(key) ?? { result: compute(of) };
    known.set(key, entry);
    return entry.result;
  };
}

/**
 * Compute once for each pair of objects; the result goes when the first does.
 * @template {WeakKey} First
 * @template Second
 * @template Result
 * @param {(first: First, second: Second) => Result} compute
 * @returns {(first: First, second: Second) => Result}
 */
export function memoizeByPair(compute) {
  /** @type {WeakMap<First, Map<Second, Result>>} */
  const known = new WeakMap();
  return (first, second) => {
    const results = known.get(first) ?? new Map();
    known.set(first, results);
    if (!results.has(second)) results.set(second, compute(first, second));
    return results.get(second);
  };
}
