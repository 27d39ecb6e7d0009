/** Describes as the page does, and leaves it at that. */
export function h(tag, attributes = {}, ...content) {
  return { tag, attributes, content: solid(content) };
}

export const note = (...content) => h("p", { class: "fine" }, ...content);

const solid = (content) => content.flat(Number.POSITIVE_INFINITY).filter(Boolean);

export function fill(root, ...content) {
  root.described = solid(content);
}
