import assert from "node:assert/strict";
import { test } from "node:test";

import {
  fedOf,
  SHOWN,
} from "../../../../../../static/js/networks/capsnet/routing/tree/fed.js";
import { seededRandom, tensor } from "../../../../fixtures.js";

test("what maps add to a capsule, by hand", () => {
  // Two maps of 2 x 2, kernels of 1 x 1, a capsule of two numbers at row 0, column 1.
  const maps = tensor([2, 2, 2], [0, 2, 0, 0, 0, 1, 0, 0]);
  const kernels = {
    kernels: tensor([2, 2, 1, 1], [1, 0, 1, 2]),
    bias: tensor([2], [1, 0]),
  };
  // s = (1·2 + 0·1 + 1, 1·2 + 2·1 + 0) = (3, 4), so s/‖s‖ = (0.6, 0.8).
  const pre = tensor([1, 1, 2, 2], [9, 9, 3, 4]);
  const fed = fedOf({ maps, pre }, kernels, 1, { row: 0, column: 1, size: 1 });
  const close = (actual, expected) => assert.ok(Math.abs(actual - expected) < 1e-6);
  assert.equal(fed.length, 5);
  close(fed.sums.shares[0], 0.6 * 2 + 0.8 * 2); // 2.8
  close(fed.sums.shares[1], 0.8 * 2); // 1.6
  close(fed.sums.bias, 0.6);
  close(fed.sums.total, 5);
  assert.deepEqual(fed.strongest, [0, 1]);
});

test("a capsule of no length is fed by nothing", () => {
  const pre = tensor([1, 1, 1, 2], [0, 0]);
  const kernels = { kernels: tensor([2, 1, 1, 1], [1, 1]), bias: tensor([2], [0, 0]) };
  const maps = tensor([1, 1, 1], [0]);
  const window = { row: 0, column: 0, size: 1 };
  assert.equal(fedOf({ maps, pre }, kernels, 0, window), null);
});

test("shares and bias add up to the length of any capsule", () => {
  const random = seededRandom(3);
  const [count, side, size, dim] = [9, 5, 3, 4];
  const some = (length) => Array.from({ length }, () => random() - 0.4);
  for (let run = 0; run < 20; run++) {
    const maps = tensor([count, side, side], some(count * side * side));
    const kernels = {
      kernels: tensor([dim, count, size, size], some(dim * count * size * size)),
      bias: tensor([dim], some(dim)),
    };
    const window = { row: run % 3, column: (run + 1) % 3, size };
    // The convolution, number by number.
    const numbers = Array.from({ length: dim }, (_, d) => {
      let sum = kernels.bias.data[d];
      for (let map = 0; map < count; map++)
        for (let row = 0; row < size; row++)
          for (let column = 0; column < size; column++)
            sum +=
              maps.data[
                (map * side + window.row + row) * side + window.column + column
              ] *
              kernels.kernels.data[((d * count + map) * size + row) * size + column];
      return sum;
    });
    const pre = tensor([1, 1, 1, dim], numbers);
    const fed = fedOf({ maps, pre }, kernels, 0, window);
    assert.ok(Math.abs(fed.sums.total - Math.hypot(...numbers)) < 1e-4);
    assert.ok(fed.strongest.length <= SHOWN);
    const given = fed.strongest.map((map) => fed.sums.shares[map]);
    assert.ok(given.every((share) => share > 0));
    assert.deepEqual(
      given,
      given.toSorted((a, b) => b - a),
    );
    const others = [...fed.sums.shares].filter(
      (_, map) => !fed.strongest.includes(map),
    );
    if (fed.strongest.length === SHOWN)
      assert.ok(Math.max(...others) <= given[SHOWN - 1]);
    else assert.ok(Math.max(...others) <= 0);
  }
});
