import assert from "node:assert/strict";
import { test } from "node:test";

import { productInWords, restOf } from "../../../static/js/lib/coming-out.js";
import { seededRandom } from "../fixtures.js";

/** Numbers in a text, with whatever minus it uses. */
const numbersIn = (text) =>
  text
    .replaceAll("−", "-")
    .match(/-?\d+(\.\d+)?/g)
    .map(Number);

test("the rest fills up what is written, not what is true", () => {
  // −0.5985 and −0.1560 are written −0.599 and −0.156; −0.4425 alone is −0.442.
  assert.equal(restOf(-0.5986, [-0.1561], 3), -0.443);
  assert.equal(restOf(1, [1 / 3, 1 / 3], 2), 0.34);
  assert.ok(Object.is(restOf(0.0001, [0.0002], 3), 0));
});

test("with any number of parts the sum comes out, and the rest is near the true one", () => {
  const random = seededRandom(10);
  for (let round = 0; round < 500; round++) {
    const parts = Array.from(
      { length: Math.floor(10 * random()) },
      () => random() - 0.5,
    );
    const total = 4 * random() - 2;
    const rest = restOf(total, parts, 3);
    const sum = parts.reduce((all, part) => all + Number(part.toFixed(3)), rest);
    assert.equal(sum.toFixed(3), (Number(total.toFixed(3)) + 0).toFixed(3));
    const truth = parts.reduce((left, part) => left - part, total);
    assert.ok(Math.abs(rest - truth) <= 0.0005 * (parts.length + 1) + 1e-9);
  }
});

test("a product is written with a true minus", () => {
  assert.equal(productInWords(0.5, -0.25, 3), "0.500 × −0.250 = −0.125");
});

test("factors get the decimals that the product needs", () => {
  // 0.665 × 0.076 is 0.051, but 0.6651 × 0.0759 is 0.0505 and so 0.050.
  const text = productInWords(0.66513, 0.075889, 3);
  const [a, b, product] = numbersIn(text);
  assert.equal((a * b).toFixed(3), product.toFixed(3));
  assert.equal(product, 0.05);
});

test("any product of ink and weight comes out from what is written", () => {
  const random = seededRandom(11);
  for (let round = 0; round < 2000; round++) {
    const ink = Math.floor(256 * random()) / 255;
    const weight = 2 * random() - 1;
    const [a, b, product] = numbersIn(productInWords(ink, weight, 3));
    assert.ok(Math.abs(a * b - product) <= 0.0005 + 1e-12, `${ink} × ${weight}`);
    assert.ok(Math.abs(product - ink * weight) <= 0.0005 + 1e-12);
  }
});
