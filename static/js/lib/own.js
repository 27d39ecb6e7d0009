// @ts-check
/** Records whose names come from people: `constructor` is no entry of every object. */

/**
 * @template T
 * @param {Readonly<Record<string, T>>} record
 * @param {string} name
 * @returns {T | undefined} its own entry of this name
 */
export const ownOf = (record, name) =>
  Object.hasOwn(record, name) ? record[name] : undefined;
