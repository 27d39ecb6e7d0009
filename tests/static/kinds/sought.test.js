import assert from "node:assert/strict";
import { test } from "node:test";
import { isSought, soughtIn } from "../../../static/js/kinds/sought.js";

const LAYER = { id: "pool2", measured: "types" };
/** Two types: pictures of 2×3, of which the first shows what each answered to most. */
const pictures = (count) => ({
  shape: [2, count, 2, 3],
  data: Float32Array.from({ length: 12 * count }, (_, at) => at),
});

for (const [name, count] of [
  ["decoded", 4],
  ["strongest", 1],
])
  test(`what types look for is shown by ${name} pictures`, () => {
    const measured = [{ name: `types.${name}`, shape: [2, count, 2, 3] }];
    const model = { measured, card: {} };
    assert.equal(isSought(LAYER, model), true);
    const measures = { types: { [name]: pictures(count) } };
    const { pool2 } = soughtIn([LAYER], { model, measures });
    const second = 6 * count;
    assert.deepEqual(
      [...pool2.pictures],
      [...[0, 1, 2, 3, 4, 5], ...[0, 1, 2, 3, 4, 5].map((at) => second + at)],
    );
    assert.deepEqual(pool2.shape, { channels: 1, rows: 2, columns: 3 });
  });

test("of what answers to anything, or was not measured, nothing is shown", () => {
  const measured = [{ name: "types.strongest", shape: [2, 1, 2, 3] }];
  const card = { anything: { types: [0, 1] } };
  assert.equal(isSought(LAYER, { measured, card }), false);
  assert.equal(isSought(LAYER, { measured: [], card: {} }), false);
});
