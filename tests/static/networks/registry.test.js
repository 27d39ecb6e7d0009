import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { viewIds } from "../../../static/js/core/state.js";
import { loadNetwork } from "../../../static/js/kinds/registry.js";
import { LAYERS } from "./layers.js";

const SCRIPTS = new URL("../../../static/js/", import.meta.url);

for (const [architecture, layers] of Object.entries(LAYERS))
  test(`the views of ${architecture} are complete, and each is told by its id`, async () => {
    const { views } = await loadNetwork({ layers, tensors: [] });
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

test("a network follows from its layers, and is always the same for the same", async () => {
  const network = await loadNetwork({ layers: LAYERS.capsnet, tensors: [] });
  const again = structuredClone(LAYERS.capsnet);
  assert.equal(await loadNetwork({ layers: again, tensors: [] }), network);
  const [first, ...others] = again;
  const other = [{ ...first, title: "Another" }, ...others];
  assert.notEqual(await loadNetwork({ layers: other, tensors: [] }), network);
});

test("what the Lab follows is the poses of the classes, else their units", async () => {
  const followed = async (name) =>
    (await loadNetwork({ layers: LAYERS[name], tensors: [] })).code ?? null;
  assert.deepEqual(await followed("capsnet"), {
    tensor: "digits.capsules",
    isPose: true,
    title: "pose of the class capsule",
  });
  assert.deepEqual(await followed("cnn"), {
    tensor: "hidden",
    isPose: false,
    title: "hidden layer",
  });
});

test("what the list left out of a model is brought before it is shown, once", async (t) => {
  const asked = [];
  const whole = { id: "a b", class_names: ["0"], layers: LAYERS.cnn, tensors: [] };
  t.mock.method(globalThis, "fetch", async (path) => {
    asked.push(path);
    return Response.json({ ...whole, card: { mistakes: [7] } });
  });
  const listed = { id: "a b", class_names: ["0"], card: {} };
  const { views } = await loadNetwork(listed);
  assert.ok(views.length > 3);
  assert.deepEqual(listed.card, { mistakes: [7] });
  await loadNetwork(listed);
  assert.deepEqual(asked, ["api/models/a%20b"]);
});

test("scripts that cannot be had are told of, a mistake in them is not hidden", async () => {
  const model = { layers: [], title: "My net" };
  const failing = (error) => async () => Promise.reject(error);
  await assert.rejects(
    loadNetwork(model, failing(new TypeError("Failed to fetch"))),
    /The views of My net could not be loaded/,
  );
  const mistake = new ReferenceError("x is not defined");
  await assert.rejects(loadNetwork(model, failing(mistake)), mistake);
});
