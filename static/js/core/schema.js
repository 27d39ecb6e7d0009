/**
 * One declaration for a part of the state: where each field starts, what it can hold, and
 * how it stands in a link. Networks, the Lab's experiments and the page itself declare
 * their fields so, and none writes or reads links by hand.
 */
import { readWhole } from "../lib/links.js";

/**
 * A field of the state. Fields are read in the order of their schema, and may depend on
 * those before them: `so` is the part of the state that is known already.
 * @template Value
 * @typedef {object} Field
 * @property {(so: any) => Value} start where it stands at first
 * @property {(link: URLSearchParams, value: Value, start: Value) => void} [write] add it to
 *   a link, where it differs from the start; absent: a link does not keep it
 * @property {(link: URLSearchParams, start: Value, so: any) => Value} [read] what the link
 *   says; the start where it says nothing, or something wrong
 * @property {boolean} [isLook] whether another model of the same network takes it over
 */

/** @typedef {Readonly<Record<string, Field<any>>>} Schema by key of the state */

/**
 * The state that a schema describes.
 * @template {Schema} Fields
 * @typedef {{ [Key in keyof Fields]: ReturnType<Fields[Key]["start"]> }} StateOf
 */

/**
 * Where everything stands at first.
 * @template {Schema} Fields
 * @param {Fields} schema
 * @param {object} [before] a state of the same schema, whose looks are taken over
 * @returns {StateOf<Fields>}
 */
export function startOf(schema, before = {}) {
  /** @type {Record<string, unknown>} */
  const state = {};
  const kept = new Map(Object.entries(before));
  for (const [key, { start, isLook }] of Object.entries(schema))
    state[key] = isLook && kept.has(key) ? kept.get(key) : start(state);
  return /** @type {StateOf<Fields>} */ (state);
}

/**
 * @param {URLSearchParams} link what differs from the start is added to it
 * @param {Schema} schema
 * @param {Readonly<Record<string, unknown>>} state
 */
export function writeLink(link, schema, state) {
  for (const [key, { start, write }] of Object.entries(schema))
    write?.(link, state[key], start(state));
}

/**
 * @template {Schema} Fields
 * @param {URLSearchParams} link
 * @param {Fields} schema
 * @returns {Partial<StateOf<Fields>>} every field that links keep
 */
export function readLink(link, schema) {
  /** @type {Record<string, unknown>} */
  const found = {};
  for (const [key, { start, read }] of Object.entries(schema))
    if (read !== undefined) found[key] = read(link, start(found), found);
  return /** @type {Partial<StateOf<Fields>>} */ (found);
}

/**
 * @template Value
 * @typedef {Value | ((so: any) => Value)} Depending a value, or how it follows from others
 */

/**
 * @template Value
 * @param {Depending<Value>} value
 * @returns {(so: any) => Value}
 */
const depending = (value) =>
  typeof value === "function" ? /** @type {(so: any) => Value} */ (value) : () => value;

/**
 * A whole number from `least` to `most`.
 * @param {object} given
 * @param {string} given.link its name there
 * @param {Depending<number>} given.most
 * @param {number} [given.least]
 * @param {Depending<number>} [given.start]
 * @returns {Field<number>}
 */
export function whole({ link: name, most, least = 0, start = least }) {
  const mostOf = depending(most);
  return {
    start: depending(start),
    write(link, value, first) {
      if (value !== first) link.set(name, String(value));
    },
    read: (link, first, so) => readWhole(link.get(name), least, mostOf(so)) ?? first,
  };
}

/**
 * A whole number from 0 to `most`, or null: nothing is chosen.
 * @param {{ link: string, most: Depending<number> }} given
 * @returns {Field<number | null>}
 */
export function optional({ link: name, most }) {
  const mostOf = depending(most);
  return {
    start: () => null,
    write(link, value) {
      if (value !== null) link.set(name, String(value));
    },
    read: (link, _first, so) => readWhole(link.get(name), 0, mostOf(so)),
  };
}

/**
 * One of a few words. The first is the start, unless another is named.
 * @template {string} Word
 * @param {string} name in a link
 * @param {readonly Word[]} words
 * @param {Word} [start]
 * @returns {Field<Word>}
 */
export function choice(name, words, start = words[0]) {
  return {
    start: () => start,
    write(link, value, first) {
      if (value !== first) link.set(name, value);
    },
    read: (link, first) => words.find((word) => word === link.get(name)) ?? first,
    isLook: true,
  };
}

/**
 * Whether something is so; at first it is not.
 * @param {string} name in a link
 * @param {string} [word] that stands for yes there
 * @returns {Field<boolean>}
 */
export function flag(name, word = "1") {
  return {
    start: () => false,
    write(link, value) {
      if (value) link.set(name, word);
    },
    read: (link) => link.get(name) === word,
  };
}

/**
 * Several fields that stand together under one key.
 * @template {Schema} Fields
 * @param {Fields} schema
 * @returns {Field<StateOf<Fields>>}
 */
export function group(schema) {
  return {
    start: () => startOf(schema),
    write: (link, value) => writeLink(link, schema, value),
    read: (link, first) => ({ ...first, ...readLink(link, schema) }),
    isLook: Object.values(schema).every(({ isLook }) => isLook),
  };
}

/**
 * Anything that can be written as one text.
 * @template Value
 * @param {object} given
 * @param {string} given.link its name there
 * @param {Depending<Value>} given.start
 * @param {(value: Value) => string} given.pack "" where nothing needs to be said
 * @param {(text: string, so: any) => Value | null} given.unpack null for what is wrong
 * @param {boolean} [given.isLook]
 * @returns {Field<Value>}
 */
export function packed({ link: name, start, pack, unpack, isLook }) {
  return {
    start: depending(start),
    write(link, value, first) {
      const text = pack(value);
      if (text !== "" && text !== pack(first)) link.set(name, text);
    },
    read(link, first, so) {
      const text = link.get(name);
      return text === null ? first : (unpack(text, so) ?? first);
    },
    isLook,
  };
}

/**
 * Anything that is written as a list of texts of one name.
 * @template Value
 * @param {object} given
 * @param {string} given.link their name there
 * @param {Value} given.start
 * @param {(value: Value) => readonly string[]} given.pack
 * @param {(texts: string[], so: any) => Value} given.unpack what is wrong counts as absent
 * @returns {Field<Value>}
 */
export function listed({ link: name, start, pack, unpack }) {
  return {
    start: () => start,
    write(link, value) {
      for (const text of pack(value)) link.append(name, text);
    },
    read: (link, _first, so) => unpack(link.getAll(name), so),
  };
}

/**
 * What the page has found out and can find out again: no link keeps it.
 * @template Value
 * @param {Value} start
 * @returns {Field<Value>}
 */
export function transient(start) {
  return { start: () => start };
}
