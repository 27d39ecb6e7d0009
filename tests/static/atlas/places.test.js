import assert from "node:assert/strict";
import { test } from "node:test";
import {
  between,
  densest,
  nearestTo,
  neighbour,
  scoreCorners,
  scorePlaces,
  toCanvas,
  toMap,
  WHOLE,
  zoom,
  zoomedTo,
} from "../../../static/js/atlas/places.js";
import { closeTo, seededRandom } from "../fixtures.js";

const close = closeTo(1e-9);
const SIZE = { width: 600, height: 400 };
const random = seededRandom(9);
const PLACES = Array.from({ length: 600 }, () => 2 * random() - 1);

test("enlarging keeps what is under the pointer there", () => {
  let sight = WHOLE;
  for (let i = 0; i < 20; i++) {
    const [x, top] = [250 + 100 * random(), 150 + 100 * random()];
    const before = toMap(sight, SIZE, x, top);
    sight = zoom(sight, SIZE, x, top, 1.3);
    close(toMap(sight, SIZE, x, top), before);
  }
  assert.deepEqual(zoom(sight, SIZE, 10, 10, 1e-9), WHOLE);
});

test("keys come nearer to the point chosen while it is in sight, else to the middle", () => {
  const chosen = [0.6, -0.4];
  const before = toCanvas(WHOLE, SIZE, ...chosen);
  const near = zoomedTo(WHOLE, SIZE, chosen, 3);
  close(toCanvas(near, SIZE, ...chosen), before);
  for (const beyond of [[-0.9, 0.9], null]) {
    const farther = zoomedTo(near, SIZE, beyond, 2);
    assert.deepEqual([farther.x, farther.y], [near.x, near.y]);
    assert.equal(farther.zoom, 6);
  }
});

test("the point nearest to a place is found, if it is within reach", () => {
  const nearest = nearestTo(PLACES, 0.3, -0.2, 1);
  const apart = (i) => Math.hypot(PLACES[2 * i] - 0.3, PLACES[2 * i + 1] + 0.2);
  for (let i = 0; i < 300; i++) assert.ok(apart(nearest) <= apart(i));
  assert.equal(nearestTo(PLACES, 5, 5, 1), null);
});

test("arrows lead to the nearest point that way, and from any point somewhere", () => {
  for (let from = 0; from < 300; from++) {
    const ways = [
      [1, 0],
      [-1, 0],
      [0, 1],
      [0, -1],
    ].map(([right, up]) => [neighbour(PLACES, from, right, up), right, up]);
    assert.ok(ways.some(([to]) => to !== null));
    for (const [to, right, up] of ways) {
      if (to === null) continue;
      const x = PLACES[2 * to] - PLACES[2 * from];
      const y = PLACES[2 * to + 1] - PLACES[2 * from + 1];
      assert.ok(x * right + y * up >= Math.max(Math.abs(x), Math.abs(y)) - 1e-12);
    }
  }
});

test("a class is named where it has most points", () => {
  const places = [...[0.5, 0.5, 0.51, 0.51, 0.5, 0.51], ...[-0.9, -0.9], ...[0, 0]];
  const [first, second, third] = densest(places, [0, 0, 0, 0, 1], 3);
  assert.ok(Math.abs(first[0] - 0.503) < 0.01 && Math.abs(first[1] - 0.507) < 0.01);
  assert.deepEqual(second, [0, 0]);
  assert.equal(third, null);
});

test("points move from where they were to where they will be", () => {
  const to = PLACES.map((coordinate) => -coordinate);
  assert.deepEqual([...between(PLACES, to, 0)], [...Float32Array.from(PLACES)]);
  assert.deepEqual([...between(PLACES, to, 1)], [...Float32Array.from(to)]);
  assert.ok(
    between(PLACES, to, 0.5).every((coordinate) => Math.abs(coordinate) < 1e-6),
  );
});

test("on the map of scores, the classes stand apart on a circle", () => {
  for (const classes of [2, 5, 10, 11]) {
    const corners = scoreCorners(classes);
    const places = corners.map((corner) => corner.map((x) => x.toFixed(6)).join());
    assert.equal(new Set(places).size, classes);
    for (const [x, y] of corners) assert.ok(Math.abs(Math.hypot(x, y) - 1) < 1e-9);
  }
  const digits = scoreCorners(10);
  for (const [first, second] of [
    [4, 9],
    [3, 5],
    [3, 8],
    [2, 7],
    [1, 7],
  ]) {
    const apart =
      digits[first][0] * digits[second][0] + digits[first][1] * digits[second][1];
    assert.ok(apart > -0.99, `${first} faces ${second}`);
  }
});

test("an image lies where its scores lead, within the circle", () => {
  const classes = 5;
  const corners = scoreCorners(classes);
  const row = (label, value = 1) =>
    Array.from({ length: classes }, (_, k) => (k === label ? value : 0));
  const rows = [
    ...[row(3), row(2, 0.4), Array(classes).fill(0.7), Array(classes).fill(0)],
    [1, 0, 1, 0, 1],
  ];
  const places = scorePlaces(rows.flat(), classes);
  const at = (i) => [places[2 * i], places[2 * i + 1]];
  const near = closeTo(1e-6);
  near(at(0), corners[3]);
  near(
    at(1),
    corners[2].map((value) => 0.4 * value),
  );
  near(at(2), [0, 0]);
  near(at(3), [0, 0]);
  assert.ok(Math.hypot(...at(4)) <= 1 + 1e-6);
});
