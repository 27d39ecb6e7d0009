import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { termFinder } from "../../../../static/js/page/glossary/marking.js";
import { capsnet, cnn, matrix } from "../../networks/networks.js";

const GLOSSARY = JSON.parse(
  readFileSync(
    new URL("../../../../app/content/glossary.json", import.meta.url),
    "utf8",
  ),
);

/** Terms with these forms, each named by its first. */
function terms(...forms) {
  return forms.map((list) => ({ id: list[0], forms: list }));
}

function matches(text, ...forms) {
  return termFinder(terms(...forms))(text).map(({ start, end, term }) => [
    text.slice(start, end),
    term.id,
  ]);
}

test("whole words are found in order, whatever their case", () => {
  assert.deepEqual(matches("Votes for a vote.", ["vote", "votes"]), [
    ["Votes", "vote"],
    ["vote", "vote"],
  ]);
  assert.deepEqual(matches("devotes, voted, vote2", ["vote"]), []);
});

test("of several that begin together the longest counts, over line breaks too", () => {
  assert.deepEqual(matches("a primary\n  capsule", ["capsule"], ["primary capsule"]), [
    ["primary\n  capsule", "primary capsule"],
  ]);
});

test("symbols are found, and stand for nothing else", () => {
  assert.deepEqual(matches("m⁺ = 0.9, c.d, cxd", ["m⁺"], ["c.d"]), [
    ["m⁺", "m⁺"],
    ["c.d", "c.d"],
  ]);
});

test("an empty glossary finds nothing", () => {
  assert.deepEqual(matches("anything"), []);
});

test("every term has a form that finds it, in each network that has it", () => {
  for (const [architecture, network] of Object.entries({ capsnet, cnn, matrix })) {
    const terms = GLOSSARY.filter(({ seen }) => architecture in seen);
    const find = termFinder(terms);
    for (const { id, forms, seen } of terms) {
      const all = forms.flatMap((form) => find(form).map(({ term }) => term.id));
      assert.ok(all.includes(id), `nothing finds ${id} of ${architecture}`);
      const views = network.views.map((view) => view.id);
      assert.ok(views.includes(seen[architecture].view), `${id}: no such view`);
    }
  }
});
