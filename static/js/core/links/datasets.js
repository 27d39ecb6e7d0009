/**
 * Where in a data set an image is from, in a link.
 * @import { Source } from "../../types.js"
 */
import { readWhole } from "../../lib/links.js";

/** @param {Extract<Source, { kind: "dataset" }>} source */
export function packTestImage({ id, index, label }) {
  return `${id}/${index}/${label}`;
}

/**
 * @param {string} text such as `mnist-test/247/4`
 * @param {number} classes
 * @returns {Source}
 */
export function unpackTestImage(text, classes) {
  const [, id, indexText, labelText] = /^([\w-]+)\/(\d+)\/(\d+)$/.exec(text) ?? [];
  const index = readWhole(indexText ?? null, 0, Number.MAX_SAFE_INTEGER);
  const label = readWhole(labelText ?? null, 0, classes - 1);
  if (index === null || label === null) return { kind: "link" };
  return { kind: "dataset", id, index, label };
}
