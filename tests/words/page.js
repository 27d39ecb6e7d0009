/**
 * As much of a browser as the page's views ask for when they are put up: elements without
 * looks, in which every element that is looked for is found. `stringsIn` reads what they say.
 */
import { readAt } from "../../static/js/draw/plot.js";

const FLAT = { left: 0, top: 0, x: 0, y: 0, right: 1100, bottom: 620 };
const BOX = { ...FLAT, width: 1100, height: 620 };

/** Answers every call with itself: a canvas's context, or a path. */
const ANYTHING = new Proxy(class {}, {
  get(_, name) {
    if (name === Symbol.toPrimitive) return () => 0;
    if (name === "width") return 8;
    if (name === "data") return new Uint8ClampedArray(4);
    return ANYTHING;
  },
  set: () => true,
  apply: () => ANYTHING,
  construct: () => ANYTHING,
});

class Context {
  createImageData(width, height) {
    return { width, height, data: new Uint8ClampedArray(4 * width * height) };
  }
  getImageData(_x, _y, width, height) {
    return this.createImageData(width, height);
  }
  measureText(text) {
    return { width: 7 * text.length };
  }
}

const contextOf = () =>
  new Proxy(new Context(), {
    get: (context, name) => context[name] ?? ANYTHING,
    set: () => true,
  });

/** Elements, of which a template brings at least one: whoever takes them apart finds it. */
class Children extends Array {
  static get [Symbol.species]() {
    return Array;
  }
  *[Symbol.iterator]() {
    if (this.length === 0) yield new FakeElement();
    for (let at = 0; at < this.length; at++) yield this[at];
  }
}

/** An element: it keeps what it is given, and finds whatever is looked for in it. */
export class FakeElement extends EventTarget {
  tagName = "div";
  namespaceURI = "http://www.w3.org/1999/xhtml";
  hidden = false;
  open = true;
  value = "";
  className = "";
  disabled = false;
  width = 300;
  height = 150;
  clientWidth = 1100;
  clientHeight = 620;
  offsetWidth = 1100;
  offsetHeight = 40;
  scrollTop = 0;
  dataset = {};
  children = new Children();
  parentElement = null;
  isConnected = true;
  /** What `fill` has described. */
  described = [];
  #text = "";
  #found = new Map();
  #attributes = new Map();
  style = { setProperty() {}, removeProperty() {} };
  classList = { add() {}, remove() {}, toggle() {}, contains: () => false };

