/** Computing once what is asked for often. */

/**
 * @template Thing
 * @param {() => Thing} compute called when the thing is first asked for
 * @returns {() => Thing}
 */
export function once(compute) {
  /** @type {{ thing: Thing } | null} */
  let known = null;
  return () => {
    known ??= { thing: compute() };
    return known.thing;
  };
}

/**
 * The same for each of 0, 1, 2 ...
 * @template Thing
 * @param {(index: number) => Thing} compute
 * @returns {(index: number) => Thing}
 */
export function onceEach(compute) {
  /** @type {(() => Thing)[]} */
  const known = [];
  return (index) => {
    known[index] ??= once(() => compute(index));
    return known[index]();
  };
}

/**
 * The same for each object, forgotten when that is.
 * @template {WeakKey} Key
 * @template Of
 * @template Thing
 * @param {(of: Of) => Key} keyOf what the thing belongs to
 * @param {(of: Of) => Thing} compute
 * @returns {(of: Of) => Thing}
 */
export function onceFor(keyOf, compute) {
  /** @type {WeakMap<Key, () => Thing>} */
  const known = new WeakMap();
  return (of) => {
    const key = keyOf(of);
    let thing = known.get(key);
    if (thing === undefined) {
      thing = once(() => compute(of));
      known.set(key, thing);
    }
    return thing();
  };
}

/**
 * The same as long as it is asked with the same arguments as the last time.
 * @template {unknown[]} Of
 * @template Thing
 * @param {(...of: Of) => Thing} compute
 * @returns {(...of: Of) => Thing}
 */
export function onceUntilChanged(compute) {
  /** @type {{ of: Of, thing: Thing } | null} */
  let known = null;
  return (...of) => {
    if (!known?.of.every((each, i) => each === of[i]))
      known = { of, thing: compute(...of) };
    return known.thing;
  };
}
