import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { test } from "node:test";

import { attentionRouting } from "../../../static/js/kinds/routing/attention/kind.js";
import { dynamicRouting } from "../../../static/js/kinds/routing/dynamic/kind.js";
import { emRouting } from "../../../static/js/kinds/routing/em/kind.js";

const KINDS = new URL("../../../static/js/kinds/", import.meta.url);

/** The modules that networks import: of each kind, or of each part of one. */
const MODULES = readdirSync(KINDS, { recursive: true }).filter((path) =>
  /^\w+\/(index|\w+\/kind)\.js$/.test(path),
);

for (const path of MODULES) {
  test(`of ${path}, what is preloaded is what is imported`, async () => {
    const exports = Object.values(await import(new URL(path, KINDS)));
    const kinds = exports.filter(({ thumbnail }) => thumbnail !== undefined);
    assert.ok(kinds.length > 0 || path === "routing/index.js"); // its parts are kinds
    for (const { script, load } of kinds) {
      const [, target] = /import\("\.(.*)"\)/.exec(load.toString());
      assert.equal(script, `kinds/${dirname(path)}${target}`);
      const module = readFileSync(new URL(`../${script}`, KINDS), "utf8");
      assert.match(module, /export function mount\(/);
    }
  });
}

/** The names of the folded panels in templates, and of those that routings share. */
function panelsIn(...paths) {
  const templates = new URL("../../../templates/kinds/routing/", import.meta.url);
  return paths.flatMap((path) => {
    const text = readFileSync(new URL(path, templates), "utf8");
    const names = text.matchAll(
      /(?:data-panel|folded)="(\w+)"|slot name="(beside|surgery)"/g,
    );
    return Array.from(names, ([, name, shared]) => name ?? shared);
  });
}

/** The names of the folded panels in a part's scripts. */
async function foldedIn(part) {
  const { panels } = await import(new URL(`routing/${part}/panels.js`, KINDS));
  return Object.values(panels)
    .flat()
    .filter(({ isFolded }) => isFolded)
    .map(({ id }) => id);
}

test("a link knows every panel that a view folds", async () => {
  const templatesOf = (part) =>
    readdirSync(
      new URL(`../../../templates/kinds/routing/${part}`, import.meta.url),
    ).map((name) => `${part}/${name}`);
  for (const [kind, part] of [
    [dynamicRouting, "dynamic"],
    [emRouting, "em"],
    [attentionRouting, "attention"],
  ]) {
    const panels = [...panelsIn(...templatesOf(part)), ...(await foldedIn(part))];
    assert.deepEqual(Object.keys(kind.folds).toSorted(), panels.toSorted());
  }
});
