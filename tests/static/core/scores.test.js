import assert from "node:assert/strict";
import { test } from "node:test";

import { scoresOf, scoreWords } from "../../../static/js/core/scores.js";
import { tensor } from "../fixtures.js";

test("lengths are lengths, probabilities probabilities, activations activations", () => {
  for (const kind of ["length", "probability", "activation"]) {
    const { one, title, meaning } = scoreWords({ scores: kind });
    assert.equal(one, kind);
    for (const text of [title, meaning])
      assert.match(
        text.toLowerCase(),
        new RegExp(kind === "probability" ? "probabilit" : kind),
      );
  }
});

test("probabilities of classes that are decided on alone do not make 1", () => {
  const card = { config: { probabilities: "sigmoid" } };
  const { meaning, none } = scoreWords({ scores: "probability", card });
  assert.match(meaning, /need not make 1/);
  assert.match(none, /sees none/);
  assert.match(scoreWords({ scores: "probability" }).meaning, /together they make 1/);
});

test("scores are in the tensor of that name, once they have come", () => {
  assert.deepEqual([...scoresOf({ tensors: { scores: tensor([2], [0, 1]) } })], [0, 1]);
  assert.equal(scoresOf({ tensors: {} }), null);
});
