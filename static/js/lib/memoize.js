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
  /** @type {(() => Result)[]} */
  const known = [];
  return (index) => {
    known[index] ??= memoize(() => compute(index));
    return known[index]();
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
