/**
 * The parts of five categories of toys, as in `toys/categories.py`. The server tells their
 * parameters.
 *
 * @typedef {import("./shapes.js").Mesh} Mesh
 * @typedef {import("./shapes.js").Point} Point
 *
 * A toy's value for each parameter: lengths have no unit, angles are in degrees.
 * @typedef {Record<string, number>} Values
 *
 * @typedef {{ name: string, title: string, low: number, high: number }} Parameter
 * @typedef {{ name: string, parameters: Parameter[] }} Category
 */

import { radians } from "../lib/arithmetic.js";
import { uniform } from "../lib/chance.js";
import { ball, block, level, limb, prism, together, upright, wheel } from "./shapes.js";

/** The sides of what is alike on both. */
const SIDES = [-1, 1];

/** @type {Record<string, (values: Values) => Mesh[]>} */
const PARTS = { animal, human, plane, truck, car };

/** The triangles of a toy. @param {string} category @param {Values} values */
export function meshOf(category, values) {
  return together(PARTS[category](values));
}

/**
 * The value of each parameter that follows from a seed.
 * @param {Category[]} categories all of them, in the server's order
 * @param {string} name
 * @param {number} seed a whole number from 0
 * @returns {Values}
 */
export function drawnToy(categories, name, seed) {
  const number = categories.findIndex((category) => category.name === name);
  const { parameters } = categories[number];
  const drawn = uniform(categories.length * seed + number, parameters.length);
  return Object.fromEntries(
    parameters.map(({ name, low, high }, k) => [name, low + (high - low) * drawn[k]]),
  );
}

/** @param {Values} p */
function animal(p) {
  const { body_length: length, girth, leg_length: leg, leg_thickness: thick } = p;
  const head = p.head_size;
  const back = leg + girth / 2;
  const [rear, front] = [-length / 2 + girth / 2, length / 2 - girth / 2];
  const parts = [limb([rear, back, 0], [front, back, 0], [0.47 * girth, girth / 2])];
  const step = leg * Math.sin(radians(p.stride));
  for (const [x, swing] of [
    [rear, step],
    [front, -step],
  ])
    for (const side of SIDES) {
      const z = side * (0.5 * girth - thick);
      /** @type {Point} */
      const foot = [x + side * swing, thick, z];
      parts.push(limb([x, back - girth / 6, z], foot, [1.5 * thick, thick]));
    }
  const rise = radians(p.neck_rise);
  /** @type {Point} */
  const nape = [front + 0.2 * girth, back + 0.15 * girth, 0];
  /** @type {Point} */
  const crown = [
    nape[0] + p.neck_length * Math.cos(rise),
    nape[1] + p.neck_length * Math.sin(rise),
    0,
  ];
  parts.push(limb(nape, crown, [0.3 * girth, 0.32 * head]));
  parts.push(
    ball(
      [crown[0] + 0.35 * head, crown[1] + 0.05 * head, 0],
      [0.62 * head, 0.38 * head, 0.36 * head],
      -0.35,
    ),
  );
  for (const side of SIDES) {
    /** @type {Point} */
    const ear = [crown[0] + 0.05 * head, crown[1] + 0.3 * head, side * 0.24 * head];
    /** @type {Point} */
    const tip = [
      ear[0] - 0.05 * head,
      ear[1] + p.ear_length,
      ear[2] * (1 + 2 * p.ear_length),
    ];
    parts.push(limb(ear, tip, [0.11 * head, 0.05 * head]));
  }
  const droop = radians(p.tail_rise);
  /** @type {Point} */
  const root = [rear - 0.4 * girth, back + 0.15 * girth, 0];
  /** @type {Point} */
  const end = [
    root[0] - p.tail_length * Math.cos(droop),
    root[1] + p.tail_length * Math.sin(droop),
    0,
  ];
  parts.push(limb(root, end, [0.1 * girth, 0.05 * girth]));
  return parts;
}

/** @param {Values} p */
function human(p) {
  const { leg_length: leg, shoulders: wide, girth, head_size: head } = p;
  const thick = 0.32 * girth;
  const hip = leg + 0.3 * girth;
  const neck = hip + p.trunk_length;
  const parts = [
    limb(
      [0, hip, 0],
      [0, neck - 0.4 * wide, 0],
      [0.42 * wide, 0.5 * wide],
      girth / wide,
    ),
    limb([0, neck, 0], [0, neck + 0.4 * head, 0], [0.3 * head, 0.26 * head]),
    ball([0.03, neck + 0.85 * head, 0], [0.46 * head, 0.56 * head, 0.45 * head]),
  ];
  const step = radians(p.stride);
  for (const side of SIDES) {
    const z = side * 0.22 * wide;
    /** @type {Point} */
    const foot = [side * leg * Math.sin(step), 0.75 * thick, 1.5 * z];
    parts.push(limb([0, hip, z], foot, [1.25 * thick, 0.75 * thick]));
    /** @type {Point} */
    const toe = [foot[0] + 1.6 * thick, 0.55 * thick, foot[2]];
    parts.push(limb(foot, toe, [0.75 * thick, 0.5 * thick]));
  }
  const bend = radians(p.elbow);
  const half = p.arm_length / 2;
  for (const side of SIDES) {
    const raised = radians(side < 0 ? p.left_arm : p.right_arm);
    const [down, out] = [half * Math.cos(raised), side * half * Math.sin(raised)];
    /** @type {Point} */
    const shoulder = [0, neck - 0.2 * wide, side * 0.5 * wide];
    /** @type {Point} */
    const elbow = [0.25 * half * Math.sin(bend), shoulder[1] - down, shoulder[2] + out];
    /** @type {Point} */
    const hand = [
      elbow[0] + half * Math.sin(bend),
      elbow[1] - down * Math.cos(bend),
      elbow[2] + out * Math.cos(bend),
    ];
    parts.push(limb(shoulder, elbow, [0.85 * thick, 0.65 * thick]));
    parts.push(limb(elbow, hand, [0.65 * thick, 0.6 * thick]));
  }
  return parts;
}

