import assert from "node:assert/strict";
import { test } from "node:test";
import {
  confusion,
  csvOf,
  isKnown,
  lassoOf,
  MOST_CORNERS,
  packSelection,
  RANKED,
  selected,
  selectionWords,
  unpackSelection,
  withLabel,
} from "../../../static/js/lib/selections.js";
import { seededRandom } from "../fixtures.js";

const CLASSES = 4;

/** A made atlas; some images are misread. */
function made(seed, count = 250, total = count) {
  const random = seededRandom(seed);
  const below = (most) => Math.floor(random() * most);
  const labels = Array.from({ length: count }, () => below(CLASSES));
  const predictions = labels.map((label) => (random() < 0.2 ? below(CLASSES) : label));
  return {
    ...{ count, total, labels, predictions },
    best: labels.map(() => random()),
    errors: labels.map(() => random() / 10),
    numbers: null,
    positions: { map: labels.flatMap(() => [2 * random() - 1, 2 * random() - 1]) },
    names: ["zero", "one", "two", "three"],
    ...{ title: "The network", score: "length" },
    others: [
      {
        ...{ id: "other", title: "Another" },
        misread: new Map(
          labels.slice(0, count / 5).map((_, i) => [i, (labels[i] + 1) % CLASSES]),
        ),
      },
    ],
    moments: [
      {
        ...{ id: "3f2a9c01@640", title: "The network after 640 steps" },
        misread: new Map(
          labels.slice(0, count / 3).map((_, i) => [i, (labels[i] + 2) % CLASSES]),
        ),
      },
    ],
  };
}

function anySelection(random) {
  const below = (most) => Math.floor(random() * most);
  const [low, high] = [random(), random()]
    .map((each) => Number(each.toFixed(3)))
    .sort();
  const corners = Array.from({ length: 12 }, () => below(2000) - 1000);
  const first = below(CLASSES);
  const kinds = [
    ...["all", "misread", "alone", "unsure", "unlike"].map((kind) => ({ kind })),
    {
      kind: "label",
      classes: [0, 1, 2, 3].filter((_, i) => i === first || random() < 0.3),
    },
    {
      kind: "numbers",
      images: Array.from({ length: 250 }, (_, i) => i).filter(() => random() < 0.3),
    },
    { kind: "read", class: below(CLASSES) },
    { kind: "cell", label: below(CLASSES), read: below(CLASSES) },
    { kind: "differ", from: "other" },
    { kind: "differ", from: "3f2a9c01@640" },
    { kind: "score", low, high },
    { kind: "error", low: low / 10, high: high / 10 },
    { kind: "lasso", map: "map", corners },
  ];
  return kinds[below(kinds.length)];
}

const numbersIn = (words) =>
  [...words.replaceAll("\u202f", "").matchAll(/\d+(\.\d+)?/g)].map(([each]) =>
    Number(each),
  );

test("a selection comes back from a link as it was", () => {
  const random = seededRandom(1);
  for (let i = 0; i < 500; i++) {
    const selection = anySelection(random);
    if (selection.kind === "error") {
      selection.low = Number(selection.low.toFixed(4));
      selection.high = Number(selection.high.toFixed(4));
    }
    assert.deepEqual(unpackSelection(packSelection(selection)), selection);
  }
});

test("what is no selection is not taken for one", () => {
  for (const text of [
    ...[
      "some",
      "label",
      "label/",
      "label/x",
      "label/1/2",
      "label/1.x",
      "cell/1",
      "cell/1/2/3",
    ],
    ...["score/0", "score/a/b", "lasso/map/1_2", "lasso/map/1_2_3_4_5", "misread/1"],
    ...["lasso/m p/1_2_3_4_5_6", `lasso/map/${Array(200).fill(1).join("_")}`],
  ])
    assert.equal(unpackSelection(text), null, text);
});

test("every sentence counts what is selected, and what of it is misread", () => {
  const random = seededRandom(2);
  for (let seed = 0; seed < 300; seed++) {
    const size = [1, 2, 7, 250][seed % 4];
    const isPart = seed % 3 === 0;
    const atlas = made(seed, size, isPart ? 10 * size : size);
    const selection = anySelection(random);
    const images = selected(atlas, selection);
    const words = selectionWords(atlas, selection, images);
    const wrong = images.filter((i) => atlas.labels[i] !== atlas.predictions[i]).length;
    const count = images.length;
    assert.equal(
      / of the first \d+ (test images|whose|least)/.test(words),
      isPart,
      words,
    );
    if (selection.kind === "all") {
      assert.deepEqual(numbersIn(words).slice(0, 2), [wrong, atlas.count]);
      continue;
    }
    const said = numbersIn(words);
    if (count === 0) assert.match(words, /^None of the /);
    else assert.equal(said[0], count, words);
    assert.ok(said.includes(atlas.count), words);
    assert.ok(words.endsWith("."), words);
    if (["misread", "alone"].includes(selection.kind)) {
      assert.equal(wrong, count);
      continue;
    }
    if (selection.kind === "differ") {
      const right = count - wrong;
      const told = right === count ? "all" : right === 0 ? "none" : right;
      if (count > 0) assert.match(words, new RegExp(`is right about ${told} of them`));
      continue;
    }
    if (selection.kind === "cell") {
      assert.equal(wrong, selection.label === selection.read ? 0 : count);
      continue;
    }
    const ends = [
      [count === 0, /^(?!.*;)/],
      [count === 1, wrong === 1 ? /; it is misread\.$/ : /; it is read correctly\.$/],
      [wrong === 0, /; none of them is misread\.$/],
      [wrong === count, /; all of them are misread\.$/],
      [true, new RegExp(`; ${wrong} of them (is|are) misread\\.$`)],
    ];
    assert.match(words, ends.find(([holds]) => holds)[1]);
  }
});

