import assert from "node:assert/strict";
import { test } from "node:test";

import { routingFields, routingIn } from "../../../static/js/lib/options.js";

const hold = (capsule, digit, coupling) => ({ capsule, digit, coupling });

for (const [options, fields] of [
  [{}, []],
  [{ iterations: 5, silence: [], pin: [] }, [["iterations", "5"]]],
  [{ silence: [0] }, [["silence", "0"]]],
  [{ silence: [0, 1, 2, 40, 647, 648] }, [["silence", "0-2,40,647-648"]]],
  [{ routing: "uniform" }, [["routing", "uniform"]]],
  [
    { pin: [hold(5, 4, 0.5), hold(6, 4, 0.5), hold(9, 4, 0), hold(7, 3, 0.5)] },
    [["pin", "5-6:4:0.5,9:4:0,7:3:0.5"]],
  ],
])
  test(`${JSON.stringify(fields)} says what is changed, and is read back`, () => {
    assert.deepEqual(routingFields(options), fields);
    const { silence = [], pin = [], ...rest } = options;
    const changed = Object.entries({ silence, pin }).filter(
      ([, { length }]) => length > 0,
    );
    assert.deepEqual(routingIn(fields), { ...rest, ...Object.fromEntries(changed) });
  });
