/** Finding, making and filling elements. */

/**
 * Find an element that the template must contain.
 * @template {Element} Found
 * @param {ParentNode} root
 * @param {string} selector
 * @param {new () => Found} type
 * @returns {Found}
 * @throws {Error} the template does not hold it
 */
export function find(root, selector, type) {
  const element = root.querySelector(selector);
  if (!(element instanceof type)) throw new Error(`the page lacks ${selector}`);
  return element;
}

/** @param {ParentNode} root @param {string} selector */
export function findCanvas(root, selector) {
  return find(root, selector, HTMLCanvasElement);
}

/** @param {ParentNode} root @param {string} selector */
export function findElement(root, selector) {
  return find(root, selector, HTMLElement);
}

/**
 * Open whatever is folded around an element, and the element itself.
 * @param {Element} element
 */
export function unfold(element) {
  const folder = element.closest("details");
  if (folder === null) return;
  folder.open = true;
  if (folder.parentElement) unfold(folder.parentElement);
}

// Words are changed only where they differ: every change, even to the same, is laid
// out.

/** @param {Element} element @param {string} text */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** @param {HTMLElement} element @param {Record<string, string>} attributes */
export function setAria(element, attributes) {
  for (const [name, value] of Object.entries(attributes))
    if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

/**
 * Write numbers into the template's places for them.
 * @param {HTMLElement} root
 * @returns {(name: string, text: string) => void} write a text into the element that is
 *   marked `data-` and the name; what stands there already is left alone
 */
export function writer(root) {
  /** @type {Map<string, { element: HTMLElement, text: string }>} */
  const places = new Map();
  return (name, text) => {
    const entry = places.get(name) ?? {
      element: findElement(root, `[data-${name}]`),
      text: "",
    };
    places.set(name, entry);
    if (entry.text === text) return;
    entry.element.textContent = text;
    entry.text = text;
  };
}

/**
 * Make an element; a button submits nothing.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {string | Record<string, string>} [look] its class names, or its attributes
 * @param {...(Node | string)} content
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function make(tag, look = "", ...content) {
  const element = document.createElement(tag);
  if (tag === "button") element.setAttribute("type", "button");
  if (typeof look !== "string") setAria(element, look);
  else if (look !== "") element.className = look;
  element.append(...content);
  return element;
}

/** What reads out the cell or place that is chosen or pointed at in the picture above. */
export const READ_OUT = { class: "readout", "aria-label": "What is chosen" };

/** @returns {HTMLOutputElement} with an id, so that its picture is described by it */
export const makeReadout = () =>
  make("output", { ...READ_OUT, id: uniqueId("readout") });

/**
 * Say where a slider stands, to the eye and to what reads the page aloud.
 * @param {HTMLElement} input @param {HTMLElement} output beside it, hidden from speech
 * @param {string} words
 */
export function tellSetting(input, output, words) {
  setText(output, words);
  setAria(input, { "aria-valuetext": words });
}

let ids = 0;

/** @param {string} name @returns {string} for an element's id: no other has it */
export function uniqueId(name) {
  ids += 1;
  return `${name}-${ids}`;
}

/**
 * Make an SVG element.
 * @template {keyof SVGElementTagNameMap} Name
 * @param {Name} name
 * @param {Record<string, string | number>} [attributes]
 * @param {string} [text]
 * @returns {SVGElementTagNameMap[Name]}
 */
export function svg(name, attributes = {}, text = "") {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  setAll(element, attributes);
  if (text !== "") element.textContent = text;
  return element;
}

/** @param {SVGElement} element @param {Record<string, string | number>} attributes */
export function setAll(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    element.setAttribute(name, String(value));
  }
}

/**
 * @param {HTMLCanvasElement} canvas
 * @returns {Promise<Blob>}
 * @throws {Error} such as where the picture is too large
 */
export async function toPngFile(canvas) {
  /** @type {Blob | null} */
  const file = await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  if (file === null)
    throw new Error("The browser could not make a PNG of the picture.");
  return file;
}

/** Hand a file to the reader. @param {Blob} content @param {string} name */
export function download(content, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // Later, because the browser reads it after this task.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

/**
 * Fill a menu, unless it has these options already.
 * @param {HTMLSelectElement} menu
 * @param {readonly { id: string, words: string }[]} options @param {string} chosen
 */
export function fillMenu(menu, options, chosen) {
  const key = options.map(({ id, words }) => `${id} ${words}`).join("\n");
  if (menu.dataset.key !== key) {
    menu.dataset.key = key;
    menu.replaceChildren(...options.map(({ id, words }) => new Option(words, id)));
  }
  menu.value = chosen;
}
