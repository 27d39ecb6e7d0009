import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { viewIds } from "../../../static/js/core/state.js";
import { networkOf } from "../../../static/js/kinds/described.js";
import { LAYERS } from "./layers.js";

const SCRIPTS = new URL("../../../static/js/", import.meta.url);

for (const [architecture, layers] of Object.entries(LAYERS))
  test(`the views of ${architecture} are complete, and each is told by its id`, () => {
    const { views } = networkOf({ layers, tensors: [] });
    const ids = viewIds({ views });
    assert.equal(new Set(ids).size, ids.length);
    for (const { id, title, script, needs, thumbnail } of views) {
      assert.match(id, /^[a-z][a-z0-9-]*$/);
      assert.notEqual(title, "");
      assert.ok(Array.isArray(needs) && Array.isArray(thumbnail.needs), id);
      assert.match(
        readFileSync(new URL(script, SCRIPTS), "utf8"),
        /export function mount\(/,
      );
    }
  });

test("a network follows from its layers, and is always the same for the same", () => {
  const network = networkOf({ layers: LAYERS.capsnet, tensors: [] });
  const again = structuredClone(LAYERS.capsnet);
  assert.equal(networkOf({ layers: again, tensors: [] }), network);
  const [first, ...others] = again;
  const other = [{ ...first, title: "Another" }, ...others];
  assert.notEqual(networkOf({ layers: other, tensors: [] }), network);
});

test("what the Lab follows is the poses of the classes, else their units", () => {
  const followed = (name) =>
    networkOf({ layers: LAYERS[name], tensors: [] }).code ?? null;
  assert.deepEqual(followed("capsnet"), {
    tensor: "digits.capsules",
    isPose: true,
    title: "pose of the class capsule",
  });
  assert.deepEqual(followed("cnn"), {
    tensor: "hidden",
    isPose: false,
    title: "hidden layer",
  });
});
