import assert from "node:assert/strict";
import { test } from "node:test";
import {
  coloursOf,
  linesOf,
  lookOf,
  numbersOf,
  plotOf,
  spansOf,
} from "../../../../static/js/lab/shared/courses.js";

const AXIS = {
  title: "Turn, °",
};
const KNOBS = [-30, 0, 30];
const TEST = { images: 1000, values: [-30, 0], accuracy: [0.5, 0.99] };
const CAPS = {
  name: "Caps",
  color: 0,
  test: TEST,
  knobs: KNOBS,
  scores: [0.1, 0.9, 0.8],
  isRight: [false, true, true],
};
const CNN = {
  name: "CNN",
  color: 2,
  test: null,
  knobs: KNOBS,
  scores: [0.7, 1, 0],
  isRight: [true, false, true],
};
const DATA = {
  axis: AXIS,
  score: "score of 4",
  networks: [CAPS, CNN],
};

test("each network has a line in its own colour, before its own readings of the test set", () => {
  const lines = linesOf(DATA);
  assert.deepEqual(
    lines.map(({ name, look }) => [name, look]),
    [
      [undefined, "is-measured is-network-0"],
      ["Caps", "is-own is-network-0"],
      ["CNN", "is-own is-network-2"],
    ],
  );
  assert.deepEqual([lines[0].x, lines[0].y], [TEST.values, TEST.accuracy]);
  assert.deepEqual(
    linesOf({ ...DATA, networks: [{ ...CNN, scores: null }] }),
    [],
    "what is on its way has no line",
  );
  assert.equal(lookOf(9), "is-network-1", "colours begin anew");
});

test("what stands behind can be another reading of the test set", () => {
  const behind = { title: "mean", of: () => [0.2, 0.3], words: String };
  const [measured] = linesOf({ ...DATA, behind });
  assert.deepEqual(measured.y, [0.2, 0.3]);
});

test("below the axis each network has a row of its own, stretch by stretch", () => {
  assert.deepEqual(spansOf(DATA), [
    { from: 0, to: 30, row: 0, look: "is-network-0" },
    { from: -30, to: -30, row: 1, look: "is-network-2" },
    { from: 30, to: 30, row: 1, look: "is-network-2" },
  ]);
  assert.deepEqual(spansOf({ ...DATA, networks: [{ ...CAPS, isRight: [] }] }), []);
});

test("scores of any size stand on no axis from 0 to 1, and share one of their own", () => {
  const free = {
    ...CAPS,
    name: "Own",
    kind: "score",
    scores: [-3, -0.5, 2],
    test: null,
  };
  assert.deepEqual(
    linesOf({ ...DATA, networks: [CAPS, free] }).map(({ name }) => name ?? ""),
    ["", "Caps"],
  );
  const [, note] = plotOf({ ...DATA, networks: [CAPS, free] }, 0, () => {});
  assert.match(note.content[0], /Scores of Own are of any size/);
  const [{ attributes }] = plotOf({ ...DATA, networks: [free] }, 0, () => {});
  assert.deepEqual([attributes.y.low, attributes.y.high], [-3, 2]);
  assert.equal(attributes.lines.length, 1);
});

test("there is one plot, whatever takes part; what was not measured is said to be", () => {
  for (const networks of [[], [CNN], [CAPS, CNN]]) {
    const content = plotOf({ ...DATA, networks }, 0, () => {});
    assert.equal(content.filter(({ attributes }) => attributes.lines).length, 1);
  }
  const noteOf = (data) => plotOf(data, 0, () => {})[1].content[0];
  assert.match(noteOf({ ...DATA, networks: [CNN] }), /no test images were measured/);
  const unmeasured = "Not yet.";
  assert.equal(noteOf({ ...DATA, networks: [CNN], unmeasured }), unmeasured);
  assert.match(
    noteOf(DATA),
    /^Dashed: share of 1\s000 test images whose label has the highest score\.$/u,
  );
});

test("the table has a dash for what is on its way or was not measured", () => {
  const networks = [CAPS, { ...CNN, scores: null }];
  const { names, columns } = numbersOf({ ...DATA, networks });
  assert.deepEqual(names, ["−30", "0", "30"]);
  assert.deepEqual(
    columns.map(([title, values]) => [title.split(":")[0], ...values]),
    [
      ["Caps", 0.1, 0.9, 0.8],
      ["Caps", 0.5, 0.99, NaN],
      ["CNN", NaN, NaN, NaN],
    ],
  );
});

test("a network keeps its colour, whoever is absent", () => {
  const routed = (form) => ({ layers: [{ kind: "routing", form }] });
  const plain = { layers: [{ kind: "dense", form: null }] };
  const all = [routed("dynamic"), plain, routed("attention"), routed("em")];
  const colours = coloursOf(all);
  assert.equal(new Set(colours).size, all.length);
  for (let absent = 0; absent < all.length; absent++)
    assert.deepEqual(
      coloursOf(all.filter((_, i) => i !== absent)),
      colours.filter((_, i) => i !== absent),
    );
  assert.deepEqual(coloursOf(all.toReversed()), colours.toReversed());
  const crowd = coloursOf([...all, ...all]);
  assert.equal(new Set(crowd).size, crowd.length, "two alike are told apart");
  assert.deepEqual(crowd.slice(0, all.length), colours);
});
