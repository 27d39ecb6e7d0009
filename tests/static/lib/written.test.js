import assert from "node:assert/strict";
import { test } from "node:test";
import { rounded } from "../../../static/js/lib/decimals.js";
import {
  addedUp,
  POWERS,
  productInWords,
  SHARES,
  sumOfProducts,
  written,
} from "../../../static/js/lib/written.js";
import { numbersIn, seededRandom } from "../fixtures.js";

const numbers = (texts) => texts.flatMap(numbersIn);
/** Half of the last digit that is written, and what a double misses by. */
const half = (text) => 10 ** -(text.split(".")[1] ?? "").length / 2 + 1e-12;

test("each step follows from what is written, to the last digit", () => {
  const random = seededRandom(3);
  for (let round = 0; round < 400; round++) {
    const inputs = [20 * random() - 10, 4 * random() - 2, 0.3 * random()];
    const steps = [
      [([a, b]) => 16 * b + a],
      [([, , c], [share]) => c * (1 - share)],
      [(_, [, logit]) => 1 / (1 + Math.exp(-logit))],
    ];
    const calculation = written(inputs, steps, 3);
    const [a, b, c] = numbers(calculation.inputs);
    const [cost, logit, active] = numbers(calculation.steps);
    const within = (value, at) => {
      const text = calculation.steps[at];
      assert.ok(Math.abs(value - numbersIn(text)[0]) <= half(text), text);
    };
    within(16 * b + a, 0);
    within(c * (1 - cost), 1);
    within(1 / (1 + Math.exp(-logit)), 2);
    const exact = [];
    for (const [step] of steps) exact.push(step(inputs, exact));
    assert.equal(active, rounded(exact[2], 3));
    assert.deepEqual(calculation.values, [cost, logit, active]);
  }
});

test("powers and shares keep their digits, whatever their size", () => {
  const { inputs, steps } = written(
    [20.25, -3],
    [
      [([z]) => Math.exp(z), ([, z]) => Math.exp(z)],
      [(_, [first, second]) => second / (first + second)],
    ],
    4,
    [POWERS, SHARES],
  );
  const [first, second, share] = steps;
  assert.deepEqual(inputs, ["20.2500", "\u22123.0000"]);
  assert.match(first, /^6\.230\u00a0×\u00a010⁸$/);
  assert.equal(second, "0.04979");
  assert.match(share, /^8\.0\u00a0×\u00a010⁻¹¹$/);
});

test("parts add up to their sum, and each is right", () => {
  const random = seededRandom(4);
  for (let round = 0; round < 300; round++) {
    const parts = Array.from({ length: 1 + Math.floor(16 * random()) }, random);
    const texts = addedUp(parts, 3);
    const all = numbers(texts.parts);
    const total = all.reduce((sum, part) => sum + part, 0);
    assert.ok(Math.abs(total - Number(texts.sum)) <= half(texts.sum));
    texts.parts.forEach((text, i) => {
      assert.ok(Math.abs(all[i] - parts[i]) <= half(text));
    });
  }
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

test("products and their sum come out from their factors", () => {
  const random = seededRandom(12);
  for (let round = 0; round < 200; round++) {
    const [first, second] = [0, 1].map(() =>
      Array.from({ length: 8 }, () => random() - 0.5),
    );
    const { factors, products, sum } = sumOfProducts(first, second, 3);
    let total = 0;
    factors.forEach((pair, i) => {
      const [a, b] = numbers(pair);
      total += a * b;
      assert.ok(Math.abs(a * b - numbersIn(products[i])[0]) <= half(products[i]));
    });
    assert.ok(Math.abs(total - numbersIn(sum)[0]) <= half(sum));
  }
});
