import assert from "node:assert/strict";
import { test } from "node:test";
import { legibilityFacts } from "../../../../static/js/kinds/legibility.js";
import { says } from "../../fixtures.js";
import { made } from "./made.js";

const SAMPLE = { kind: "sample", id: "a4", label: 4, title: "a four" };

test("edits and surgery outlive a change of image", () => {
  const edits = { 4: [0.25] };
  const surgery = { silenced: [3], routing: "agreement", pins: [] };
  const { own, actions } = made({ edits, surgery });
  actions.showImage(new Uint8Array(784), SAMPLE);
  assert.equal(own.get().edits, edits);
  assert.equal(own.get().surgery, surgery);
});

const LEGIBILITY = {
  voters: 27.44,
  types: 6.06,
  largest_share: 0.0893,
  heard_coupling: 0.254,
  blank_share: 0.041,
  empty_length: 0.0512,
  saturated: 0.0126,
  conv1_alive: 0.951,
  conv1_bright: 0.0437,
};

const LAYERS = [
  { kind: { name: "convolution" }, title: "Conv1" },
  { kind: { name: "capsules" }, title: "PrimaryCaps", form: "vectors" },
];

test("a card with figures tells them, each under what it is of", () => {
  const facts = legibilityFacts({ card: { legibility: LEGIBILITY } }, LAYERS);
  assert.deepEqual(
    facts.map(([name]) => name),
    ["Routing", "Empty image", "PrimaryCaps", "Conv1"],
  );
  const [routing, empty, primary, conv1] = facts.map(([, words]) => words);
  says(routing, "27.4…6.1 types…9 %…0.25");
  assert.match(empty, /would give too: 4\u202f%; .* length 0\.05/);
  assert.match(primary, /^1\.3\u202f% of the capsules/);
  assert.match(conv1, /^95\u202f% of the maps .*; 4\.4\u202f% of all values/);
});

for (const [anything, words] of [
  [{ ratio: 0.4, types: [18, 21], share: 0.697 }, "2 types (18 and 21)…0.4…70 % of"],
  [{ ratio: 0.4, types: [], share: 0 }, "no type (…"],
])
  test(`a card says which types answer to anything: ${anything.types.length}`, () => {
    const facts = legibilityFacts(
      { card: { legibility: LEGIBILITY, anything } },
      LAYERS,
    );
    says(Object.fromEntries(facts)["Answers to anything"], words);
  });

test("where every capsule answers to anything, none is named", () => {
  const anything = { ratio: 0.4, types: [0, 1], share: 1 };
  const layers = LAYERS.map((layer) => ({ ...layer, form: "alone" }));
  const model = { primary_capsules: 2, card: { legibility: LEGIBILITY, anything } };
  const facts = legibilityFacts(model, layers);
  says(Object.fromEntries(facts)["Answers to anything"], "every capsule: …100 %");
});
