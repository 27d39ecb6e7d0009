/**
 * One declaration for a part of the state: where each field starts, what it can hold, and
 * how it stands in a link. Networks, the Lab's experiments and the page itself declare
 * their fields so, and none writes or reads links by hand.
 */
import { clamp } from "../lib/arithmetic.js";
import { readWhole } from "../lib/links.js";

/** Characters of a link that a message repeats. */
const MOST_QUOTED = 24;

/**
 * A field of the state. Fields are read in the order of their schema, and may depend on
 * those before them: `known` is the part of the state that is read already.
 * @template Value
 * @typedef {object} Field
 * @property {(known: any) => Value} start where it stands at first
 * @property {(link: URLSearchParams, value: Value, start: Value, state: any) => void} [write]
 *   add it to a link, where it differs from the start; absent: a link does not keep it
 * @property {(link: URLSearchParams, start: Value, known: any) => Value | undefined} [read]
 *   what the link says; the start where it says nothing, or something wrong; undefined:
 *   what is there already stays
 * @property {(link: URLSearchParams, known: any) => string[]} [unread] what the link says of
 *   it that cannot be read, for people
 * @property {(before: Value, after: Value) => string} [step] what a change of it is called, if
 *   Undo takes it back
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
 * @param {Schema} schema @param {Readonly<Record<string, any>>} state
 */
export function writeLink(link, schema, state) {
  for (const [key, { start, write }] of Object.entries(schema))
    write?.(link, state[key], start(state), state);
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
  for (const [key, { start, read }] of Object.entries(schema)) {
    const value = read?.(link, start(found), found);
    if (value !== undefined) found[key] = value;
  }
  return /** @type {Partial<StateOf<Fields>>} */ (found);
}

/**
 * What a link says that cannot be read, for people.
 * @param {URLSearchParams} link @param {Schema} schema
 */
export function unreadOf(link, schema) {
  const known = readLink(link, schema);
  return Object.values(schema).flatMap(({ unread }) => unread?.(link, known) ?? []);
}

/**
 * @template Value
 * @typedef {Value | ((known: any) => Value)} Depending a value, or how it follows from others
 */

/**
 * @template Value
 * @param {Depending<Value>} value
 * @returns {(known: any) => Value}
 */
const depending = (value) =>
  typeof value === "function"
    ? /** @type {(known: any) => Value} */ (value)
    : () => value;

/**
 * Anything that can be written as one text.
 * @template Value
 * @param {object} given
 * @param {string} given.link its name there
 * @param {Depending<Value>} given.start
 * @param {(value: Value) => string} given.pack "" where nothing needs to be said
 * @param {(text: string, known: any) => Value | null} given.unpack null for what is wrong
 * @param {boolean} [given.isLook]
 * @param {string} [given.words] what it is called where it cannot be read; absent: nothing
 *   is said then
 * @returns {Required<Pick<Field<Value>, "start" | "write" | "read" | "unread">> & Pick<Field<Value>, "isLook">}
 */
export function packed({ link: name, start, pack, unpack, isLook, words }) {
  return {
    start: depending(start),
    write(link, value, first) {
      const text = pack(value);
      if (text !== "" && text !== pack(first)) link.set(name, text);
    },
    read(link, first, known) {
      const text = link.get(name);
      return text === null ? first : (unpack(text, known) ?? first);
    },
    unread: (link, known) =>
      words ? unreadText(link, name, words, (text) => unpack(text, known)) : [],
    isLook,
  };
}

/**
 * What a link says under a name, where it cannot be read.
 * @param {URLSearchParams} link @param {string} name
 * @param {string} words what it is called
 * @param {(text: string) => unknown} unpack null for what is wrong
 * @returns {string[]} none or one
 */
export function unreadText(link, name, words, unpack) {
  const text = link.get(name);
  if (text === null || unpack(text) !== null) return [];
  const isLong = text.length > MOST_QUOTED;
  return [`${words} “${isLong ? `${text.slice(0, MOST_QUOTED)}…` : text}”`];
}

/**
 * A whole number from `least` to `most`.
 * @param {object} given
 * @param {string} given.link its name there
 * @param {Depending<number>} given.most
 * @param {number} [given.least]
 * @param {Depending<number>} [given.start]
 * @returns {Field<number>}
 */
export function whole({ link, most, least = 0, start = least }) {
  const mostOf = depending(most);
  const unpack = (/** @type {string} */ text, /** @type {any} */ known) =>
    readWhole(text, least, mostOf(known));
  return packed({ link, start, pack: String, unpack });
}

/**
 * A whole number from 0 to `most`, or null: nothing is chosen.
 * @param {{ link: string, most: Depending<number>, words?: string }} given
 * @returns {Field<number | null>}
 */
export function optional({ link, most, words }) {
  const mostOf = depending(most);
  return packed({
    link,
    words,
    start: /** @type {number | null} */ (null),
    pack: (value) => (value === null ? "" : String(value)),
    unpack: (text, known) => readWhole(text, 0, mostOf(known)),
  });
}

/**
 * A number, kept within its limits.
 * @param {{ link: string, start: number, low: number, high: number }} given
 * @returns {Field<number>}
 */
export function bounded({ link, start, low, high }) {
  return packed({
    link,
    start,
    pack: String,
    unpack(text) {
      const value = text.trim() === "" ? Number.NaN : Number(text);
      return Number.isFinite(value) ? clamp(value, low, high) : null;
    },
  });
}

/**
 * One of a few words. The first is the start, unless another is named.
 * @template {string} Word
 * @param {string} link its name there
 * @param {readonly Word[]} values
 * @param {Word} [start]
 * @param {string} [words] what it is called where it cannot be read
 * @returns {Field<Word>}
 */
export function choice(link, values, start = values[0], words) {
  return packed({
    link,
    start: () => start,
    pack: String,
    words,
    isLook: true,
    unpack: (text) => values.find((value) => value === text) ?? null,
  });
}

/**
 * Any text.
 * @param {string} link its name there
 * @param {string} [start]
 * @returns {Field<string>}
 */
export function text(link, start = "") {
  return packed({ link, start, pack: String, unpack: String });
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
 * Anything that is written as a list of texts of one name.
 * @template Value
 * @param {object} given
 * @param {string} given.link their name there
 * @param {Value} given.start
 * @param {(value: Value) => readonly string[]} given.pack
 * @param {(texts: string[], known: any) => Value} given.unpack what is wrong counts as absent
 * @returns {Field<Value>}
 */
export function listed({ link: name, start, pack, unpack }) {
  return {
    start: () => start,
    write(link, value) {
      for (const text of pack(value)) link.append(name, text);
    },
    read: (link, _first, known) => unpack(link.getAll(name), known),
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
