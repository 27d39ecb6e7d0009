/** Pillow's resampling of a grey picture, as the server's intake uses it. */

/** How far a filter reaches, and its weight at a distance. */
/** @type {Record<"box" | "bilinear" | "hamming", { reach: number, weight: (x: number) => number }>} */
export const FILTERS = {
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
};

/** @typedef {{ rows: number, columns: number, values: Float32Array }} Plane */

/** @param {Plane} plane @param {number} rows @param {number} columns @param {keyof typeof FILTERS} kind @returns {Plane} */
export function resized(plane, rows, columns, kind) {
  return turned(across(turned(across(plane, columns, kind)), rows, kind));
}

/** Each row resampled to another length. @param {Plane} plane @param {number} length @param {keyof typeof FILTERS} kind @returns {Plane} */
function across({ rows, columns, values }, length, kind) {
  const { reach, weight } = FILTERS[kind];
  const scale = columns / length;
  const wide = Math.max(scale, 1);
  const out = new Float32Array(rows * length);
  for (let to = 0; to < length; to++) {
    const center = (to + 0.5) * scale;
    const first = Math.max(Math.trunc(center - reach * wide + 0.5), 0);
    const last = Math.min(Math.trunc(center + reach * wide + 0.5), columns);
    const weights = [];
    for (let from = first; from < last; from++)
      weights.push(weight((from - center + 0.5) / wide));
    const total = weights.reduce((sum, each) => sum + each, 0);
    for (let row = 0; row < rows; row++) {
      let sum = 0;
      for (const [place, each] of weights.entries())
        sum += (each / total) * values[row * columns + first + place];
      out[row * length + to] = sum;
    }
  }
  return { rows, columns: length, values: out };
}

/** Rows as columns. @param {Plane} plane @returns {Plane} */
export function turned({ rows, columns, values }) {
  const out = new Float32Array(values.length);
  for (let row = 0; row < rows; row++)
    for (let column = 0; column < columns; column++)
      out[column * rows + row] = values[row * columns + column];
  return { rows: columns, columns: rows, values: out };
}
