import assert from "node:assert/strict";
import { test } from "node:test";
import { partsOf } from "../../../../static/js/page/saving/words.js";

const model = { id: "own", title: "My network" };
const network = {
  schema: () => ({
    surgery: {
      start: () => ({ silenced: [] }),
      step: (_before, { silenced }) => `type ${silenced} silent`,
    },
    look: { start: () => 1 },
  }),
};

const STATE = {
  ...{ model, network, kept: null, view: "overview" },
  slices: { own: { surgery: { silenced: [] }, look: 2 } },
};

for (const [what, source, words] of [
  ["a sample", { kind: "sample", id: "a", label: 4, title: "4, open" }, "“4, open”"],
  [
    "a test image",
    { kind: "dataset", id: "mnist", index: 7, label: 9 },
    "test image 7 of mnist",
  ],
  [
    "strokes on another",
    { kind: "drawing", on: { kind: "upload", name: "<b>.png" } },
    "“<b>.png”, drawn on",
  ],
])
  test(`a saved picture says that it is of ${what}`, () => {
    const state = { ...STATE, source };
    assert.deepEqual(partsOf(state, "1.2"), [
      ...["My network", words, "CapsNet Explorer 1.2"],
    ]);
  });

test("a saved picture says what is changed, and what is compared", () => {
  const changed = {
    ...STATE,
    source: { kind: "drawing" },
    slices: { own: { surgery: { silenced: [18] }, look: 1 } },
    view: "compare",
    kept: { source: { kind: "link" } },
  };
  assert.deepEqual(partsOf(changed, "1.2").slice(1, 3), [
    "a drawing beside an image of a link",
    "type 18 silent",
  ]);
});
