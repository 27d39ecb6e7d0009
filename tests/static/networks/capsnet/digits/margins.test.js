import assert from "node:assert/strict";
import { test } from "node:test";

import { marginsOf } from "../../../../../static/js/networks/capsnet/digits/margins.js";

test("the margins are those that the model was trained with", () => {
  const loss = { present_margin: 0.8, absent_margin: 0.2 };
  assert.deepEqual(marginsOf({ loss }), { present: 0.8, absent: 0.2 });
});

test("a card that does not say means the paper's", () => {
  assert.deepEqual(marginsOf({}), { present: 0.9, absent: 0.1 });
});
