import assert from "node:assert/strict";
import { test } from "node:test";

import { LIGHTS, render } from "../../../static/js/toys/rendering.js";
import { parametersOf, sceneInk, toyPixels } from "../../../static/js/toys/scene.js";
import { toyOf } from "../../../static/js/toys/sizing.js";
import { CATEGORIES, SCENE } from "./fixtures.js";

const SIZE = 32;
const plain = sceneInk(CATEGORIES, SCENE, SIZE);
const isEvery = (ink, holds) =>
  ink.forEach((value, i) => {
    assert.ok(holds(value, Math.floor(i / SIZE), i % SIZE), `pixel ${i}: ${value}`);
  });

test("a plain scene is the toy alone, on a ground of no ink", () => {
  const values = Object.fromEntries(
    parametersOf(CATEGORIES, SCENE).map(({ name, value }) => [name, value]),
  );
  const view = { azimuth: 320, elevation: 40, light: LIGHTS[1], zoom: 1 };
  const alone = render(toyOf("car", values), view, SIZE);
  isEvery(plain, (value, row, column) => {
    const expected = Math.min(Math.max(alone[row * SIZE + column], 0), 1);
    return value === expected;
  });
  assert.equal(plain[0], 0, "a corner");
  assert.ok(Math.max(...plain) > 0.3, "the toy");
});

test("a number of one's own stands for the drawn one, in percent of its range", () => {
  const [first, second] = parametersOf(CATEGORIES, SCENE);
  const changed = parametersOf(CATEGORIES, { ...SCENE, own: { [first.name]: 25 } });
  const { low, high } = CATEGORIES[0].parameters[0];
  assert.equal(changed[0].percent, 25);
  assert.equal(changed[0].value, low + (high - low) / 4);
  assert.deepEqual(changed[1], second);
  const longer = sceneInk(CATEGORIES, { ...SCENE, own: { [first.name]: 100 } }, SIZE);
  assert.notDeepEqual(longer, plain);
});

test("a hidden half is one grey, and the other stays", () => {
  for (const [hidden, isHidden] of [
    ["left", (_row, column) => column < SIZE / 2],
    ["right", (_row, column) => column >= SIZE / 2],
    ["top", (row) => row < SIZE / 2],
    ["bottom", (row) => row >= SIZE / 2],
  ])
    isEvery(sceneInk(CATEGORIES, { ...SCENE, hidden }, SIZE), (value, row, column) =>
      isHidden(row, column) ? value === 0.5 : value === plain[row * SIZE + column],
    );
});

test("a ground lies behind the toy, and under its shadow", () => {
  const grey = sceneInk(CATEGORIES, { ...SCENE, ground: "grey" }, SIZE);
  assert.ok(Math.abs(grey[0] - 0.15) < 1e-12, "the ground itself");
  isEvery(grey, (value, row, column) => value >= plain[row * SIZE + column] - 1e-12);
  const kept = [...grey.keys()].filter((i) => Math.abs(grey[i] - plain[i]) < 1e-12);
  assert.ok(kept.length > 60, `${kept.length} pixels of the toy stay as they were`);
  const cluttered = sceneInk(CATEGORIES, { ...SCENE, ground: "cluttered" }, SIZE);
  for (const i of kept) assert.ok(Math.abs(cluttered[i] - plain[i]) < 1e-12);
  const spotted = [...plain.keys()].filter((i) => plain[i] === 0 && cluttered[i] > 0.1);
  assert.ok(spotted.length > 50, `${spotted.length} pixels of clutter`);
});

test("a network of colours gets colours, and one of ink gets ink", () => {
  const [corner, size] = [0, SIZE * SIZE];
  const shape = { channels: 3, rows: SIZE, columns: SIZE };
  const { bytes } = toyPixels(CATEGORIES, { ...SCENE, backdrop: "grass" }, shape);
  assert.deepEqual(
    [0, 1, 2].map((channel) => bytes[channel * size + corner]),
    [0.36, 0.56, 0.24].map((value) => Math.round(255 * value)),
  );
  const ink = toyPixels(CATEGORIES, SCENE, { ...shape, channels: 1 });
  assert.deepEqual(
    [...ink.bytes],
    Array.from(plain, (value) => Math.round(255 * value)),
  );
});