test("the bounds that a sentence names hold for every image selected", () => {
  for (let seed = 0; seed < 50; seed++) {
    const atlas = made(seed);
    const unsure = selected(atlas, { kind: "unsure" });
    const most = numbersIn(selectionWords(atlas, { kind: "unsure" }, unsure))[2];
    assert.equal(unsure.length, RANKED);
    assert.ok(unsure.every((i) => atlas.best[i] <= most));
    const rest = atlas.best.filter((_, i) => !unsure.includes(i));
    assert.ok(rest.every((each) => each >= most - 0.001));
    const unlike = selected(atlas, { kind: "unlike" });
    const least = numbersIn(selectionWords(atlas, { kind: "unlike" }, unlike))[2];
    assert.ok(unlike.every((i) => atlas.errors[i] >= least));
  }
});

test("cells of the confusion matrix hold what they select", () => {
  const atlas = made(3);
  const counts = confusion(atlas);
  for (let label = 0; label < CLASSES; label++)
    for (let read = 0; read < CLASSES; read++)
      assert.equal(
        counts[label][read],
        selected(atlas, { kind: "cell", label, read }).length,
      );
});

test("misread by this network alone: no other misreads it", () => {
  const atlas = made(4);
  const alone = new Set(selected(atlas, { kind: "alone" }));
  for (const i of selected(atlas, { kind: "misread" }))
    assert.equal(alone.has(i), !atlas.others[0].misread.has(i));
});

test("read differently: where the readings of two networks differ", () => {
  const atlas = made(8);
  const reading = (i) => atlas.others[0].misread.get(i) ?? atlas.labels[i];
  const differ = selected(atlas, { kind: "differ", from: "other" });
  for (let i = 0; i < atlas.count; i++)
    assert.equal(differ.includes(i), atlas.predictions[i] !== reading(i));
  assert.ok(differ.length > 0 && differ.length < atlas.count);
});

test("labels are put into the selection and taken out of it one by one", () => {
  const atlas = made(9);
  let selection = { kind: "misread" };
  for (const label of [3, 1]) selection = withLabel(selection, label);
  assert.deepEqual(selection, { kind: "label", classes: [1, 3] });
  const images = selected(atlas, selection);
  assert.match(selectionWords(atlas, selection, images), / the label one or three;/);
  assert.ok(images.every((i) => [1, 3].includes(atlas.labels[i])));
  assert.equal(
    images.length,
    atlas.labels.filter((label) => label === 1 || label === 3).length,
  );
  assert.deepEqual(withLabel(withLabel(selection, 1), 3), { kind: "all" });
  assert.deepEqual(unpackSelection("label/3"), { kind: "label", classes: [3] });
});

test("an outline selects what lies within it", () => {
  const atlas = made(5);
  const places = atlas.positions.map;
  const square = [
    [-0.5, -0.5],
    [0.5, -0.5],
    [0.5, 0.5],
    [-0.5, 0.5],
  ];
  const inside = selected(atlas, lassoOf("map", square));
  const wanted = Array.from({ length: atlas.count }, (_, i) => i).filter(
    (i) => Math.abs(places[2 * i]) < 0.5 && Math.abs(places[2 * i + 1]) < 0.5,
  );
  assert.deepEqual(inside, wanted);
  const fine = Array.from({ length: 1000 }, (_, i) => [Math.cos(i), Math.sin(i)]);
  assert.equal(lassoOf("map", fine).corners.length, 2 * MOST_CORNERS);
  assert.equal(lassoOf("map", square.slice(0, 2)), null);
});

test("a selection is known only where there is something to select by", () => {
  const atlas = { ...made(6), errors: null, others: [] };
  assert.ok(!isKnown(atlas, { kind: "alone" }));
  assert.ok(!isKnown(atlas, { kind: "unlike" }));
  assert.ok(!isKnown(atlas, { kind: "label", classes: [0, CLASSES] }));
  assert.ok(!isKnown(atlas, { kind: "lasso", map: "other", corners: [] }));
  assert.ok(isKnown(atlas, { kind: "misread" }));
});

test("the table has a line for each image, and quotes names that need it", () => {
  const atlas = { ...made(7), names: ["zero", 'a "b", c', "two", "three"] };
  const images = selected(atlas, { kind: "label", classes: [1] });
  const [head, ...rows] = csvOf(atlas, images, "map").trim().split("\r\n");
  assert.equal(head, "index,label,prediction,highest_score,error,x,y");
  assert.equal(rows.length, images.length);
  assert.ok(rows[0].startsWith(`${images[0]},"a ""b"", c",`));
});
