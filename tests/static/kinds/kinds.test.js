import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

const KINDS = new URL("../../../static/js/kinds/", import.meta.url);
const NAMES = readdirSync(KINDS, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .filter((name) => existsSync(new URL(`${name}/index.js`, KINDS)));

for (const name of NAMES) {
  test(`of ${name}, what is preloaded is what is imported`, async () => {
    const found = Object.values(await import(new URL(`${name}/index.js`, KINDS)));
    const kinds = found.filter(({ thumbnail }) => thumbnail !== undefined);
    assert.ok(kinds.length > 0);
    for (const { script, load } of kinds) {
      const [, target] = /import\("\.(.*)"\)/.exec(load.toString());
      assert.equal(script, `kinds/${name}${target}`);
      const module = readFileSync(new URL(`../${script}`, KINDS), "utf8");
      assert.match(module, /export function mount\(/);
    }
  });
}
