import assert from "node:assert/strict";
import { test } from "node:test";
import { colorOf, outlineOf } from "../../../static/js/atlas/map.js";

test("marks of seventy classes differ, by colour or by shape", () => {
  const labels = Array.from({ length: 70 }, (_, label) => label);
  const marks = labels.map((label) => `${colorOf(label)} ${outlineOf(label)}`);
  assert.equal(new Set(marks).size, 70);
  assert.equal(
    outlineOf(0),
    "polygon(80.9% 19.1%, 19.1% 19.1%, 19.1% 80.9%, 80.9% 80.9%)",
  );
});

/** What a deuteranope sees of a colour: Machado, Oliveira & Fernandes 2009, severity 1. */
function deuteranope(hex) {
  const linear = [1, 3, 5].map((at) => {
    const share = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return [
    [0.367322, 0.860646, -0.227968],
    [0.280085, 0.672501, 0.047413],
    [-0.01182, 0.04294, 0.968881],
  ].map((row) => {
    const light = row.reduce((sum, weight, i) => sum + weight * linear[i], 0);
    return Math.max(0, light) ** (1 / 2.4);
  });
}

test("marks of one shape have colours that a deuteranope tells apart", () => {
  const all = Array.from({ length: 10 }, (_, label) => label);
  const apart = (first, second) =>
    Math.hypot(
      ...deuteranope(colorOf(first)).map(
        (light, i) => light - deuteranope(colorOf(second))[i],
      ),
    );
  const confused = all.flatMap((label) =>
    all
      .filter((other) => other > label && apart(label, other) < 0.2)
      .map((to) => [label, to]),
  );
  assert.ok(confused.length > 3);
  for (const [first, second] of confused)
    assert.notEqual(outlineOf(first), outlineOf(second), `${first} and ${second}`);
});
