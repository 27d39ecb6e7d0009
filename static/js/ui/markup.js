/**
 * Markup that the page brings once for all layers of a kind, filled for one of them.
 * @typedef {object} Markup
 * @property {string} name of the template: its `data-kind`
 * @property {Readonly<Record<string, string>>} values what stands for `{name}` in its text
 */

/**
 * @param {Markup} markup
 * @returns {DocumentFragment} empty where the page has no such template
 */
export function filled({ name, values }) {
  const template = document.querySelector(`template[data-kind="${name}"]`);
  if (!(template instanceof HTMLTemplateElement))
    return document.createDocumentFragment();
  const content = document.importNode(template.content, true);
  const fill = (/** @type {string} */ text) =>
    text.replace(/\{(\w+)\}/g, (whole, key) => values[key] ?? whole);
  const walker = document.createTreeWalker(
    content,
    NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT,
  );
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    if (node instanceof Text) {
      if (node.data.includes("{")) node.data = fill(node.data);
    } else if (node instanceof Element)
      for (const { name: attribute, value } of node.attributes)
        if (value.includes("{")) node.setAttribute(attribute, fill(value));
  }
  return content;
}