  get textContent() {
    return this.#text;
  }
  set textContent(text) {
    this.replaceChildren();
    this.#text = text ?? "";
  }
  set innerHTML(text) {
    this.textContent = text;
  }
  get firstElementChild() {
    return this.children[0] ?? null;
  }
  get ownerSVGElement() {
    return this.querySelector("svg");
  }
  get content() {
    return this;
  }
  get options() {
    return this.children;
  }
  get attributes() {
    return [...this.#attributes].map(([name, value]) => ({ name, value }));
  }
  querySelector(selector) {
    const known = this.#found.get(selector);
    if (known) return known;
    const element = new FakeElement();
    element.parentElement = this;
    this.#found.set(selector, element);
    return element;
  }
  /** Those right within it that have been put there, by the tag that a selector begins with. */
  querySelectorAll(selector) {
    const [tag] = selector.split(/\W/);
    return this.children.filter((child) => child.tagName === tag && tag !== "");
  }
  getElementsByTagName() {
    return [];
  }
  closest() {
    return this.parentElement;
  }
  matches() {
    return false;
  }
  contains() {
    return false;
  }
  append(...nodes) {
    for (const node of nodes) {
      if (node === undefined) continue; // which a template would have
      if (node instanceof FakeElement) node.parentElement = this;
      this.children.push(node);
    }
  }
  appendChild(node) {
    this.append(node);
    return node;
  }
  prepend(...nodes) {
    this.append(...nodes);
  }
  before(...nodes) {
    this.append(...nodes);
  }
  after(...nodes) {
    this.append(...nodes);
  }
  insertBefore(node) {
    this.append(node);
  }
  replaceWith(...nodes) {
    this.replaceChildren(...nodes);
  }
  replaceChildren(...nodes) {
    this.children.length = 0;
    this.#text = "";
    this.append(...nodes);
  }
  remove() {}
  focus() {}
  blur() {}
  click() {}
  animate() {
    return ANYTHING;
  }
  scrollIntoView() {}
  setPointerCapture() {}
  getContext() {
    return contextOf();
  }
  getBoundingClientRect() {
    return BOX;
  }
  getBBox() {
    return BOX;
  }
  getAttribute(name) {
    return this.#attributes.get(name) ?? null;
  }
  hasAttribute(name) {
    return this.#attributes.has(name);
  }
  setAttribute(name, value) {
    if (name === "hidden") this.hidden = true;
    this.#attributes.set(name, String(value));
  }
  removeAttribute(name) {
    if (name === "hidden") this.hidden = false;
    this.#attributes.delete(name);
  }
  toggleAttribute(name, isOn = !this.hasAttribute(name)) {
    if (isOn) this.setAttribute(name, "");
    else this.removeAttribute(name);
  }
  getRootNode() {
    return document;
  }
  /** Those that the template would have. */
  get templates() {
    return this.#found.values();
  }
}

/** Colours of a canvas. */
class Pixels {
  constructor(data, width, height = 0) {
    const [across, down] = typeof data === "number" ? [data, width] : [width, height];
    const bytes = new Uint8ClampedArray(4 * across * down);
    Object.assign(this, {
      data: typeof data === "number" ? bytes : data,
      width: across,
      height: down,
    });
  }
}

/** A kind of observer that observes nothing. */
class Observer {
  observe() {}
  unobserve() {}
  disconnect() {}
}

/** Longer waits are no pause of a hand, in milliseconds. */
const REST_MS = 450;

const SLOWED = 1000;

/** Timers of pauses. @type {Set<unknown>} */
const waiting = new Set();

/** Whether something is about to be asked. */
export const areTimersWaiting = () => waiting.size > 0;

/** Nothing is heard of runs. */
class Silent extends EventTarget {
  close() {}
}

/** Put up the browser. @param {string} address of the explorer */
export function putUp(address) {
  const document = new FakeElement();
  const make = (tagName) => Object.assign(new FakeElement(), { tagName });
  Object.assign(document, {
    createElement: make,
    createElementNS: (namespaceURI, tagName) =>
      Object.assign(make(tagName), { namespaceURI }),
    createDocumentFragment: () => new FakeElement(),
    createTextNode: (text) => text,
    importNode: (node) => node,
    body: new FakeElement(),
    documentElement: new FakeElement(),
    visibilityState: "visible",
  });
  const svg = ["SVG", "Rect", "Path", "G", "Circle", "Line", "Text"];
  const kinds = [
    "Element",
    "HTMLElement",
    "SVGElement",
    ...svg.map((name) => `SVG${name}Element`),
  ];
  const html = ["Canvas", "Button", "Input", "Select", "Details", "Template", "Form"];
  const more = [
    "Output",
    "Dialog",
    "Anchor",
    "Image",
    "Label",
    "Script",
    "FieldSet",
    "Progress",
  ];
  for (const name of [
    ...kinds,
    ...[...html, ...more].map((name) => `HTML${name}Element`),
  ])
    globalThis[name] = FakeElement;
  const { fetch: fetched, setTimeout: later, clearTimeout: never } = globalThis;
  // Time passes between two readings, as where no hand draws.
  const now = performance.now.bind(performance);
  Object.defineProperty(performance, "now", { value: () => SLOWED * now() });
  Object.assign(globalThis, {
    document,
    ...{ Node: FakeElement, Option: FakeElement, Image: FakeElement },
    ...{ ResizeObserver: Observer, IntersectionObserver: Observer },
    ...{ MutationObserver: Observer, Path2D: ANYTHING, ImageData: Pixels },
    ...{ devicePixelRatio: 1, innerWidth: 1440, innerHeight: 900, scrollY: 0 },
    ...{ EventSource: Silent, location: new URL(address) },
    localStorage: { getItem: () => null, setItem() {} },
    getComputedStyle: () => ({
      ...{ getPropertyValue: () => "0", color: "#000", fill: "none", stroke: "none" },
      ...{ strokeWidth: "1", strokeDasharray: "none", opacity: "1", fillOpacity: "1" },
      ...{ fontWeight: "400", fontSize: "16px", fontFamily: "sans" },
      paintOrder: "normal",
    }),
    matchMedia: () => ({ matches: false, addEventListener() {} }),
    requestAnimationFrame: (job) => setImmediate(job),
    cancelAnimationFrame() {},
    // A hand rests at once; what looks again and again is left alone.
    setTimeout(job, wait_ms = 0, ...values) {
      if (wait_ms > REST_MS) return later(job, wait_ms, ...values).unref();
      const timer = later(() => {
        waiting.delete(timer);
        job(...values);
      });
      if (wait_ms > 2) waiting.add(timer);
      return timer;
    },
    clearTimeout(timer) {
      waiting.delete(timer);
      never(timer);
    },
    addEventListener() {},
    removeEventListener() {},
    dispatchEvent() {},
    fetch: (path, request) => fetched(new URL(path, address), request),
    reportError(error) {
      throw error;
    },
  });
}

/** What reads on with the words around it. */
const INLINE = new Set(
  "a abbr b code data em i mark q s small span strong sub sup time u output tspan".split(
    " ",
  ),
);

/** Attributes that say something. */
const SAYING = ["aria-label", "title", "aria-valuetext", "aria-description", "alt"];

/** So many cells of a picture are read. */
const CELLS = 24;

/** @param {number} count @returns {number[]} all, or some from the first to the last */
function someOf(count) {
  if (count <= CELLS) return Array.from({ length: count }, (_, at) => at);
  const step = (count - 1) / (CELLS - 1);
  return Array.from({ length: CELLS }, (_, at) => Math.round(at * step));
}

/**
 * What each network reads, as the Lab's verdicts have it.
 * @param {FakeElement} element that they fill
 * @returns {Record<string, string>} by the model's id; none of those that are switched off
 */
export const verdictsIn = ({ described }) =>
  Object.fromEntries(
    described.flatMap((card) => {
      const [read] = within(card, ({ attributes }) => attributes.class === READ);
      return read ? [[card.attributes["data-model"], joined(read.content)]] : [];
    }),
  );

/**
 * All that each network's card says there.
 * @param {FakeElement} element that they fill
 * @returns {Record<string, string>} by the model's id
 */
export const cardsIn = ({ described }) =>
  Object.fromEntries(
    described.map((card) => [
      card.attributes["data-model"],
      [...textsOf([card])].join("\n"),
    ]),
  );

/** @param {any} item @param {(each: any) => boolean} isWanted @returns {any[]} */
const within = (item, isWanted) =>
  !item.content
    ? []
    : isWanted(item)
      ? [item]
      : item.content.flatMap((/** @type {any} */ part) => within(part, isWanted));

/** The class of what a network reads. */
const READ = "lab-reads-digit";

/**
 * All that an element says, and all within it; where a picture stands among words, it leaves
 * its room.
 * @param {FakeElement | string} element
 * @returns {Generator<string>}
 */
export function* stringsIn(element) {
  for (const text of allOf(element)) yield text.replace(/\s{2,}(?=[,;.])/g, "");
}

/** @param {FakeElement | string} element @returns {Generator<string>} */
function* allOf(element) {
  if (!(element instanceof FakeElement)) {
    yield String(element);
    return;
  }
  if (element.hidden) return;
  if (element.textContent !== "") yield element.textContent;
  for (const name of SAYING) {
    const text = element.getAttribute(name);
    if (text) yield text;
  }
  yield* textsOf(element.described);
  const linked = element.children.map(wordsIn);
  if (linked.every((words) => words !== null) && linked.length > 1)
    yield joined(linked);
  else for (const at of element.children.keys()) yield* stringsIn(element.children[at]);
  for (const template of element.templates) yield* stringsIn(template);
}

/** What reads on within an element. @returns {string | null} null: nothing that does */
function wordsIn(item) {
  if (typeof item === "string") return item;
  return INLINE.has(item.tagName) ? item.textContent : null;
}

/** @param {unknown} item */
const isInline = (item) =>
  typeof item === "string" || (item?.tag && INLINE.has(item.tag));

/** The words of described content that read on. @param {readonly any[]} content */
const joined = (content) =>
  content
    .map((item) => (typeof item === "object" ? joined(item.content ?? []) : item))
    .join("");

/** @param {readonly any[]} content @returns {Generator<string>} */
function* textsOf(content) {
  let run = [];
  for (const item of [...content, null]) {
    if (item !== null && isInline(item)) {
      run.push(item);
      continue;
    }
    if (run.length > 0) yield joined(run);
    run = [];
    if (item instanceof FakeElement) yield* stringsIn(item);
  }
  for (const item of content) {
    if (typeof item !== "object" || item === null || item instanceof FakeElement)
      continue;
    const { attributes = {} } = item;
    if (attributes.hidden) continue;
    for (const name of SAYING)
      if (typeof attributes[name] === "string") yield attributes[name];
    yield* calculationsIn(item);
    if (attributes.class === "worked-sum") continue;
    if (isInline(item)) yield* textsOf(item.content.filter((item) => !isInline(item)));
    else if (typeof item.tag === "function") yield* saidBy(attributes);
    else yield* textsOf(item.content ?? []);
  }
}

/** The text of described content, as it would stand in one line. */
const textIn = (item) =>
  typeof item === "object" ? (item?.content ?? []).map(textIn).join("") : `${item}`;

/** A formula in one line, with brackets where it has bars and raised figures. */
function inLine(item) {
  if (typeof item !== "object") return `${item}`;
  const parts = (item.content ?? []).map(inLine);
  if (item.tag === "mfrac") return `(${parts[0]}) ÷ (${parts[1]})`;
  if (item.tag === "msup") return `${parts[0]}^(${parts[1]})`;
  return parts.join(" ");
}

/** Rows of a described table, each with its class and its cells' texts. */
function* rowsIn(item) {
  for (const row of item.content ?? [])
    if (row?.tag === "tr")
      yield {
        look: `${row.attributes?.class}`,
        cells: row.content.map((cell) => textIn(cell).trim()),
      };
    else if (typeof row === "object") yield* rowsIn(row);
}

const NUMBER = /^[+\u2212]?\d+(\.\d+)?( × 10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)?$/;
const isNumber = (text) => NUMBER.test(text.replaceAll("\u00a0", " "));

/**
 * What is written as arithmetic, in one line each: formulas, sums that are worked out, columns
 * above their sum, and rows that end in a difference or in their sum.
 */
function* calculationsIn(item) {
  const { tag, attributes, content = [] } = item;
  if (tag === "math") yield inLine(item);
  if (attributes?.class === "filled") yield content.map(inLine).join(" ");
  if (attributes?.class === "worked-sum") {
    const bare = (part) =>
      part?.tag === "small"
        ? " "
        : typeof part === "object"
          ? (part.content ?? []).map(bare).join(" ")
          : `${part}`;
    yield bare(item);
    for (const term of content)
      if (term?.tag === "span") yield term.content.map(textIn).join(" ");
    return;
  }
  if (tag !== "table") return;
  const [head, ...rows] = [...rowsIn(item)];
  const sums = rows.findIndex(({ look }) => look.includes("is-sum"));
  for (let column = 1; sums > 0 && column < rows[sums].cells.length; column++) {
    const total = rows[sums].cells[column];
    const parts = rows.slice(0, sums).map(({ cells }) => cells[column]);
    if (isNumber(total) && parts.every(isNumber))
      yield `${parts.join(" + ")} = ${total}`;
  }
  const end = head?.cells[head.cells.length - 1];
  for (const { cells } of end === "sum" || end === "difference" ? rows : []) {
    const figures = cells.slice(1).filter(isNumber);
    if (figures.length < 3) continue;
    const [total] = figures.slice(-1);
    const parts = figures.slice(0, -1);
    yield end === "sum"
      ? `${parts.join(" + ")} = ${total}`
      : `${parts[1]} − ${parts[0]} = ${total}`;
  }
}

/** What a picture says at its cells, lines and flows. @param {Record<string, any>} part */
function* saidBy(part) {
  for (const name of ["label", "caption", "told", "unit", "text"])
    if (typeof part[name] === "string") yield part[name];
  const { mark, layout, rows, columns, words } = part;
  if (part.lines && part.at != null && !part.isSilent) yield readAt(part, part.at);
  if (typeof part.content === "function") yield* textsOf([part.content()].flat(9));
  for (const name of ["around", "above", "below", "content"])
    if (Array.isArray(part[name])) yield* textsOf(part[name].flat(9));
  if (mark && rows?.names) {
    const across = columns.names.length;
    for (const at of someOf(rows.names.length * across)) {
      const cell = { row: Math.floor(at / across), column: at % across };
      yield words?.(cell) ?? mark.read?.(at) ?? "";
    }
    if (part.chosen) yield words?.(part.chosen) ?? "";
  } else if (layout?.count) {
    for (const at of someOf(layout.count)) {
      const cell = { tile: at, row: layout.rows >> 1, column: layout.columns >> 1 };
      yield words?.(cell) ?? "";
    }
    if (part.chosen) yield words?.(part.chosen) ?? "";
  } else if (part.tints) {
    const { types, targets } = part;
    for (const at of someOf(types * targets))
      yield words(Math.floor(at / targets), at % targets);
  }
}
