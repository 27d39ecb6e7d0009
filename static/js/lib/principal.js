/** Directions along which points of many dimensions spread the most. */

/**
 * Where points stand in a plane through zero.
 * @param {ArrayLike<number>} points (count, dim)
 * @param {{ right: Float64Array, up: Float64Array }} plane directions of length 1
 * @returns {Float32Array} (count, 2)
 */
export function projected(points, { right, up }) {
  const dim = right.length;
  const places = new Float32Array((2 * points.length) / dim);
  for (let at = 0, to = 0; at < points.length; to += 2) {
    let [x, y] = [0, 0];
    for (let d = 0; d < dim; d++, at++) {
      x += points[at] * right[d];
      y += points[at] * up[d];
    }
    places[to] = x;
    places[to + 1] = y;
  }
  return places;
}

// Eigenvalues of small symmetric matrices, by Jacobi's rotations.

/** Sweeps over all pairs; a dozen is more than any matrix of this size has needed. */
const MOST_SWEEPS = 30;

/** Below this share of the whole, what is left off the diagonal counts as nothing. */
const NOTHING = 1e-24;

/**
 * Eigenvalues of small symmetric matrices, by Jacobi's rotations.
 * @param {Float64Array} matrix (size, size), symmetric; left as it is
 * @param {number} size
 * @returns {{ values: Float64Array, vectors: Float64Array[] }} the largest value first,
 *   and a vector of length 1 for each, of either sign
 */
export function symmetricEigen(matrix, size) {
  const a = matrix.slice();
  const turned = new Float64Array(size * size); // its columns become the vectors
  for (let i = 0; i < size; i++) turned[i * size + i] = 1;
  const whole = a.reduce((sum, value) => sum + value ** 2, 0);
  for (let sweep = 0; sweep < MOST_SWEEPS; sweep++) {
    if (offDiagonal(a, size) <= NOTHING * whole) break;
    for (let p = 0; p < size - 1; p++) {
      for (let q = p + 1; q < size; q++) rotate(a, turned, size, p, q);
    }
  }
  const order = Array.from({ length: size }, (_, i) => i).sort(
    (i, j) => a[j * size + j] - a[i * size + i],
  );
  return {
    values: Float64Array.from(order, (i) => a[i * size + i]),
    vectors: order.map((column) =>
      Float64Array.from({ length: size }, (_, row) => turned[row * size + column]),
    ),
  };
}

/** @param {Float64Array} a @param {number} size */
function offDiagonal(a, size) {
  let sum = 0;
  for (let p = 0; p < size - 1; p++) {
    for (let q = p + 1; q < size; q++) sum += 2 * a[p * size + q] ** 2;
  }
  return sum;
}

/**
 * Turn the plane of axes p and q so that a[p, q] becomes 0 (Golub & Van Loan, 8.5).
 * @param {Float64Array} a turned from both sides
 * @param {Float64Array} turned turned from the right
 * @param {number} size @param {number} p @param {number} q
 */
function rotate(a, turned, size, p, q) {
  const between = a[p * size + q];
  if (between === 0) return;
  const theta = (a[q * size + q] - a[p * size + p]) / (2 * between);
  const tangent = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta ** 2 + 1));
  const cosine = 1 / Math.sqrt(tangent ** 2 + 1);
  const sine = tangent * cosine;
  for (let i = 0; i < size; i++) turn(a, i * size + p, i * size + q, cosine, sine);
  for (let i = 0; i < size; i++) turn(a, p * size + i, q * size + i, cosine, sine);
  for (let i = 0; i < size; i++) turn(turned, i * size + p, i * size + q, cosine, sine);
}

/**
 * @param {Float64Array} values @param {number} i @param {number} j
 * @param {number} cosine @param {number} sine
 */
function turn(values, i, j, cosine, sine) {
  const [first, second] = [values[i], values[j]];
  values[i] = cosine * first - sine * second;
  values[j] = sine * first + cosine * second;
}
