/**
 * Markup where its content is known. `h` describes an element as a plain value, which a test
 * can read without a page; `fill` makes an element hold what is described, and writes only
 * what differs from the description before.
 *
 * Nothing is read back from the page. Elements are reused by their place among what was
 * described, so what keeps its place keeps its focus.
 */

/** Of elements that are not HTML, and of all within them. @type {Record<string, string>} */
const NAMESPACES = {
  svg: "http://www.w3.org/2000/svg",
  math: "http://www.w3.org/1998/Math/MathML",
};

/** @typedef {string | number | boolean | null | undefined | ((event: any) => void)} Value */

/**
 * More than markup, such as a picture that answers the pointer: made once for its place, and
 * shown whatever is described there from then on.
 * @template {object} [Shown=any]
 * @typedef {() => { element: Element, show: (shown: Shown) => void }} Part
 */

/**
 * @typedef {object} Described
 * @property {string | Part} tag
 * @property {Readonly<Record<string, any>>} attributes of an element: `Value`s, of which
 *   functions are listeners, as `onclick` is one; names that begin with `--` are CSS's; what
 *   is false or null is absent. Of a part: what it shows
 * @property {readonly (Described | Element | string)[]} content
 */

/** @typedef {Described | Element | string | false | null | undefined | readonly Content[]} Content */

/**
 * @param {string | Part} tag
 * @param {Described["attributes"]} [attributes]
 * @param {...Content} content
 * @returns {Described}
 */
export function h(tag, attributes = {}, ...content) {
  return { tag, attributes, content: solid(content) };
}

/** @param {readonly Content[]} content @returns {Described["content"]} */
function solid(content) {
  /** @type {(Described | Element | string)[]} */
  const nodes = [];
  for (const node of content) {
    if (Array.isArray(node)) nodes.push(...solid(node));
    else if (node) nodes.push(/** @type {Described | Element | string} */ (node));
  }
  return nodes;
}

/** What an element holds. @typedef {{ attributes: Described["attributes"], content: Described["content"], nodes: readonly (Element | string)[] }} Written */

/** @type {WeakMap<Element, Written>} */
const written = new WeakMap();

/** What shows the elements that are parts. @type {WeakMap<Element, ReturnType<Part>>} */
const parts = new WeakMap();

/**
 * @param {Element} root whose own attributes stay as they are
 * @param {...Content} content all that it holds from now on
 */
export function fill(root, ...content) {
  write(root, written.get(root)?.attributes ?? {}, solid(content));
}

/**
 * @param {Element} element @param {Described["attributes"]} attributes
 * @param {Described["content"]} content
 */
function write(element, attributes, content) {
  const before = written.get(element) ?? { attributes: {}, content: [], nodes: [] };
  for (const name in attributes)
    if (name !== "value" && attributes[name] !== before.attributes[name])
      set(element, name, attributes[name]);
  for (const name in before.attributes)
    if (!(name in attributes)) set(element, name, null);
  const nodes = content.map((item, at) => {
    if (!isDescribed(item)) return item;
    const [old, node] = [before.content[at], before.nodes[at]];
    return isDescribed(old) && old.tag === item.tag ? node : create(item.tag, element);
  });
  written.set(element, { attributes, content, nodes });
  const isSame =
    nodes.length === before.nodes.length &&
    nodes.every((node, at) => node === before.nodes[at]);
  if (!isSame) element.replaceChildren(...nodes);
  content.forEach((item, at) => {
    if (!isDescribed(item)) return;
    const node = /** @type {Element} */ (nodes[at]);
    const part = parts.get(node);
    if (part) part.show(item.attributes);
    else write(node, item.attributes, item.content);
  });
  if ("value" in attributes) set(element, "value", attributes.value); // a menu has its options now
}

/** A paragraph in small print. @param {...Content} content */
export const note = (...content) => h("p", { class: "fine" }, ...content);

/** @param {unknown} value @returns {value is Described} */
const isDescribed = (value) =>
  typeof value === "object" && value !== null && "tag" in value;

/** @param {string | Part} tag @param {Element} parent */
function create(tag, parent) {
  if (typeof tag === "function") {
    const part = tag();
    parts.set(part.element, part);
    return part.element;
  }
  const namespace = NAMESPACES[tag] ?? parent.namespaceURI;
  const element = document.createElementNS(namespace, tag);
  if (tag === "button") element.setAttribute("type", "button");
  return element;
}

/** @param {any} element @param {string} name @param {Value} value */
function set(element, name, value) {
  if (name.startsWith("on")) element[name] = value ?? null;
  else if (name === "value") element.value = value ?? "";
  else if (name === "checked") element.checked = value === true;
  else if (name.startsWith("--")) element.style.setProperty(name, value ?? "");
  else if (value === false || value == null) element.removeAttribute(name);
  else element.setAttribute(name, value === true ? "" : String(value));
}
