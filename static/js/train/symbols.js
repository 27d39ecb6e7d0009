/**
 * A set of symbols of one's own: names, and a few examples of each; and the file that
 * it is shared as.
 */
import { fromBase64, toBase64 } from "../lib/encoding.js";
import { counted, grouped, listed } from "../lib/format.js";

/** @typedef {{ name: string, examples: readonly Uint8Array[] }} Symbol28 */
/** @typedef {readonly Symbol28[]} SymbolSet */
/** @typedef {{ format: string, version: number, symbols: { name: string, examples: string[] }[] }} SymbolsFile */

const FORMAT = "capsnet-symbols";
const VERSION = 1;
const SIZE = 28 * 28; // bytes of an image
const MOST_SYMBOLS = 10;
const MOST_EXAMPLES = 50;
const FEWEST = 2; // symbols, and examples of each: the last of these is for the test
const LONGEST_NAME = 20;
const EACH_EPOCH = 2520; // training images

/** How a set is trained on; further settings are as usual. */
export const RECIPE = Object.freeze({
  dataset: "symbols",
  epochs: 8,
  warmup_steps: 20,
  shift: 2,
  rotation: 15,
  scale: 0.15,
  shear: 0.15,
  bend: 0.5,
  thickness: 0.4,
});

/** @param {Uint8Array} first @param {Uint8Array} second */
const isSame = (first, second) =>
  first.length === second.length && first.every((value, i) => value === second[i]);

/** @param {string} text @returns {string | null} what is wrong with a name */
function problemOfName(text) {
  const name = text.trim();
  if (name === "") return "Name the symbol that is drawn.";
  if ([...name].length > LONGEST_NAME || /\p{C}/u.test(name))
    return `A name must have 1 to ${LONGEST_NAME} characters.`;
  return null;
}

/**
 * The set with one more example of a symbol, which may be a new one.
 * @param {SymbolSet} set @param {string} text the symbol's name
 * @param {Uint8Array} image
 * @returns {{ set: SymbolSet } | { problem: string }}
 */
export function withExample(set, text, image) {
  const name = text.trim();
  const problem = problemOfName(name);
  if (problem !== null) return { problem };
  if (!image.some((value) => value > 0))
    return { problem: "Draw the symbol first, or upload a picture of it." };
  const twin = set.find(({ examples }) =>
    examples.some((example) => isSame(example, image)),
  );
  if (twin) return { problem: `This image is an example of ${twin.name} already.` };
  const old = set.find((symbol) => symbol.name === name);
  if (old === undefined)
    return set.length === MOST_SYMBOLS
      ? { problem: `A set may have at most ${MOST_SYMBOLS} symbols.` }
      : { set: [...set, { name, examples: [image] }] };
  if (old.examples.length === MOST_EXAMPLES)
    return { problem: `A symbol may have at most ${MOST_EXAMPLES} examples.` };
  const grown = { name, examples: [...old.examples, image] };
  return { set: set.map((symbol) => (symbol === old ? grown : symbol)) };
}

/**
 * The set without an example; a symbol goes with its last one.
 * @param {SymbolSet} set @param {number} symbol @param {number} example
 */
export function withoutExample(set, symbol, example) {
  const changed = set.map((entry, i) =>
    i === symbol
      ? { ...entry, examples: entry.examples.filter((_, k) => k !== example) }
      : entry,
  );
  return changed.filter(({ examples }) => examples.length > 0);
}

/**
 * @param {SymbolSet} set @param {number} symbol @param {string} text its new name
 * @returns {{ set: SymbolSet } | { problem: string }}
 */
export function renameSymbol(set, symbol, text) {
  const name = text.trim();
  const problem = problemOfName(name);
  if (problem !== null) return { problem };
  if (set.some((entry, i) => i !== symbol && entry.name === name))
    return { problem: `There is a symbol ${name} already.` };
  return { set: set.map((entry, i) => (i === symbol ? { ...entry, name } : entry)) };
}

/**
 * A set with what was changed in another tab meanwhile: each symbol and example that was added
 * there is added, and what was removed there is removed.
 * @param {SymbolSet} before what both began with
 * @param {SymbolSet} set here @param {SymbolSet} other there
 * @returns {SymbolSet}
 */
