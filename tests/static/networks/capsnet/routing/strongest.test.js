import assert from "node:assert/strict";
import { test } from "node:test";
import {
  keepStrongest,
  strongestCapsule,
} from "../../../../../static/js/networks/capsnet/routing/strongest.js";
import { MODEL, tensor } from "../../../fixtures.js";
import { made } from "../made.js";

/**
 * Two iterations, three capsules below, two digits with one number each. In the last
 * iteration the products c·(û·v) are, to digit 0: 0.1, 0.4, 0.3; to digit 1: 0.2, -0.9, 0.1.
 */
const TRACE = {
  model: MODEL.id,
  prediction: 0,
  tensors: {
    "routing.couplings": tensor(
      [2, 3, 1, 1, 2],
      [1, 1, 1, 1, 1, 1, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5],
    ),
    "routing.agreement": tensor(
      [2, 3, 1, 1, 2],
      [9, 9, 0, 0, 0, 0, 0.2, 0.4, 0.8, -1.8, 0.6, 0.2],
    ),
    "routing.capsules": tensor([2, 2, 1], [0.5, 0.5, 0.5, 0.5]),
  },
};

test("the capsule that gives the most is that of the last iteration", () => {
  const asked = { trace: TRACE, model: MODEL };
  assert.equal(strongestCapsule({ ...asked, digit: null }), 1);
  assert.equal(strongestCapsule({ ...asked, digit: 0 }), 1);
  assert.equal(strongestCapsule({ ...asked, digit: 1 }), 0);
});

test("without a routed image there is none", () => {
  const asked = { model: MODEL, digit: 0 };
  assert.equal(strongestCapsule({ ...asked, trace: null }), null);
  const trace = { ...TRACE, tensors: {} };
  assert.equal(strongestCapsule({ ...asked, trace }), null);
});

test("the focus follows it until a capsule is chosen", () => {
  const { store, own, actions } = made();
  keepStrongest(own);
  assert.equal(own.get().capsule, 21);
  store.set({ trace: TRACE });
  assert.equal(own.get().capsule, 1);
  actions.focusDigit(1);
  assert.equal(own.get().capsule, 0);
  actions.chooseCapsule(7);
  actions.focusDigit(0);
  assert.equal(own.get().capsule, 7);
});
