/** What a link says of a slice by its schema, and what is read from it. */
import { readLink, startOf, writeLink } from "../../static/js/core/schema.js";

/** @param {import("../../static/js/core/schema.js").Schema} schema */
export function linking(schema) {
  const start = startOf(schema);
  return {
    start,
    written(patch = {}) {
      const link = new URLSearchParams();
      writeLink(link, schema, { ...start, ...patch });
      return link.toString();
    },
    read: (/** @type {string} */ text) => ({
      ...start,
      ...readLink(new URLSearchParams(text), schema),
    }),
  };
}
