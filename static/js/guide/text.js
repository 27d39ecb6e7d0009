/**
 * The guide's paragraphs as elements.
 * @import { Paragraph, Run } from "./types.js"
 */

/** @type {Record<Exclude<Run["kind"], "text">, string>} */
const TAGS = { strong: "strong", em: "em", code: "code", link: "a" };

/** @param {Paragraph} paragraph */
export function nodesOf(paragraph) {
  return paragraph.map(({ kind, text, to }) => {
    if (kind === "text") return document.createTextNode(text);
    const element = document.createElement(TAGS[kind]);
    element.textContent = text;
    if (element instanceof HTMLAnchorElement) element.href = `#${to}`;
    return element;
  });
}

/** @param {readonly Paragraph[]} paragraphs */
export function elementsOf(paragraphs) {
  return paragraphs.map((paragraph) => {
    const element = document.createElement("p");
    element.append(...nodesOf(paragraph));
    return element;
  });
}

/** @param {readonly Paragraph[]} paragraphs */
export function wordsOf(paragraphs) {
  return paragraphs.map((runs) => runs.map(({ text }) => text).join("")).join(" ");
}
