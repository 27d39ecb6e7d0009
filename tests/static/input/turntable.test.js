import assert from "node:assert/strict";
import { test } from "node:test";

import { rolledSeed, toyWords, turned } from "../../../static/js/input/turntable.js";
import { SCENE } from "../toys/fixtures.js";

test("a hand turns a toy all the way round, and tilts it as far as the ground", () => {
  const from = { azimuth: 350, elevation: 40 };
  assert.deepEqual(turned(from, { right: 20, down: 0 }), {
    azimuth: 10,
    elevation: 40,
  });
  assert.deepEqual(turned(from, { right: -360, down: 5.4 }), {
    ...{ azimuth: 350, elevation: 45 },
  });
  assert.deepEqual(turned({ azimuth: 5, elevation: 3 }, { right: -10, down: -10 }), {
    ...{ azimuth: 355, elevation: 0 },
  });
  assert.equal(turned(from, { right: 0, down: 100 }).elevation, 90);
});

test("who rolls a toy gets none of the collection's", () => {
  assert.equal(
    rolledSeed(() => 0),
    2020,
  );
  assert.ok(rolledSeed(() => 1 - 2 ** -53) < 2 ** 32 / 5);
});

test("words tell what stands there, and what training never shows", () => {
  assert.equal(
    toyWords(SCENE),
    "The car of seed 2000, turned by 320° and seen from 40° above the ground.",
  );
  assert.match(
    toyWords({ ...SCENE, own: { width: 3 } }),
    /2000, with parts of your own,/,
  );
  assert.match(toyWords({ ...SCENE, elevation: 29 }), /toys from 30 to 70° above/);
  assert.match(toyWords({ ...SCENE, elevation: 71 }), /toys from 30 to 70° above/);
  assert.doesNotMatch(toyWords({ ...SCENE, elevation: 70 }), /Training/);
  assert.match(toyWords({ ...SCENE, ground: "grey" }), /shows no grey ground\.$/);
  assert.match(toyWords({ ...SCENE, hidden: "top" }), /The top half is hidden/);
});
