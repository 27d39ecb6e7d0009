import assert from "node:assert/strict";
import { test } from "node:test";

import {
  color,
  cssColor,
  diverging,
  ink,
  packedColor,
  readableOn,
  sequential,
} from "../../../static/js/lib/color.js";

/** A scale whose colours are their own places in the table. */
function placesOf(scale) {
  return { ...scale, table: Uint32Array.from({ length: 256 }, (_, i) => i) };
}

/** Relative luminance as WCAG 2 defines it. */
function luminance(rgb) {
  const [red, green, blue] = rgb.map((byte) =>
    byte / 255 <= 0.04045 ? byte / 255 / 12.92 : ((byte / 255 + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

for (const [what, scale, value, expected] of [
  ["the sequential scale's low end", sequential(2, 4), 2, [0x44, 0x01, 0x54]],
  ["the sequential scale's high end", sequential(2, 4), 4, [0xfd, 0xe7, 0x25]],
  ["the diverging scale's negative end", diverging(3), -3, [0x0b, 0x3c, 0x7d]],
  ["the diverging scale's positive end", diverging(3), 3, [0x7a, 0x03, 0x20]],
  ["no ink", ink(), 0, [0, 0, 0]],
  ["full ink", ink(), 1, [255, 255, 255]],
  ["half ink", ink(), 0.5, [128, 128, 128]],
]) {
  test(`${what} has its own colour`, () => {
    assert.deepEqual(color(scale, value), expected);
  });
}

test("values stand in the table by their share of the range", () => {
  const scale = placesOf(sequential(-1, 1));
  assert.deepEqual(
    [-1, -0.6, 0.2, 1].map((value) => packedColor(scale, value)),
    [0, 51, 153, 255],
  );
});

test("values beyond an end look like the end", () => {
  const scale = placesOf(sequential(0, 1));
  const beyond = [Number.NEGATIVE_INFINITY, -0.1, 1.1, Number.POSITIVE_INFINITY];
  assert.deepEqual(
    beyond.map((value) => packedColor(scale, value)),
    [0, 0, 255, 255],
  );
});

test("what is not a number is transparent and breaks nothing", () => {
  assert.equal(packedColor(sequential(0, 1), Number.NaN), 0);
  assert.equal(packedColor(diverging(0), Number.NaN), 0);
  assert.equal(cssColor(sequential(0, 1), Number.NaN), "rgb(0 0 0)");
});

test("zero is the lightest of the diverging scale, and nearly white", () => {
  const lightness = (value) => luminance(color(diverging(1), value));
  assert.ok(Math.min(...color(diverging(1), 0)) > 235);
  for (const sign of [-1, 1]) {
    for (let value = 0; value < 0.99; value += 0.05) {
      assert.ok(lightness(sign * value) > lightness(sign * (value + 0.05)));
    }
  }
});

test("the sequential scale grows lighter from end to end", () => {
  const steps = Array.from({ length: 52 }, (_, i) =>
    luminance(color(sequential(0, 51), i)),
  );
  assert.ok(steps.every((value, i) => i === 0 || value > steps[i - 1]));
});

test("a packed pixel's bytes are red, green, blue, alpha in memory", () => {
  const packed = Uint32Array.of(packedColor(sequential(0, 1), 0));
  assert.deepEqual([...new Uint8Array(packed.buffer)], [0x44, 0x01, 0x54, 255]);
});

test("text on a colour is whichever of black and white has more contrast", () => {
  const contrast = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  for (const scale of [sequential(0, 255), diverging(255), ink()]) {
    for (let value = -255; value <= 255; value += 5) {
      const background = color(scale, value);
      const withBlack = contrast(luminance(background), 0);
      const withWhite = contrast(luminance(background), 1);
      const chosen = readableOn(background) === "#000" ? withBlack : withWhite;
      // The better of both has a contrast of √21 at least; AA asks for 4.5.
      assert.ok(chosen >= 4.5, `${background} gets ${chosen}`);
    }
  }
});
