import assert from "node:assert/strict";
import { test } from "node:test";
import { otherOf, sidesOf } from "../../../static/js/overview/pair.js";

const READS = { input_shape: [1, 28, 28], present: { at_most: 1 } };
const [OWN, NEXT, LAST] = ["own", "next", "last"].map((id) => ({
  id,
  title: id,
  ...READS,
}));
const PIXELS = { data: new Uint8Array(4) };
const KEPT = { pixels: { data: new Uint8Array(4) }, source: { kind: "link" } };

test("the kept image is compared until another network is chosen", () => {
  const others = [NEXT, LAST];
  const state = { model: OWN, kept: null };
  assert.equal(otherOf({ ...state, second: "", kept: KEPT }, others), null);
  assert.equal(otherOf({ ...state, second: "last", kept: KEPT }, others), LAST);
  assert.equal(otherOf({ ...state, second: "" }, others), NEXT);
  assert.equal(otherOf({ ...state, second: "gone" }, others), NEXT);
  assert.equal(otherOf({ ...state, second: "" }, []), null);
});

test("the network beside is at first one that reads the same images", () => {
  const state = { second: "", kept: null, model: OWN };
  const pairs = { ...NEXT, present: { at_most: 2 } };
  const large = { ...NEXT, input_shape: [1, 36, 36] };
  assert.equal(otherOf(state, [pairs, large, LAST]), LAST);
  assert.equal(otherOf(state, [pairs, large]), pairs);
});

test("above stands the kept image or the chosen network, below what it is compared with", () => {
  const state = { pixels: PIXELS, model: OWN };
  const images = sidesOf({ ...state, kept: KEPT, other: null });
  assert.deepEqual(
    images.map(({ model, pixels, isKept = false }) => [model, pixels, isKept]),
    [
      [OWN, KEPT.pixels, true],
      [OWN, PIXELS, false],
    ],
  );
  const networks = sidesOf({ ...state, kept: KEPT, other: NEXT });
  assert.deepEqual(
    networks.map(({ model, pixels, title }) => [model, pixels, title]),
    [
      [OWN, PIXELS, "own"],
      [NEXT, PIXELS, "next"],
    ],
  );
  assert.equal(sidesOf({ ...state, kept: null, other: null }), null);
});
