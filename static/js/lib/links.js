/** Values in links: whole numbers, switches, and parameters before the #. */

/**
 * @param {string | null} text
 * @param {number} low
 * @param {number} high
 * @returns {number | null} null when it is not a whole number in low..high
 */
export function readWhole(text, low, high) {
  if (text === null || !/^\d+$/.test(text)) return null;
  const value = Number(text);
  return value >= low && value <= high ? value : null;
}

// Switches: each is written under a name of its own, and only where it differs from how
// it stands at first.

/**
 * The name of each switch in a link and its possible values, by its key.
 * @typedef {Readonly<Record<string, { name: string, values: readonly string[] }>>} Switches
 */

/**
 * @param {URLSearchParams} link what differs from the start is added to it
 * @param {Switches} switches
 * @param {object} look
 * @param {object} start
 */
export function writeSwitches(link, switches, look, start) {
  const now = Object.entries(look);
  const first = new Map(Object.entries(start));
  for (const [key, value] of now) {
    if (key in switches && value !== first.get(key))
      link.set(switches[key].name, value);
  }
}

/**
 * @template {object} Look
 * @param {URLSearchParams} link
 * @param {Switches} switches
 * @param {Look} start
 * @returns {Look} the start, but for what the link says otherwise
 */
export function readSwitches(link, switches, start) {
  const said = Object.entries(switches).flatMap(([key, { name, values }]) => {
    const value = link.get(name);
    return value !== null && values.includes(value) ? [[key, value]] : [];
  });
  return { ...start, ...Object.fromEntries(said) };
}

/**
 * Set or remove one parameter of an address before its #, and keep the others.
 * @param {string} search of the address, with or without the ?
 * @param {string} name
 * @param {string | null} value null for none
 * @returns {string} with the ?, or empty
 */
export function withParameter(search, name, value) {
  const all = new URLSearchParams(search);
  if (value === null) all.delete(name);
  else all.set(name, value);
  const written = all.toString().replaceAll("%2F", "/");
  return written === "" ? "" : `?${written}`;
}