export function merge(before, set, other) {
  const keysOf = (/** @type {SymbolSet} */ of) =>
    new Set(
      of.flatMap(({ name, examples }) => examples.map((example) => key(name, example))),
    );
  const [was, isThere] = [keysOf(before), keysOf(other)];
  const kept = set.map(({ name, examples }) => ({
    name,
    examples: examples.filter(
      (example) => !was.has(key(name, example)) || isThere.has(key(name, example)),
    ),
  }));
  const isHere = keysOf(set);
  for (const { name, examples } of other) {
    const added = examples.filter((example) => {
      const exampleKey = key(name, example);
      return !was.has(exampleKey) && !isHere.has(exampleKey);
    });
    const symbol = kept.find((entry) => entry.name === name);
    if (symbol)
      symbol.examples = [...symbol.examples, ...added].slice(0, MOST_EXAMPLES);
    else kept.push({ name, examples: added });
  }
  return kept.filter(({ examples }) => examples.length > 0).slice(0, MOST_SYMBOLS);
}

/** @param {string} name @param {Uint8Array} example */
const key = (name, example) => `${name} ${toBase64(example)}`;

/**
 * What a set still lacks before it can be trained on; null when it lacks nothing.
 * @param {SymbolSet} set
 */
export function lackOf(set) {
  if (set.length === 0)
    return "Training needs two symbols or more, and two examples or more of each.";
  if (set.length < FEWEST) return "Training needs one more symbol.";
  const short = set.filter(({ examples }) => examples.length < FEWEST);
  if (short.length === 0) return null;
  const names = listed(short.map(({ name }) => name));
  return `Training needs one more example ${short.length > 1 ? "each " : ""}of ${names}.`;
}

/**
 * What training makes of a set that lacks nothing.
 * @param {SymbolSet} set @param {number | null} images of a run that makes no passes
 */
export function planWords(set, images = null) {
  const learnt = examplesIn(set) - set.length;
  const perSymbol = grouped(Math.round((images ?? EACH_EPOCH) / set.length));
  const exposure =
    images === null
      ? `in each of ${RECIPE.epochs} passes it sees ${perSymbol} images`
      : `it sees about ${perSymbol} images`;
  return `The last example of each symbol, marked, is kept for the test. The network learns from ${learnt === set.length ? "the other" : `the other ${grouped(learnt)}`}: ${exposure} of each symbol, every one of them an example changed at random.`;
}

/** What a set's size is. @param {SymbolSet} set */
export function sizeOf(set) {
  return `${counted(set.length, "symbol")}, ${counted(examplesIn(set), "example")}`;
}

/** @param {SymbolSet} set */
const examplesIn = (set) => set.reduce((sum, { examples }) => sum + examples.length, 0);

/** @param {SymbolSet} set @returns {SymbolsFile} as its file has it */
export function fileOf(set) {
  const symbols = set.map(({ name, examples }) => ({
    name,
    examples: examples.map(toBase64),
  }));
  return { format: FORMAT, version: VERSION, symbols };
}

/**
 * Read a set of any size, also one that is not complete yet.
 * @param {string} text of a file
 * @returns {{ set: SymbolSet } | { problem: string }}
 */
export function parse(text) {
  let content;
  try {
    content = JSON.parse(text);
  } catch {
    return { problem: "A set of symbols must be a JSON file." };
  }
  if (content?.format !== FORMAT)
    return { problem: `A set of symbols must have "format": "${FORMAT}".` };
  if (content.version !== VERSION)
    return { problem: `The set’s version must be ${VERSION}, got ${content.version}.` };
  if (!Array.isArray(content.symbols))
    return { problem: "A set must have a list of symbols." };
  /** @type {SymbolSet} */
  let set = [];
  for (const symbol of content.symbols) {
    const next = withSymbol(set, symbol);
    if ("problem" in next) return next;
    set = next.set;
  }
  return { set };
}

/**
 * @param {SymbolSet} before
 * @param {any} symbol of a file
 * @returns {{ set: SymbolSet } | { problem: string }}
 */
function withSymbol(before, symbol) {
  if (typeof symbol?.name !== "string" || !Array.isArray(symbol.examples))
    return { problem: "Each symbol must have a name and a list of examples." };
  if (before.some(({ name }) => name === symbol.name.trim()))
    return { problem: `There is a symbol ${symbol.name.trim()} already.` };
  let set = before;
  for (const example of symbol.examples) {
    const image = typeof example === "string" ? fromBase64(example) : null;
    const problem = `Each example of ${symbol.name} must be ${SIZE} bytes in base64.`;
    if (image?.length !== SIZE) return { problem };
    const next = withExample(set, symbol.name, image);
    if ("problem" in next) return next;
    set = next.set;
  }
  return { set };
}
