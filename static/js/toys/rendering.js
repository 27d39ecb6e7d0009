/**
 * Pictures of a mesh, pixel by pixel as `toys/rendering.py` draws them: parallel rays, a
 * lamp, a shadow on the ground.
 *
 * @typedef {import("./shapes.js").Mesh} Mesh
 * @typedef {import("./shapes.js").Point} Point
 *
 * In degrees: to the right of the camera, with which the lamp moves; above the ground.
 * @typedef {{ azimuth: number, elevation: number }} Light
 *
 * `scale`: width of the mesh's unit as a share of the picture's. `paint`: the toy's
 * whiteness; that of the ground is 1.
 * @typedef {{ mesh: Mesh, scale: number, paint: number }} Toy
 *
 * `azimuth`: degrees by which the toy is turned; 0 shows its right side. `elevation`: degrees
 * of the camera above the ground. `zoom`: factor by which the toy is enlarged.
 * @typedef {{ azimuth: number, elevation: number, light: Light, zoom: number }} View
 *
 * What lies on the ground before a toy stands there, by the place as shares of the picture.
 * @typedef {(across: number, down: number) => number} Pattern
 */
import { dot, radians } from "../lib/arithmetic.js";

const [AMBIENT, DIRECT] = [0.35, 0.65]; // brightness of white by either light
const SHADE = 0.5; // share of the lamp's light that a shadow takes from the ground
const STEPS = 256; // of a sample, to which corners are rounded
const MIDDLE = STEPS / 2;

/** @type {Light[]} */
export const LIGHTS = [50, 70].flatMap((elevation) =>
  [-60, 0, 60].map((azimuth) => ({ azimuth, elevation })),
);

/**
 * What a camera sees, sample by sample: 1 − the brightness as a share of the ground's, and
 * where the toy is seen (1), not the ground (0).
 * @typedef {object} Seen
 * @property {Float64Array} ink
 * @property {Uint8Array} isToy
 * @property {number} size rows and columns of the picture
 * @property {number} perPixel samples along a pixel's side
 */

/**
 * Each pixel's ink; the ground's is 0.
 * @param {Toy} toy @param {View} view @param {number} size rows and columns
 * @param {Pattern} [pattern] the ground's own ink; none where it is absent
 */
export function render(toy, view, size, pattern) {
  const picture = look(toy, view, size);
  if (pattern === undefined) return averaged(picture, (sample) => picture.ink[sample]);
  return averaged(picture, (sample, across, down) => {
    const ink = picture.ink[sample];
    return picture.isToy[sample] ? ink : 1 - (1 - pattern(across, down)) * (1 - ink);
  });
}

/**
 * What pictures are made of.
 * @param {Toy} toy what to draw; it stands on the ground, y = 0
 * @param {View} view
 * @param {number} size rows and columns of the picture
 * @returns {Seen}
 */
export function look({ mesh, scale, paint }, view, size) {
  const perPixel = samplesOf(size);
  const samples = size * perPixel;
  const light = direction(view.light);
  const ground = AMBIENT + DIRECT * light[1];
  const camera = cameraOf(mesh, view, samples, scale);
  const corners = camera.project(mesh.points);
  const fallen = camera.project(onGround(mesh.points, camera.ahead, light));
  const count = mesh.points.length / 3;
  const inks = new Float64Array(count);
  for (let k = 0; k < count; k++) {
    const facing = dot(camera.turn(mesh.normals, 3 * k), light);
    const bright = paint * (AMBIENT + DIRECT * Math.max(facing, 0));
    inks[k] = 1 - bright / ground;
  }
  const ink = new Float64Array(samples * samples);
  const isToy = new Uint8Array(samples * samples);
  const depths = new Float64Array(samples * samples).fill(-Infinity);
  const shadow = (SHADE * DIRECT * light[1]) / ground;
  cover(fallen, samples, (sample) => {
    ink[sample] = shadow;
  });
  cover(corners, samples, (sample, k, a, b, c) => {
    const { depth } = corners;
    const near = a * depth[k] + b * depth[k + 1] + c * depth[k + 2];
    if (near < depths[sample]) return;
    depths[sample] = near;
    ink[sample] = a * inks[k] + b * inks[k + 1] + c * inks[k + 2];
    isToy[sample] = 1;
  });
  return { ink, isToy, size, perPixel };
}

