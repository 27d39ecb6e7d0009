import assert from "node:assert/strict";
import { test } from "node:test";
import { startOf } from "../../../static/js/core/schema.js";
import { initialState, isSameNetwork } from "../../../static/js/core/state.js";
import { momentOf } from "../../../static/js/lib/moments.js";
import { carriedOver, withMoment } from "../../../static/js/train/bar.js";
import { MODEL } from "../fixtures.js";
import { capsnet as network } from "../networks/networks.js";

const at = (step) => ({ ...MODEL, id: `3f2a9c01@${step}` });

test("what is chosen in one moment is chosen in the next, what was fetched is not", () => {
  const chosen = { map: 7, step: 1, capsule: 3, followsStrongest: false };
  const slice = { ...startOf(network.schema(at(1))), ...chosen };
  const state = {
    ...initialState(),
    network,
    model: at(1),
    slices: { [at(1).id]: { ...slice, weights: { here: true } } },
  };
  const next = carriedOver(state, at(3));
  for (const [key, value] of Object.entries(chosen)) assert.equal(next[key], value);
  assert.deepEqual(next.weights, startOf(network.schema(at(3))).weights);
});

test("the list of models keeps one moment of a run", () => {
  let models = [MODEL];
  for (let step = 0; step < 5; step++)
    models = withMoment(models, step === 0 ? null : at(step - 1), at(step));
  assert.deepEqual(
    models.map(({ id }) => id),
    [MODEL.id, "3f2a9c01@4"],
  );
});

test("a moment is told by its run and its step, anything else is none", () => {
  assert.deepEqual(momentOf("3f2a9c01@640"), { run: "3f2a9c01", step: 640 });
  for (const id of ["capsnet-mnist", "a@b", "@3", "my net@3", "x@1@2"])
    assert.equal(momentOf(id), null);
  assert.ok(isSameNetwork(at(1), at(2)));
  assert.ok(isSameNetwork(MODEL, { ...MODEL }));
  assert.ok(!isSameNetwork(MODEL, at(1)));
  assert.ok(!isSameNetwork(null, at(1)));
  assert.ok(isSameNetwork(null, null));
});
