import assert from "node:assert/strict";
import { test } from "node:test";
import {
  isKnown,
  packSelection,
  RANKED,
  selected,
  selectionWords,
  unpackSelection,
  withLabel,
} from "../../../static/js/lib/selections.js";
import {
  confusion,
  isMisread,
  labelsOf,
  readingsOf,
} from "../../../static/js/lib/tested.js";
import { numbersIn, seededRandom } from "../fixtures.js";

const CLASSES = 4;

/** A made atlas; some images are misread. Of pairs, each shows two classes. */
function atlasOf(seed, count = 250, total = count, perImage = 1) {
  const random = seededRandom(seed);
  const below = (most) => Math.floor(random() * most);
  const images = Array.from({ length: count }, (_, i) => i);
  const anyClasses = () => {
    const first = below(CLASSES);
    return perImage === 1
      ? [first]
      : [first, (first + 1 + below(CLASSES - 1)) % CLASSES];
  };
  const classesShown = images.map(anyClasses);
  const labels = classesShown.flat();
  const read = classesShown.map((classes) =>
    random() < 0.2 ? anyClasses() : classes.toReversed(),
  );
  const turned = (by, part) =>
    new Map(
      images
        .slice(0, count / part)
        .map((i) => [i, classesShown[i].map((label) => (label + by) % CLASSES)]),
    );
  const sure = labels.map(() => random());
  return {
    count,
    total,
    perImage,
    labels,
    sure,
    predictions: read.flat(),
    best: sure.filter((_, k) => k % perImage === perImage - 1),
    errors: images.map(() => random() / 10),
    positions: { map: images.flatMap(() => [2 * random() - 1, 2 * random() - 1]) },
    names: ["zero", "one", "two", "three"],
    title: "The network",
    score: "length",
    measure: perImage === 1 ? "highest length" : "second highest length",
    pairs: null,
    views: null,
    others: [{ id: "other", title: "Another", misread: turned(1, 5) }],
    moments: [
      {
        id: "3f2a9c01@640",
        title: "The network after 640 steps",
        misread: turned(2, 3),
      },
    ],
  };
}

function anySelection(random) {
  const below = (most) => Math.floor(random() * most);
  const first = below(CLASSES);
  const kinds = [
    ...["all", "misread", "alone", "unsure", "unlike"].map((kind) => ({ kind })),
    {
      kind: "label",
      classes: [0, 1, 2, 3].filter((_, i) => i === first || random() < 0.3),
    },
    { kind: "read", class: below(CLASSES) },
    { kind: "cell", label: below(CLASSES), read: below(CLASSES) },
    { kind: "differ", from: "other" },
    { kind: "differ", from: "3f2a9c01@640" },
  ];
  return kinds[below(kinds.length)];
}

test("a selection comes back from a link as it was", () => {
  const random = seededRandom(1);
  for (let i = 0; i < 500; i++) {
    const selection = anySelection(random);
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
    ...["right", "right/x", "right/1/2", "misread/1", "lasso/map/1_2_3_4_5_6"],
  ])
    assert.equal(unpackSelection(text), null, text);
});

