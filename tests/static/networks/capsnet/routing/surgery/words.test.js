import assert from "node:assert/strict";
import { test } from "node:test";

import { NO_SURGERY } from "../../../../../../static/js/networks/capsnet/routing/surgery/changes.js";
import { answerInWords } from "../../../../../../static/js/networks/capsnet/routing/surgery/words.js";
import { tensor } from "../../../../fixtures.js";

const run = (lengths) => ({
  prediction: lengths.indexOf(Math.max(...lengths)),
  tensors: { "digits.lengths": tensor([2], lengths) },
});

const told = (before, after, surgery = { ...NO_SURGERY, routing: "uniform" }) =>
  answerInWords({
    model: { class_names: ["four", "nine"] },
    surgery,
    intact: run(before),
    changed: run(after),
  });

test("without surgery the answer is told alone", () => {
  assert.equal(
    told([0.9, 0.2], [0.9, 0.2], NO_SURGERY),
    "The network reads four, with length 0.900. Choose an experiment.",
  );
});

test("an answer that stays is told with what becomes of its length", () => {
  assert.equal(
    told([0.9, 0.2], [0.5, 0.2]),
    "The network still reads four; its length goes from 0.900 to 0.500.",
  );
});

test("lengths that are written alike are said to stay", () => {
  assert.equal(
    told([0.9, 0.2], [0.9001, 0.3]),
    "The network still reads four; its length stays 0.900.",
  );
  assert.equal(
    told([0.9, 0.2], [0.9, 0.95]),
    "The network now reads nine, with length 0.950; the length of four stays 0.900.",
  );
});

test("another answer is told with both lengths", () => {
  assert.equal(
    told([0.9, 0.2], [0.1, 0.75]),
    "The network now reads nine, with length 0.750; the length of four goes from 0.900 to 0.100.",
  );
});
