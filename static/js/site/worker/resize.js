/** Pillow's resampling of a grey picture, as the server's intake uses it. */

/** How far a filter reaches, and its weight at a distance. */
/** @type {Record<"box" | "bilinear" | "hamming" | "lanczos", { reach: number, weight: (x: number) => number }>} */
const FILTERS = {
  box: { reach: 0.5, weight: (x) => (x > -0.5 && x <= 0.5 ? 1 : 0) },
  bilinear: { reach: 1, weight: (x) => Math.max(0, 1 - Math.abs(x)) },
  hamming: {
    reach: 1,
    weight: (x) => {
      if (x === 0) return 1;
      if (Math.abs(x) >= 1) return 0;
      const angle = Math.PI * x;
      return (Math.sin(angle) / angle) * (0.54 + 0.46 * Math.cos(angle));
    },
  },
  lanczos: { reach: 3, weight: (x) => (Math.abs(x) < 3 ? sinc(x) * sinc(x / 3) : 0) },
};

/** @param {number} x */
const sinc = (x) => (x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x));

const FINE = 2 ** 22; // weights of bytes are whole numbers of its parts

/** @typedef {{ rows: number, columns: number, values: Float32Array }} Plane */

/**
 * @param {Plane} plane @param {number} rows @param {number} columns
 * @param {keyof typeof FILTERS} kind
 * @param {{ rows: number, columns: number } | null} [bytes] values are whole numbers to
 *   255, and so much of the plane counts
 * @returns {Plane}
 */
export function resize(plane, rows, columns, kind, bytes = null) {
  const wide = across(plane, columns, kind, bytes?.columns);
  return transpose(across(transpose(wide), rows, kind, bytes?.rows));
}

/** Each row resampled to another length. @param {Plane} plane @param {number} length @param {keyof typeof FILTERS} kind @param {number} [part] of rows of bytes @returns {Plane} */
function across({ rows, columns, values }, length, kind, part) {
  const { reach, weight } = FILTERS[kind];
  const scale = (part ?? columns) / length;
  const wide = Math.max(scale, 1);
  const out = new Float32Array(rows * length);
  for (let to = 0; to < length; to++) {
    const center = (to + 0.5) * scale;
    const first = Math.max(Math.trunc(center - reach * wide + 0.5), 0);
    const last = Math.min(Math.trunc(center + reach * wide + 0.5), columns);
    const weights = [];
    for (let from = first; from < last; from++)
      weights.push(weight((from - center + 0.5) / wide));
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    for (const [index, weight] of weights.entries()) {
      const share = weight / total;
      weights[index] = part ? Math.round(share * FINE) / FINE : share;
    }
    for (let row = 0; row < rows; row++) {
      let sum = 0;
      for (const [index, weight] of weights.entries())
        sum += weight * values[row * columns + first + index];
      const byte = Math.min(Math.max(Math.floor(sum + 0.5), 0), 255);
      out[row * length + to] = part ? byte : sum;
    }
  }
  return { rows, columns: length, values: out };
}

/** Rows as columns. @param {Plane} plane @returns {Plane} */
export function transpose({ rows, columns, values }) {
  const out = new Float32Array(values.length);
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++)
      out[column * rows + row] = values[row * columns + column];
  return { rows: columns, columns: rows, values: out };
}