/**
 * How many samples a mesh covers in a square picture of so many a side.
 * @param {Mesh} mesh
 * @param {View} view
 * @param {number} samples
 * @param {number} scale
 */
export function silhouette(mesh, view, samples, scale) {
  const corners = cameraOf(mesh, view, samples, scale).project(mesh.points);
  const isCovered = new Uint8Array(samples * samples);
  cover(corners, samples, (sample) => {
    isCovered[sample] = 1;
  });
  return isCovered.reduce((sum, covered) => sum + covered, 0);
}

/** @param {number} size */
function samplesOf(size) {
  return size <= 64 ? 4 : size <= 160 ? 3 : 2;
}

/**
 * The unit vector to the lamp: right, up, towards the camera.
 * @param {Light} light
 * @returns {Point}
 */
function direction({ azimuth, elevation }) {
  const [across, height] = [radians(azimuth), radians(elevation)];
  return [
    Math.cos(height) * Math.sin(across),
    Math.sin(height),
    Math.cos(height) * Math.cos(across),
  ];
}

/**
 * @param {Mesh} mesh
 * @param {View} view
 * @param {number} samples
 * @param {number} scale
 */
function cameraOf({ points }, view, samples, scale) {
  const [azimuth, elevation] = [radians(view.azimuth), radians(view.elevation)];
  const [cosine, sine] = [Math.cos(azimuth), Math.sin(azimuth)];
  const [level, tilt] = [Math.cos(elevation), Math.sin(elevation)];
  const least = [Infinity, Infinity, Infinity];
  const most = [-Infinity, -Infinity, -Infinity];
  for (let k = 0; k < points.length; k++) {
    least[k % 3] = Math.min(least[k % 3], points[k]);
    most[k % 3] = Math.max(most[k % 3], points[k]);
  }
  const middle = least.map((low, k) => (low + most[k]) / 2);
  const unit = scale * view.zoom * samples;
  const half = samples / 2;
  return {
    ahead: { cosine, sine },
    /**
     * Right, up and towards the camera, as if that looked ahead.
     * @param {number[]} vectors
     * @param {number} k where the vector's x stands
     * @returns {Point}
     */
    turn(vectors, k) {
      const [x, z] = [vectors[k], vectors[k + 2]];
      return [x * cosine + z * sine, vectors[k + 1], z * cosine - x * sine];
    },
    /**
     * Column and row of each corner in steps of a sample, rounded, and its depth.
     * @param {number[]} points
     */
    project(points) {
      const count = points.length / 3;
      const x = new Float64Array(count);
      const y = new Float64Array(count);
      const depth = new Float64Array(count);
      for (let k = 0; k < count; k++) {
        const px = points[3 * k] - middle[0];
        const up = points[3 * k + 1] - middle[1];
        const pz = points[3 * k + 2] - middle[2];
        const right = px * cosine + pz * sine;
        const near = pz * cosine - px * sine;
        const high = up * level - near * tilt;
        depth[k] = up * tilt + near * level;
        x[k] = Math.floor((half + right * unit) * STEPS + 0.5);
        y[k] = Math.floor((half - high * unit) * STEPS + 0.5);
      }
      return { x, y, depth };
    },
  };
}

/**
 * Where the lamp's ray through each point meets the ground.
 * @param {number[]} points
 * @param {{ cosine: number, sine: number }} ahead
 * @param {Point} light
 */
