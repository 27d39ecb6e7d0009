/**
 * The parts of toys as triangles, as in `toys/shapes.py`: prisms with flat faces, and round
 * bodies. Every part is convex. x is ahead, y is up, z to the toy's right.
 *
 * @typedef {[number, number, number]} Point
 * @typedef {[Point, Point, Point, Point]} Quad
 *
 * Triangles, counter-clockwise as seen from outside: nine numbers each.
 * @typedef {{ points: number[], normals: number[] }} Mesh
 */
import { dot } from "../lib/arithmetic.js";

const SIDES = 10; // of a round body's cross section
const ARCS = 3; // rings between a rounded end and its pole

/**
 * All triangles of several parts, in their order.
 * @param {Mesh[]} parts
 * @returns {Mesh}
 */
export function together(parts) {
  return {
    points: parts.flatMap(({ points }) => points),
    normals: parts.flatMap(({ normals }) => normals),
  };
}

/**
 * A solid of six flat faces between two quadrilaterals.
 * @param {Quad} first its four corners, one after the other
 * @param {Quad} second the corner opposite to each of them
 * @returns {Mesh}
 */
export function prism(first, second) {
  const middle = mean([...first, ...second]);
  /** @type {Point[][]} */
  const faces = [first, second];
  for (let k = 0; k < 4; k++) {
    const after = (k + 1) % 4;
    faces.push([first[k], first[after], second[after], second[k]]);
  }
  /** @type {Mesh} */
  const mesh = { points: [], normals: [] };
  for (const [a, b, c, d] of faces)
    for (const corners of [
      [a, b, c],
      [a, c, d],
    ]) {
      const outwards = dot(minus(mean(corners), middle), normalOf(corners)) >= 0;
      const three = outwards ? corners : [corners[0], corners[2], corners[1]];
      const normal = unit(normalOf(three));
      for (const corner of three) {
        mesh.points.push(...corner);
        mesh.normals.push(...normal);
      }
    }
  return mesh;
}

/**
 * A prism that stands upright, alike on its left and right.
 * @param {Point} bottom x of its back and of its front below, and its width there
 * @param {Point} top the same above
 * @param {[number, number]} y of its bottom and of its top
 */
export function block(bottom, top, y) {
  return prism(level(bottom, y[0]), level(top, y[1]));
}

/**
 * A rectangle that faces up, alike on the left and right.
 * @param {Point} outline x of its back and of its front, and its width
 * @param {number} height
 * @returns {Quad}
 */
export function level([back, front, width], height) {
  const half = width / 2;
  return [
    [back, height, -half],
    [front, height, -half],
    [front, height, half],
    [back, height, half],
  ];
}

/**
 * A rectangle that faces a side.
 * @param {[number, number]} x of its back and of its front
 * @param {[number, number]} y of its lower and of its upper edge
 * @param {number} z
 * @returns {Quad}
 */
export function upright([back, front], [low, high], z) {
  return [
    [back, low, z],
    [front, low, z],
    [front, high, z],
    [back, high, z],
  ];
}

/**
 * A round body between two balls.
 * @param {Point} start centre of the first ball
 * @param {Point} end centre of the second
 * @param {[number, number]} radii of the balls, and so of the body between them
 * @param {number} flat thickness along x as a share of that across, for an upright body
 */
export function limb(start, end, [first, second], flat = 1) {
  const axis = minus(end, start);
  const length = Math.sqrt(axis[0] ** 2 + axis[1] ** 2 + axis[2] ** 2);
  /** @type {Ring[]} */
  const profile = [];
  for (let k = 0; k <= ARCS; k++) {
    const angle = ((Math.PI / 2) * k) / ARCS;
    const [along, out] = [Math.cos(angle), Math.sin(angle)];
    profile.push([-first * along, first * out, -along, out]);
  }
  for (let k = ARCS; k >= 0; k--) {
    const angle = ((Math.PI / 2) * k) / ARCS;
    const [along, out] = [Math.cos(angle), Math.sin(angle)];
    profile.push([length + second * along, second * out, along, out]);
  }
  const ahead = /** @type {Point} */ (axis.map((number) => number / length));
  return turned(start, ahead, profile, flat);
}

/**
 * An ellipsoid.
 * @param {Point} centre its middle
 * @param {Point} radii along x, y and z
 * @param {number} pitch by how much its x axis rises, in radians
 * @returns {Mesh}
 */
