/**
 * SVG as text: elements, a picture with its legend and one line below it, as a document of its
 * own.
 */

/** @typedef {string | number | false | null | undefined} Value */

// A file with any of these is no XML; no escape makes it one.
const FORBIDDEN = /[^\P{Cc}\t\n\r]|\p{Cs}|[\ufffe\uffff]/gu;
/** @type {Record<string, string>} */
const ESCAPES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** @param {string} text */
export const escapeText = (text) =>
  text.replace(FORBIDDEN, "\ufffd").replace(/[&<>"]/g, (sign) => ESCAPES[sign]);

/** @param {number} value */
const round = (value) => String(Number(value.toFixed(2)));

/**
 * @param {string} tag @param {Readonly<Record<string, Value>>} attributes those that are false
 *   or null are left out
 * @param {...string} content as this function returns it, or escaped text
 * @returns {string}
 */
export function element(tag, attributes, ...content) {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== false && value != null)
    .map(([name, value]) => {
      const text = typeof value === "number" ? round(value) : String(value);
      return ` ${name}="${escapeText(text)}"`;
    })
    .join("");
  const inner = content.join("");
  return inner === "" ? `<${tag}${written}/>` : `<${tag}${written}>${inner}</${tag}>`;
}

/** @typedef {{ x: number, y: number, width: number, height: number }} Box */

/** The box around boxes. @param {readonly Box[]} boxes @returns {Box} */
export function around(boxes) {
  const x = Math.min(...boxes.map((box) => box.x));
  const y = Math.min(...boxes.map((box) => box.y));
  const right = Math.max(...boxes.map((box) => box.x + box.width));
  const bottom = Math.max(...boxes.map((box) => box.y + box.height));
  return { x, y, width: right - x, height: bottom - y };
}

const MARGIN = 12; // CSS pixels
const LINE = { size: 11, high: 15, letter: 7, above: 10, least: 360 }; // CSS pixels
const MUTED = "#5a606c";

/**
 * What a picture is of.
 * @typedef {object} Caption
 * @property {string} title
 * @property {readonly string[]} parts network, image, what is changed, program
 * @property {string} link to exactly this
 */

/**
 * A picture as a file of its own, in CSS pixels.
 * @param {{ box: Box, content: string }} picture
 * @param {Caption} caption @param {string} font family of the line
 * @param {boolean} isClear without a ground
 * @returns {{ text: string, width: number, height: number }}
 */
export function documentOf({ box, content }, { title, parts, link }, font, isClear) {
  const width = Math.ceil(Math.max(box.width, LINE.least) + 2 * MARGIN);
  const most = Math.floor((width - 2 * MARGIN) / LINE.letter);
  const lines = wrap(parts.join(" · "), most);
  const below = MARGIN + box.height + LINE.above;
  const height = Math.ceil(below + (lines.length + 1) * LINE.high + MARGIN);
  const textAt = (/** @type {string} */ text, /** @type {number} */ at) =>
    element("text", { x: MARGIN, y: below + (at + 0.8) * LINE.high }, escapeText(text));
  const look = { fill: MUTED, "font-family": font, "font-size": LINE.size };
  const frame = { width, height, viewBox: `0 0 ${width} ${height}` };
  const text = element(
    "svg",
    { xmlns: "http://www.w3.org/2000/svg", ...frame },
    element("title", {}, escapeText(title)),
    element("desc", {}, escapeText([...parts, link].join(" · "))),
    isClear ? "" : element("rect", { width, height, fill: "#fff" }),
    element(
      "g",
      { transform: `translate(${round(MARGIN - box.x)} ${round(MARGIN - box.y)})` },
      content,
    ),
    element(
      "g",
      look,
      ...lines.map(textAt),
      element("a", { href: link }, textAt(shorten(link, most), lines.length)),
    ),
  );
  return { text: `<?xml version="1.0" encoding="UTF-8"?>\n${text}\n`, width, height };
}

/** @param {string} text @param {number} most characters */
const shorten = (text, most) =>
  text.length > most ? `${text.slice(0, most - 1)}…` : text;

/**
 * Lines of whole words; a word that is too long is shortened.
 * @param {string} text @param {number} most characters of a line
 */
function wrap(text, most) {
  /** @type {string[]} */
  const lines = [];
  for (const word of text.split(/\s+/)) {
    const longer = `${lines.at(-1) ?? ""} ${word}`.trim();
    if (lines.length > 0 && longer.length <= most) lines[lines.length - 1] = longer;
    else lines.push(shorten(word, most));
  }
  return lines;
}
