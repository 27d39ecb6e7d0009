/** The colours of a ramp. */

/**
 * @param {string} gradient a computed `linear-gradient(...)`
 * @returns {string[]} its colours, from left to right
 */
export function colorsIn(gradient) {
  return (
    gradient.match(/(?:rgba?|color|oklab|oklch|lab)\([^()]*\)|#[\da-f]{3,8}\b/gi) ?? []
  );
}

/**
 * @param {readonly string[]} colors evenly spaced
 * @param {number} share of the way from the first to the last
 * @returns {string}
 */
export function blended(colors, share) {
  if (colors.length < 2) return colors[0] ?? "#fff";
  const at = share * (colors.length - 1);
  const from = Math.min(Math.floor(at), colors.length - 2);
  const [a, b] = [channels(colors[from]), channels(colors[from + 1])];
  if (a === null || b === null) return colors[Math.round(at)];
  const mixed = a.map((value, i) => Math.round(value + (at - from) * (b[i] - value)));
  return `rgb(${mixed.join(" ")})`;
}

/**
 * @param {string} color
 * @returns {number[] | null} red, green and blue, where they are written as such
 */
function channels(color) {
  const numbers = /^rgba?\(([^)]*)\)$/.exec(color)?.[1].match(/[\d.]+/g);
  return numbers ? numbers.slice(0, 3).map(Number) : null;
}
