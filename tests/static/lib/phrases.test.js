/** What may be said where: shares, ties and leads come from functions that know their whole. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

const PAGE = new URL("../../../static/js/", import.meta.url).pathname;

/** @param {RegExp} phrase @param {string} under */
const filesThatSay = (phrase, under = "") =>
  readdirSync(`${PAGE}${under}`, { recursive: true })
    .map((path) => `${under}${path}`)
    .filter((path) => path.endsWith(".js"))
    .filter((path) => phrase.test(readFileSync(`${PAGE}${path}`, "utf8")));

test("numbers become percentages in one file", () => {
  assert.deepEqual(filesThatSay(/\}(\\u202f|\u202f| )%/u), ["lib/format.js"]);
});

test("stories of routing say who leads, and how few give most, in one file", () => {
  for (const phrase of [
    /A close thing|a close thing/u,
    /has overtaken/u,
    /of all that lengthens \$\{name\};|, then \$\{/u,
    /long enough to be named/u,
  ])
    assert.deepEqual(filesThatSay(phrase, "kinds/routing/"), [
      "kinds/routing/words.js",
    ]);
});
