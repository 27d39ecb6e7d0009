import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { pressed, SHORTCUTS, spelled } from "../../../static/js/core/shortcuts.js";

test("keys are called what stands on them", () => {
  assert.deepEqual(pressed({ keys: "Control+Shift+Z Control+Y", does: "" }), [
    ["Ctrl", "Shift", "Z"],
    ["Ctrl", "Y"],
  ]);
  assert.equal(spelled(SHORTCUTS.redo), "Ctrl+Y");
});

test("keys that markup names are those of the table", () => {
  const templates = new URL("../../../templates/", import.meta.url);
  const told = readdirSync(templates, { recursive: true })
    .filter((name) => name.endsWith(".html"))
    .flatMap((name) => [
      ...readFileSync(new URL(name, templates), "utf8").matchAll(
        /aria-keyshortcuts="([^"]+)"/g,
      ),
    ]);
  const all = Object.values(SHORTCUTS).flatMap(({ keys }) => keys.split(" "));
  assert.ok(told.length > 5);
  for (const [, keys] of told)
    for (const key of keys.split(" ")) assert.ok(all.includes(key), key);
});

test("README and docs name the keys of the table", () => {
  const read = (name) =>
    readFileSync(new URL(`../../../${name}`, import.meta.url), "utf8");
  const { silence, hold, even, undo, help } = SHORTCUTS;
  for (const each of [silence, hold, even, undo, help])
    assert.ok(read("README.md").includes(`\`${spelled(each)}\``), each.does);
  for (const each of [silence, hold, even])
    assert.ok(read("docs/stage.md").includes(`| \`${each.keys}\` |`), each.does);
});
