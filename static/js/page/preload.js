/** The scripts of what is imported later, as the page's template names them. */
import { find } from "../ui/dom.js";

/**
 * Fetch modules with all they need at once: import() alone would fetch one layer of
 * imports after the other.
 * @param {...string} modules paths below js/, such as "networks/capsnet/conv1/index.js"
 */
export function preload(...modules) {
  const block = find(document, "script[data-packs]", HTMLScriptElement);
  /** @type {Record<string, string[]>} */
  const packs = JSON.parse(block.textContent ?? "{}");
  const addresses = new Set(modules.flatMap((module) => packs[module] ?? []));
  document.head.append(...[...addresses].map(toLink));
}

/** @param {string} address */
function toLink(address) {
  const link = document.createElement("link");
  link.rel = "modulepreload";
  link.href = address;
  return link;
}