/** @param {Values} p */
function plane(p) {
  const { length, span, chord, engine } = p;
  const radius = p.girth / 2;
  const y = 0.45 * radius + 0.08 + radius;
  const sweep = Math.sin(radians(p.sweep));
  /** @type {(at: number, chord: number, half: number, height: number, rise: number) => Mesh[]} */
  const wings = (at, chord, half, height, rise) => {
    const tip = at - half * sweep;
    const thick = 0.09 * chord + 0.012;
    return SIDES.map((side) =>
      prism(
        upright([at, at + chord], [height - thick, height + thick], 0),
        upright(
          [tip, tip + chord * p.taper],
          [height + rise - 0.4 * thick, height + rise + 0.4 * thick],
          side * half,
        ),
      ),
    );
  };
  const rise = (span / 2) * Math.sin(radians(p.dihedral));
  const [stern, tail] = [-0.48 * length, 0.55 * chord];
  const parts = [
    limb([0.1 * length, y, 0], [0.5 * length - radius, y, 0], [radius, 0.8 * radius]),
    limb(
      [0.1 * length, y, 0],
      [-0.5 * length, y + 0.4 * radius, 0],
      [radius, 0.25 * radius],
    ),
    ball(
      [0.34 * length, y + 0.55 * radius, 0],
      [0.1 * length, 0.65 * radius, 0.55 * radius],
    ),
    ...wings(p.wing_place * length, chord, span / 2, y, rise),
    ...wings(stern, tail, p.tail_span / 2, y + 0.4 * radius, 0),
  ];
  const high = y + radius + p.fin_height;
  const lean = stern - tail / 4;
  parts.push(
    prism(
      level([stern, stern + tail, 0.06], y + 0.3 * radius),
      level([lean, lean + 0.6 * tail, 0.024], high),
    ),
  );
  const at = p.wing_place * length + 0.55 * chord;
  for (const side of SIDES) {
    const z = side * 0.22 * span;
    const below = y + rise * 0.44 - 0.6 * engine;
    parts.push(
      limb(
        [at - 0.5 * engine, below, z],
        [at + 1.1 * engine, below, z],
        [0.55 * engine, 0.6 * engine],
      ),
      wheel([-0.02 * length, 0.07, side * 1.2 * radius], 0.07, 0.06),
    );
  }
  parts.push(wheel([0.36 * length, 0.07, 0], 0.07, 0.06));
  return parts;
}

/** @param {Values} p */
function truck(p) {
  const { width, wheel_radius: radius, cab_length: cab, nose_length: nose } = p;
  const floor = 1.1 * radius;
  const rear = -(cab + p.cargo_length + nose + p.gap) / 2;
  const loaded = rear + p.cargo_length;
  const behind = loaded + p.gap;
  const ahead = behind + cab;
  const deck = floor + 0.16;
  const parts = [
    block(
      [rear, ahead + nose, 0.7 * width],
      [rear, ahead + nose, 0.7 * width],
      [floor - 0.05, deck],
    ),
    block(
      [rear, loaded, width],
      [rear, loaded, width],
      [deck - 0.02, deck + p.cargo_height],
    ),
    block(
      [behind, ahead, 0.94 * width],
      [behind, ahead - 0.12 * cab, 0.86 * width],
      [floor - 0.03, floor + p.cab_height],
    ),
  ];
  if (nose > 0)
    parts.push(
      block(
        [ahead - 0.03, ahead + nose, 0.88 * width],
        [ahead - 0.03, ahead + 0.92 * nose, 0.78 * width],
        [floor - 0.02, floor + 0.46 * p.cab_height],
      ),
    );
  const axles = [
    rear + 1.15 * radius,
    rear + 3.4 * radius,
    ahead + nose - 1.2 * radius,
  ];
  for (const x of axles)
    for (const side of SIDES)
      parts.push(wheel([x, radius, side * (width / 2 - 0.05)], radius, 0.16));
  return parts;
}

/** @param {Values} p */
function car(p) {
  const { length, width, wheel_radius: radius } = p;
  const belt = 0.55 * radius + p.body_height;
  const half = length / 2;
  const slant = p.slant * p.cabin_height;
  const parts = [
    block(
      [-half, half, width],
      [-0.96 * half, 0.94 * half, 0.94 * width],
      [0.55 * radius, belt],
    ),
    block(
      [-half + p.boot * length, half - p.hood * length, 0.9 * width],
      [
        -half + p.boot * length + 0.6 * slant,
        half - p.hood * length - slant,
        0.72 * width,
      ],
      [belt - 0.01, belt + p.cabin_height],
    ),
  ];
  for (const x of [-0.6 * half, 0.6 * half])
    for (const side of SIDES)
      parts.push(wheel([x, radius, side * (width / 2 - 0.04)], radius, 0.13));
  return parts;
}
