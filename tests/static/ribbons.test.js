import assert from "node:assert/strict";
import { test } from "node:test";

import { layOutRibbons } from "../../static/js/geometry/ribbons.js";
import { seededRandom } from "./fixtures.js";

const PLACE = { left: 10, right: 110, height: 400, gap: 4 };
const COUNT = { sources: 32, targets: 10 };
const ROUNDED = 0.02; // paths keep two decimals

const RANDOM = seededRandom(6);
const FLOW = Float32Array.from({ length: 320 }, () => RANDOM() ** 2);

/** Where a path's two ends begin and end, read from its text. */
function endsOf(path) {
  const number = "(-?[\\d.]+)";
  const point = `${number} ${number}`;
  const [, left, top, , , , , right, rightTop, , rightBottom, , , , , , bottom] =
    new RegExp(
      `^M${point}C${point} ${point} ${point}L${point}C${point} ${point} ${point}Z$`,
    )
      .exec(path)
      .map(Number);
  return {
    left: { x: left, top, bottom },
    right: { x: right, top: rightTop, bottom: rightBottom },
  };
}

function assertClose(actual, expected, tolerance = 1e-6) {
  assert.ok(Math.abs(actual - expected) <= tolerance, `${actual}, not ${expected}`);
}

test("two sources and two targets by hand", () => {
  // All is 8; 100 high less a gap of 20 leaves 80, so 10 for each 1.
  const place = { left: 0, right: 50, height: 100, gap: 20 };
  const count = { sources: 2, targets: 2 };
  const { sources, targets, paths } = layOutRibbons([1, 2, 0, 5], count, place);
  assert.deepEqual(sources, [
    { y: 0, height: 30 },
    { y: 50, height: 50 },
  ]);
  assert.deepEqual(targets, [
    { y: 0, height: 10 },
    { y: 30, height: 70 },
  ]);
  assert.deepEqual(paths.map(endsOf), [
    { left: { x: 0, top: 0, bottom: 10 }, right: { x: 50, top: 0, bottom: 10 } },
    { left: { x: 0, top: 10, bottom: 30 }, right: { x: 50, top: 30, bottom: 50 } },
    { left: { x: 0, top: 50, bottom: 50 }, right: { x: 50, top: 10, bottom: 10 } },
    { left: { x: 0, top: 50, bottom: 100 }, right: { x: 50, top: 50, bottom: 100 } },
  ]);
});

test("a ribbon is as wide where it ends as where it began", () => {
  for (const { left, right } of layOutRibbons(FLOW, COUNT, PLACE).paths.map(endsOf)) {
    assertClose(left.bottom - left.top, right.bottom - right.top, ROUNDED);
    assert.deepEqual([left.x, right.x], [10, 110]);
  }
});

test("widths are amounts, all on one scale", () => {
  const { paths } = layOutRibbons(FLOW, COUNT, PLACE);
  const total = FLOW.reduce((sum, amount) => sum + amount, 0);
  const scale = (400 - 31 * 4) / total;
  paths.map(endsOf).forEach(({ left }, i) => {
    assertClose(left.bottom - left.top, FLOW[i] * scale, ROUNDED);
  });
});

test("ribbons fill each node from top to bottom, side by side", () => {
  const { sources, targets, paths } = layOutRibbons(FLOW, COUNT, PLACE);
  const ends = paths.map(endsOf);
  const sides = [
    ...sources.map((node, i) => [
      node,
      ends.slice(i * 10, (i + 1) * 10).map(({ left }) => left),
    ]),
    ...targets.map((node, j) => [
      node,
      ends.filter((_, k) => k % 10 === j).map(({ right }) => right),
    ]),
  ];
  for (const [node, stacked] of sides) {
    let y = node.y;
    for (const { top, bottom } of stacked) {
      assertClose(top, y, ROUNDED);
      y = bottom;
    }
    assertClose(y, node.y + node.height, ROUNDED);
  }
});

test("what leaves on the left arrives on the right", () => {
  const { sources, targets } = layOutRibbons(FLOW, COUNT, PLACE);
  const sum = (nodes) => nodes.reduce((all, { height }) => all + height, 0);
  assertClose(sum(sources), sum(targets));
});

test("nodes fill the height in order, at least the gap apart", () => {
  const { sources, targets } = layOutRibbons(FLOW, COUNT, PLACE);
  for (const nodes of [sources, targets]) {
    assert.equal(nodes[0].y, 0);
    assertClose(nodes.at(-1).y + nodes.at(-1).height, 400);
    for (let i = 1; i < nodes.length; i++) {
      const gap = nodes[i].y - (nodes[i - 1].y + nodes[i - 1].height);
      assert.ok(gap >= PLACE.gap - 1e-9, `gap ${gap}`);
    }
  }
});

test("no flow is no width anywhere, and no broken path", () => {
  const { sources, targets, paths } = layOutRibbons(
    new Float32Array(320),
    COUNT,
    PLACE,
  );
  assert.ok([...sources, ...targets].every(({ height }) => height === 0));
  assert.equal(paths.length, 320);
  for (const { left, right } of paths.map(endsOf)) {
    assert.equal(left.top, left.bottom);
    assert.equal(right.top, right.bottom);
  }
});

test("where gaps need more than the height, nothing is left for ribbons", () => {
  const place = { ...PLACE, height: 100 };
  const { sources } = layOutRibbons(FLOW, COUNT, place);
  assert.ok(sources.every(({ height }) => height === 0));
  assertClose(sources.at(-1).y, 100);
});

test("a single source to a single target is one ribbon of the whole height", () => {
  const count = { sources: 1, targets: 1 };
  const { paths } = layOutRibbons([0.25], count, PLACE);
  assert.deepEqual(paths.map(endsOf), [
    { left: { x: 10, top: 0, bottom: 400 }, right: { x: 110, top: 0, bottom: 400 } },
  ]);
});
