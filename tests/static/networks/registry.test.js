import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

import { viewIds } from "../../../static/js/core/state.js";
import { loadNetwork } from "../../../static/js/networks/registry.js";

const SCRIPTS = new URL("../../../static/js/", import.meta.url);
const TEMPLATES = new URL("../../templates/networks/", SCRIPTS);
const NAMES = readdirSync(TEMPLATES);

test("every network that has markup is registered", async () => {
  assert.ok(NAMES.length > 0);
  for (const architecture of NAMES) await loadNetwork({ architecture, title: "" });
});

for (const architecture of NAMES) {
  test(`the views of ${architecture} are complete, and each is told by its id`, async () => {
    const { views } = await loadNetwork({ architecture, title: "" });
    const ids = viewIds({ views });
    assert.equal(new Set(ids).size, ids.length);
    for (const { id, title, script, needs, thumbnail, load } of views) {
      assert.match(id, /^[a-z][a-z0-9-]*$/);
      assert.notEqual(title, "");
      assert.ok(Array.isArray(needs) && Array.isArray(thumbnail.needs), id);
      // What is preloaded is what is imported; that of kinds is tested with them.
      const [, target] = /import\("\.(.*)"\)/.exec(load.toString()) ?? [];
      if (target) assert.equal(script, `networks/${architecture}${target}`);
      assert.match(
        readFileSync(new URL(script, SCRIPTS), "utf8"),
        /export function mount\(/,
      );
    }
  });
}

test("a network is found by its architecture, and is always the same", async () => {
  const model = { architecture: "capsnet", title: "a model" };
  const network = await loadNetwork(model);
  assert.equal(await loadNetwork(model), network);
});

test("an architecture that the page does not know is named", async () => {
  const model = { architecture: "transformer", title: "My net" };
  await assert.rejects(loadNetwork(model, { a: null, b: null }), {
    message:
      "This page cannot show My net: its architecture is transformer, and the page supports a, b.",
  });
});

test("scripts that cannot be had are told of, a mistake in them is not hidden", async () => {
  const model = { architecture: "a", title: "My net" };
  const failing = (error) => ({ a: async () => Promise.reject(error) });
  await assert.rejects(
    loadNetwork(model, failing(new TypeError("Failed to fetch"))),
    /The views of My net could not be loaded/,
  );
  const mistake = new ReferenceError("x is not defined");
  await assert.rejects(loadNetwork(model, failing(mistake)), mistake);
});
