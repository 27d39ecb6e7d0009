import assert from "node:assert/strict";
import { test } from "node:test";
import { factsOf } from "../../../../static/js/networks/capsnet/facts.js";

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

test("a card with figures tells them, each under what it is of", () => {
  const facts = factsOf({ card: { legibility: LEGIBILITY } });
  assert.deepEqual(
    facts.map(([name]) => name),
    ["Routing", "Empty image", "PrimaryCaps", "Conv1"],
  );
  const [routing, empty, primary, conv1] = facts.map(([, words]) => words);
  assert.match(
    routing,
    /27\.4 capsules of 6\.1 types .* largest contributes 9\u202f%.* coupling of 0\.25/,
  );
  assert.match(empty, /4\u202f% of the contributions .* length 0\.05/);
  assert.match(primary, /^1\.3\u202f% of the capsules/);
  assert.match(conv1, /^95\u202f% of the maps .*; 4\.4\u202f% of all values/);
});

test("a card without figures tells nothing", () => {
  assert.deepEqual(factsOf({ card: {} }), []);
});
