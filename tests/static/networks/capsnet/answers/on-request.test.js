import assert from "node:assert/strict";
import { test } from "node:test";

import { askedWish } from "../../../../../static/js/networks/capsnet/answers/on-request.js";
import { operatedOptions } from "../../../../../static/js/networks/capsnet/answers/surgery.js";
import { NO_SURGERY } from "../../../../../static/js/networks/capsnet/routing/surgery/changes.js";
import { blank, MODEL } from "../../../fixtures.js";

const PIXELS = blank();
const TRACE = {
  model: MODEL.id,
  pixels: PIXELS,
  options: { iterations: 3 },
  prediction: 4,
};
const FEEDING = ["conv1.relu", "primary.pre"];

/** Routing at rest, with votes that have come. */
function looking(patch = {}, tensors = ["votes.4"]) {
  const here = Object.fromEntries(tensors.map((name) => [name, {}]));
  return {
    model: MODEL,
    view: "routing",
    pixels: PIXELS,
    iterations: 3,
    surgery: NO_SURGERY,
    showsOperated: false,
    trace: { ...TRACE, tensors: here },
    operated: null,
    digit: 4,
    asked: [],
    seesVotes: false,
    seesTree: false,
    compares: [],
    ...patch,
  };
}

test("what feeds a capsule is asked for while the parse trees are seen", () => {
  assert.equal(askedWish(looking()), null);
  assert.deepEqual(askedWish(looking({ seesTree: true })).names, FEEDING);
  const here = looking({ seesTree: true }, ["votes.4", ...FEEDING]);
  assert.equal(askedWish(here), null);
  assert.equal(askedWish(looking({ seesTree: true, view: "digits" })), null);
});

test("the votes that are compared are asked for at rest, each once", () => {
  const names = askedWish(looking({ compares: [4, 9] }, [])).names;
  assert.deepEqual(names, ["votes.4", "votes.9"]);
  assert.equal(askedWish(looking({ compares: [4, 9] }, ["votes.4", "votes.9"])), null);
});

test("under surgery it is not asked for again", () => {
  const surgery = { ...NO_SURGERY, silenced: [3] };
  const options = operatedOptions({ iterations: 3, surgery });
  const operated = { ...TRACE, options, tensors: {}, surgery };
  const patch = { seesTree: true, showsOperated: true, surgery, operated };
  assert.equal(askedWish(looking(patch, ["votes.4", ...FEEDING])), null);
  assert.deepEqual(askedWish(looking(patch)).names, FEEDING);
});
