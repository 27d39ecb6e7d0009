/**
 * The page's two colour scales, as tables of 256 packed pixels.
 * A table entry is what a little-endian `Uint32Array` over ImageData takes: 0xAABBGGRR.
 */

/** @typedef {readonly [red: number, green: number, blue: number]} Rgb */

/**
 * How values become colours: `low` takes the table's first entry, `high` its last.
 * @typedef {{ name: "sequential" | "diverging" | "ink", table: Uint32Array, low: number, high: number }} Scale
 */

/** Viridis (van der Walt & Smith), dark to light; even steps of lightness. */
const SEQUENTIAL = [
  "440154",
  "482878",
  "3e4989",
  "31688e",
  "26828e",
  "1f9e89",
  "35b779",
  "6ece58",
  "b5de2b",
  "fde725",
];

const LIGHT = "f4f4f2";

/** Blue below zero, light at zero, red above; told apart by the colour-blind too. */
const DIVERGING = [
  "0b3c7d",
  "2166ac",
  "4393c3",
  "92c5de",
  "d1e5f0",
  LIGHT,
  "fddbc7",
  "f4a582",
  "d6604d",
  "b2182b",
  "7a0320",
];

const INK = ["000000", "ffffff"];

/**
 * The colours of two that claim the same picture: told apart by the colour-blind too, and
 * white where both are at their full.
 * @type {readonly [Rgb, Rgb]}
 */
export const OWNERS = [
  [255, 140, 0],
  [0, 115, 255],
];

const TABLES = {
  sequential: buildTable(SEQUENTIAL),
  diverging: buildTable(DIVERGING),
  ink: buildTable(INK),
};

/**
 * From `low`, dark, to `high`, light: for amounts.
 * @param {number} low @param {number} high
 * @returns {Scale}
 */
export function sequential(low, high) {
  return { name: "sequential", table: TABLES.sequential, low, high };
}

/**
 * Symmetric around zero: for values with a sign.
 * @param {number} reach the largest magnitude
 * @returns {Scale}
 */
export function diverging(reach) {
  return { name: "diverging", table: TABLES.diverging, low: -reach, high: reach };
}

/**
 * Ink on ground, as the network gets it: 0 black, 1 white. For pictures of digits only.
 * @returns {Scale}
 */
export function ink() {
  return { name: "ink", table: TABLES.ink, low: 0, high: 1 };
}

/**
 * @param {Scale} scale
 * @param {number} value clipped to the scale's ends
 * @returns {number} packed pixel; transparent for what is not a number
 */
export function packedColor({ table, low, high }, value) {
  if (Number.isNaN(value)) return 0;
  const share = high > low ? (value - low) / (high - low) : 0.5;
  return table[share <= 0 ? 0 : share >= 1 ? 255 : Math.round(255 * share)];
}

/** @param {Scale} scale @param {number} value @returns {Rgb} */
export function color(scale, value) {
  const packed = packedColor(scale, value);
  return [packed & 255, (packed >> 8) & 255, (packed >> 16) & 255];
}

/** @param {Scale} scale @param {number} value @returns {string} for CSS */
export function cssColor(scale, value) {
  return `rgb(${color(scale, value).join(" ")})`;
}

/**
 * Black or white, whichever reads better on a colour (WCAG's relative luminance).
 * @param {Rgb} background
 * @returns {"#000" | "#fff"}
 */
export function readableOn(background) {
  const [red, green, blue] = background.map((byte) => {
    const share = byte / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue > 0.179 ? "#000" : "#fff";
}

/** @param {string} hex @returns {Rgb} */
function bytesOf(hex) {
  const [red, green, blue] = [0, 2, 4].map((at) =>
    Number.parseInt(hex.slice(at, at + 2), 16),
  );
  return [red, green, blue];
}

/** @param {string[]} stops hexadecimal colours, evenly spaced */
function buildTable(stops) {
  const colors = stops.map(bytesOf);
  return Uint32Array.from({ length: 256 }, (_, i) => {
    const position = (i / 255) * (colors.length - 1);
    const before = Math.min(Math.floor(position), colors.length - 2);
    const share = position - before;
    const [red, green, blue] = colors[before].map((byte, channel) =>
      Math.round(byte + share * (colors[before + 1][channel] - byte)),
    );
    return (0xff000000 | (blue << 16) | (green << 8) | red) >>> 0;
  });
}
