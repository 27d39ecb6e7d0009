/** Finding the elements that a part of the page was promised by its template. */

/**
 * @template {Element} Found
 * @param {ParentNode} root
 * @param {string} selector
 * @param {new () => Found} type
 * @returns {Found}
 * @throws {Error} the template does not hold it
 */
export function find(root, selector, type) {
  const found = root.querySelector(selector);
  if (!(found instanceof type)) throw new Error(`the page lacks ${selector}`);
  return found;
}

/**
 * @param {ParentNode} root
 * @param {string} selector
 */
export function findCanvas(root, selector) {
  return find(root, selector, HTMLCanvasElement);
}

/**
 * @param {ParentNode} root
 * @param {string} selector
 */
export function findElement(root, selector) {
  return find(root, selector, HTMLElement);
}