export function ball(centre, radii, pitch = 0) {
  const rings = 2 * ARCS + 1;
  /** @type {Ring[]} */
  const profile = Array.from({ length: rings + 1 }, (_, k) => {
    const angle = (Math.PI * k) / rings;
    return [-Math.cos(angle), Math.sin(angle), -Math.cos(angle), Math.sin(angle)];
  });
  const { points, normals } = turned([0, 0, 0], [1, 0, 0], profile, 1);
  const [along, rise] = [Math.cos(pitch), Math.sin(pitch)];
  /** @param {Point} vector */
  const pitched = ([x, y, z]) =>
    /** @type {Point} */ ([x * along - y * rise, x * rise + y * along, z]);
  /** @type {Mesh} */
  const mesh = { points: [], normals: [] };
  for (let k = 0; k < points.length; k += 3) {
    const at = pitched([
      points[k] * radii[0],
      points[k + 1] * radii[1],
      points[k + 2] * radii[2],
    ]);
    mesh.points.push(at[0] + centre[0], at[1] + centre[1], at[2] + centre[2]);
    const slope = unit([
      normals[k] / radii[0],
      normals[k + 1] / radii[1],
      normals[k + 2] / radii[2],
    ]);
    mesh.normals.push(...pitched(slope));
  }
  return mesh;
}

/**
 * A flat cylinder that rolls ahead.
 * @param {Point} centre its middle
 * @param {number} radius
 * @param {number} width
 */
export function wheel(centre, radius, width) {
  const half = width / 2;
  /** @type {Ring[]} */
  const profile = [
    [-half, 0, -1, 0],
    [-half, radius, -1, 0],
    [-half, radius, 0, 1],
    [half, radius, 0, 1],
    [half, radius, 1, 0],
    [half, 0, 1, 0],
  ];
  return turned(centre, [0, 0, 1], profile, 1);
}

/**
 * Of a profile that turns about an axis: place along the axis, radius, and the normal
 * along and out.
 * @typedef {[number, number, number, number]} Ring
 */

/**
 * What a profile becomes that turns about an axis.
 * @param {Point} start
 * @param {Point} axis a unit vector
 * @param {Ring[]} profile
 * @param {number} flat
 * @returns {Mesh}
 */
function turned(start, axis, profile, flat) {
  const [x, y, z] = axis;
  const across = Math.sqrt(x ** 2 + z ** 2);
  // Axis, u and v are right-handed, so that the triangles below face outwards. Across an
  // upright axis u is that of x.
  /** @type {Point} */
  const u = across > 1e-9 ? [(-x * y) / across, across, (-z * y) / across] : [1, 0, 0];
  const v = cross(axis, u);
  const around = Array.from({ length: SIDES }, (_, k) => {
    const angle = (2 * Math.PI * (k + 0.5)) / SIDES;
    const [cosine, sine] = [Math.cos(angle), Math.sin(angle)];
    return {
      out: plus(times(flat * cosine, u), times(sine, v)),
      facing: unit(plus(times(cosine / flat, u), times(sine, v))),
    };
  });
  const places = profile.map(([along, radius]) =>
    around.map(({ out }) => plus(plus(start, times(along, axis)), times(radius, out))),
  );
  const slopes = profile.map(([, , along, out]) =>
    around.map(({ facing }) => plus(times(along, axis), times(out, facing))),
  );
  /** @type {Mesh} */
  const mesh = { points: [], normals: [] };
  for (let ring = 0; ring + 1 < profile.length; ring++)
    for (let k = 0; k < SIDES; k++) {
      const after = (k + 1) % SIDES;
      const corners = [
        [ring, k],
        [ring, after],
        [ring + 1, after],
        [ring + 1, k],
      ];
      for (const corner of [0, 1, 2, 0, 2, 3]) {
        const [of, side] = corners[corner];
        mesh.points.push(...places[of][side]);
        mesh.normals.push(...slopes[of][side]);
      }
    }
  return mesh;
}

/** @param {Point[]} corners */
function normalOf([a, b, c]) {
  return cross(minus(b, a), minus(c, a));
}

/** @param {Point[]} points @returns {Point} */
function mean(points) {
  const sum = points.reduce(plus, [0, 0, 0]);
  return times(1 / points.length, sum);
}

/** @param {Point} vector */
function unit(vector) {
  return times(1 / Math.sqrt(dot(vector, vector)), vector);
}

/** @param {Point} a @param {Point} b @returns {Point} */
function cross(a, b) {
  return [
    a[1] * b[2] - a[2] * b[1],
    a[2] * b[0] - a[0] * b[2],
    a[0] * b[1] - a[1] * b[0],
  ];
}

/** @param {Point} a @param {Point} b @returns {Point} */
function plus(a, b) {
  return [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
}

/** @param {Point} a @param {Point} b @returns {Point} */
function minus(a, b) {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}

/** @param {number} factor @param {Point} vector @returns {Point} */
function times(factor, vector) {
  return [factor * vector[0], factor * vector[1], factor * vector[2]];
}