test("every sentence counts what is selected, and what of it is misread", () => {
  const random = seededRandom(2);
  for (let seed = 0; seed < 300; seed++) {
    const size = [1, 2, 7, 250][seed % 4];
    const isPart = seed % 3 === 0;
    const atlas = atlasOf(seed, size, isPart ? 10 * size : size);
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
    const numbers = numbersIn(words);
    if (count === 0) assert.match(words, /^None of the /);
    else assert.equal(numbers[0], count, words);
    assert.ok(numbers.includes(atlas.count), words);
    assert.ok(words.endsWith("."), words);
    if (["misread", "alone"].includes(selection.kind)) {
      assert.equal(wrong, count);
      continue;
    }
    if (selection.kind === "differ") {
      const right = count - wrong;
      const some = right === count ? "all" : right === 0 ? "none" : right;
      if (count > 0) assert.match(words, new RegExp(`is right about ${some} of them`));
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
    const atlas = atlasOf(seed);
    const unsure = selected(atlas, { kind: "unsure" });
    const most = numbersIn(selectionWords(atlas, { kind: "unsure" }, unsure))[2];
    assert.equal(unsure.length, RANKED);
    assert.ok(unsure.every((i) => atlas.best[i] <= most));
    const rest = atlas.best.filter((_, i) => !unsure.includes(i));
    assert.ok(rest.every((score) => score >= most - 0.001));
    const unlike = selected(atlas, { kind: "unlike" });
    const least = numbersIn(selectionWords(atlas, { kind: "unlike" }, unlike))[2];
    assert.ok(unlike.every((i) => atlas.errors[i] >= least));
  }
});

test("of two classes, sentences count what an independent count finds", () => {
  for (let seed = 0; seed < 60; seed++) {
    const count = [1, 2, 9, 250][seed % 4];
    const atlas = atlasOf(seed, count, count, 2);
    const every = Array.from({ length: count }, (_, i) => i);
    const labels = every.map((i) => new Set(atlas.labels.slice(2 * i, 2 * i + 2)));
    const read = every.map((i) => new Set(atlas.predictions.slice(2 * i, 2 * i + 2)));
    const right = every.map(
      (i) => [...labels[i]].filter((label) => read[i].has(label)).length,
    );
    const all = selectionWords(atlas, { kind: "all" }, every);
    const [none, half, both] = [0, 1, 2].map(
      (wanted) => right.filter((count) => count === wanted).length,
    );
    assert.deepEqual(
      numbersIn(all).filter((_, k) => k !== 2),
      [none + half, count, half, none],
      all,
    );
    assert.deepEqual(selected(atlas, { kind: "misread" }).length, none + half);
    [none, half, both].forEach((wanted, digits) => {
      const selection = { kind: "right", count: digits };
      assert.deepEqual(unpackSelection(packSelection(selection)), selection);
      const images = selected(atlas, selection);
      assert.equal(images.length, wanted);
      const words = selectionWords(atlas, selection, images);
      assert.ok(words.startsWith(wanted === 0 ? "None of" : `${wanted} of`), words);
    });
    const pair = selected(atlas, { kind: "label", classes: [1, 3] });
    assert.deepEqual(
      pair,
      every.filter((i) => labels[i].has(1) && labels[i].has(3)),
    );
    const words = selectionWords(atlas, { kind: "label", classes: [1, 3] }, pair);
    assert.match(words, /the labels one and three/);
    const wrong = pair.filter((i) => right[i] < 2).length;
    if (pair.length > 1 && wrong > 1 && wrong < pair.length)
      assert.match(words, new RegExp(`; ${wrong} of them are misread`));
    for (let label = 0; label < CLASSES; label++) {
      const reading = selected(atlas, { kind: "read", class: label });
      assert.deepEqual(
        reading,
        every.filter((i) => read[i].has(label)),
      );
    }
  }
});

test("of two classes, a cell off the diagonal lacks the one and has the other for it", () => {
  const atlas = atlasOf(11, 250, 250, 2);
  const counts = confusion(atlas);
  for (let label = 0; label < CLASSES; label++)
    for (let read = 0; read < CLASSES; read++) {
      const images = selected(atlas, { kind: "cell", label, read });
      assert.equal(images.length, counts[label][read]);
      for (const i of images) {
        const [labels, readings] = [labelsOf(atlas, i), readingsOf(atlas, i)];
        assert.ok(labels.includes(label) && readings.includes(read));
        assert.equal(isMisread(atlas, i) && label !== read, label !== read);
        if (label !== read)
          assert.ok(!labels.includes(read) && !readings.includes(label));
      }
    }
});

test("labels are put into the selection and taken out of it one by one", () => {
  const atlas = atlasOf(9);
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

test("a selection is known only where there is something to select by", () => {
  const atlas = { ...atlasOf(6), errors: null, others: [] };
  assert.ok(!isKnown(atlas, { kind: "alone" }));
  assert.ok(!isKnown(atlas, { kind: "unlike" }));
  assert.ok(!isKnown(atlas, { kind: "label", classes: [0, CLASSES] }));
  assert.ok(!isKnown(atlas, { kind: "right", count: 1 }));
  assert.ok(isKnown(atlas, { kind: "misread" }));
});
