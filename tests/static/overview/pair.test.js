import assert from "node:assert/strict";
import { test } from "node:test";
import { otherOf, sidesOf } from "../../../static/js/overview/pair.js";

const [OWN, NEXT, LAST] = ["own", "next", "last"].map((id) => ({ id, title: id }));
const PIXELS = { data: new Uint8Array(4) };
const KEPT = { pixels: { data: new Uint8Array(4) }, source: { kind: "link" } };

test("the kept image is compared until another network is chosen", () => {
  const others = [NEXT, LAST];
  assert.equal(otherOf({ second: "", kept: KEPT }, others), null);
  assert.equal(otherOf({ second: "last", kept: KEPT }, others), LAST);
  assert.equal(otherOf({ second: "", kept: null }, others), NEXT);
  assert.equal(otherOf({ second: "gone", kept: null }, others), NEXT);
  assert.equal(otherOf({ second: "", kept: null }, []), null);
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
