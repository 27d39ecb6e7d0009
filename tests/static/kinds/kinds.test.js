import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { test } from "node:test";

const KINDS = new URL("../../../static/js/kinds/", import.meta.url);

/** The modules that networks import: of each kind, or of each part of one. */
const MODULES = readdirSync(KINDS, { recursive: true }).filter((path) =>
  /^\w+\/(index|\w+\/kind)\.js$/.test(path),
);

for (const path of MODULES) {
  test(`of ${path}, what is preloaded is what is imported`, async () => {
    const found = Object.values(await import(new URL(path, KINDS)));
    const kinds = found.filter(({ thumbnail }) => thumbnail !== undefined);
    assert.ok(kinds.length > 0 || path === "routing/index.js"); // its parts are kinds
    for (const { script, load } of kinds) {
      const [, target] = /import\("\.(.*)"\)/.exec(load.toString());
      assert.equal(script, `kinds/${dirname(path)}${target}`);
      const module = readFileSync(new URL(`../${script}`, KINDS), "utf8");
      assert.match(module, /export function mount\(/);
    }
  });
}