function onGround(points, { cosine, sine }, [right, up, near]) {
  const x = (right * cosine - near * sine) / up;
  const z = (right * sine + near * cosine) / up;
  const fallen = new Array(points.length);
  for (let k = 0; k < points.length; k += 3) {
    const height = points[k + 1];
    fallen[k] = points[k] - height * x;
    fallen[k + 1] = 0;
    fallen[k + 2] = points[k + 2] - height * z;
  }
  return fallen;
}

/**
 * Tells of each sample in each triangle that faces the camera. One on an edge between two
 * belongs to one of them (top-left rule).
 * @param {{ x: Float64Array, y: Float64Array }} corners
 * @param {number} samples
 * @param {(place: number, k: number, a: number, b: number, c: number) => void} tell its
 *   place, row by row; the triangle's first corner; the weights of its corners
 */
function cover({ x, y }, samples, tell) {
  for (let k = 0; k < x.length; k += 3) {
    const [x0, x1, x2, y0, y1, y2] = [
      x[k],
      x[k + 1],
      x[k + 2],
      y[k],
      y[k + 1],
      y[k + 2],
    ];
    const area = (x1 - x0) * (y2 - y0) - (x2 - x0) * (y1 - y0);
    // Rows run down, so what is counter-clockwise has a negative area here.
    if (area >= 0) continue;
    const start = Math.max(0, Math.ceil((Math.min(x0, x1, x2) - MIDDLE) / STEPS));
    const top = Math.max(0, Math.ceil((Math.min(y0, y1, y2) - MIDDLE) / STEPS));
    const right = Math.min(
      samples - 1,
      Math.floor((Math.max(x0, x1, x2) - MIDDLE) / STEPS),
    );
    const bottom = Math.min(
      samples - 1,
      Math.floor((Math.max(y0, y1, y2) - MIDDLE) / STEPS),
    );
    /** @param {number} a @param {number} b @param {number} c */
    const isIn = (a, b, c) =>
      (a > 0 || (a === 0 && isTopLeft(x2, y2, x1, y1))) &&
      (b > 0 || (b === 0 && isTopLeft(x0, y0, x2, y2))) &&
      (c > 0 || (c === 0 && isTopLeft(x1, y1, x0, y0)));
    for (let row = top; row <= bottom; row++)
      for (let column = start; column <= right; column++) {
        const [at, down] = [column * STEPS + MIDDLE, row * STEPS + MIDDLE];
        const a = edge(x2, y2, x1, y1, at, down);
        const b = edge(x0, y0, x2, y2, at, down);
        const c = edge(x1, y1, x0, y0, at, down);
        if (isIn(a, b, c))
          tell(row * samples + column, k, a / -area, b / -area, c / -area);
      }
  }
}

/**
 * Above 0 inside of an edge that is run through clockwise on the screen.
 * @type {(x0: number, y0: number, x1: number, y1: number, x: number, y: number) => number}
 */
function edge(x0, y0, x1, y1, x, y) {
  return (x1 - x0) * (y - y0) - (y1 - y0) * (x - x0);
}

/** @type {(x0: number, y0: number, x1: number, y1: number) => boolean} */
function isTopLeft(x0, y0, x1, y1) {
  return y1 < y0 || (y1 === y0 && x1 > x0);
}

/**
 * A picture, whose pixels are the means of their samples.
 * @param {Pick<Seen, "size" | "perPixel">} picture
 * @param {(place: number, across: number, down: number) => number} sampleAt a sample, by its
 *   place, row by row, which is also told as shares of the picture
 */
export function averaged({ size, perPixel }, sampleAt) {
  const pixels = new Float64Array(size * size);
  const samples = size * perPixel;
  for (let row = 0; row < samples; row++)
    for (let column = 0; column < samples; column++) {
      const pixel = Math.floor(row / perPixel) * size + Math.floor(column / perPixel);
      const [across, down] = [(column + 0.5) / samples, (row + 0.5) / samples];
      pixels[pixel] += sampleAt(row * samples + column, across, down);
    }
  return pixels.map((sum) => sum / perPixel ** 2);
}
