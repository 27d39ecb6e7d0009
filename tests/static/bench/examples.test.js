import assert from "node:assert/strict";
import { test } from "node:test";
import { examplesFor, isOthers } from "../../../static/js/bench/examples.js";
import { DIGIT, pixelsOf } from "../../../static/js/lib/pixels.js";

const DIGITS = [..."0123456789"];
const COLOUR = { channels: 3, rows: 2, columns: 2 };
const SAMPLES = [
  { id: "four", label: 4, title: "4", source: "", pixels: pixelsOf(DIGIT) },
];

function modelOf(class_names, dataset, shape = [3, 2, 2]) {
  return {
    class_names,
    card: { dataset },
    input_shape: shape,
    present: { at_most: 1 },
  };
}
const PETS = modelOf(["cat", "dog", "fox"], "folder");

/** A server with one test set; images of a label are 7 apart. */
function libraryOf(dataset, labels) {
  const asked = [];
  return {
    asked,
    fetchDatasets: async () => ({
      datasets: [{ id: `${dataset}-test`, dataset, labels }],
    }),
    async fetchImages(id, query) {
      asked.push(id);
      const { label } = query;
      const pixels = pixelsOf(COLOUR);
      return { total: 1, digits: [{ index: 7 * label, label, pixels }] };
    },
  };
}

test("a network of other things is shown the first test image of each class", async () => {
  const library = libraryOf("folder", [3, 0, 2]);
  const { kind, isOwn, examples } = await examplesFor(PETS, SAMPLES, library);
  assert.deepEqual([kind, isOwn], ["dataset", true]);
  assert.deepEqual(
    examples.map(({ title, source }) => [title, source]),
    [
      ["cat, test image 0", { kind: "dataset", id: "folder-test", index: 0, label: 0 }],
      [
        "fox, test image 14",
        { kind: "dataset", id: "folder-test", index: 14, label: 2 },
      ],
    ],
  );
});

test("a described network is shown its owner's images, whatever its classes are called", async () => {
  const shape = [1, 48, 48];
  const toys = ["animal", "human", "plane", "truck", "car"];
  for (const names of [DIGITS, toys]) {
    const model = modelOf(names, "described-mine", shape);
    const { kind, examples } = await examplesFor(
      model,
      SAMPLES,
      libraryOf("described-mine", []),
    );
    assert.equal(kind, "dataset", names.join());
    assert.ok(examples.every(({ source }) => source.id === "described-mine-test"));
  }
});

test("without its test set it is shown digits, which are none of its classes", async () => {
  const { kind, isOwn, examples } = await examplesFor(
    PETS,
    SAMPLES,
    libraryOf("mnist", [1]),
  );
  assert.deepEqual([kind, isOwn, examples.length], ["sample", false, 1]);
});

test("a network for two digits is shown pairs of two labels, each another", async () => {
  const samples = DIGITS.flatMap((title, label) =>
    ["a", "b"].map((kind) => ({
      id: title + kind,
      label,
      title,
      pixels: pixelsOf(DIGIT),
    })),
  );
  const model = {
    ...modelOf(DIGITS, "overlapping", [1, 36, 36]),
    present: { at_most: 2 },
  };
  const { kind, examples } = await examplesFor(model, samples, libraryOf("mnist", []));
  assert.equal(kind, "sample");
  assert.equal(examples.length, samples.length);
  for (const [i, { title, source, pixels }] of examples.entries()) {
    const [one, other] = source.digits.map(({ label }) => label);
    assert.equal(one, samples[i].label);
    assert.notEqual(one, other);
    assert.equal(title, `${one} and ${other}`);
    assert.equal(pixels.rows, 36);
  }
  assert.ok(new Set(examples.map(({ title }) => title)).size > 10);
});

test("what another network was shown gives way; what one drew or linked stays", () => {
  const digits = modelOf(DIGITS, "mnist", [1, 28, 28]);
  const sample = { kind: "sample", id: "four", label: 4, title: "4" };
  const image = { kind: "dataset", id: "mnist-test", index: 0, label: 7 };
  assert.equal(isOthers(sample, "dataset", PETS, null), true);
  assert.equal(isOthers(sample, "sample", PETS, digits), false);
  assert.equal(isOthers(image, "dataset", PETS, digits), true);
  assert.equal(isOthers(image, "dataset", PETS, null), false); // a link said so
  assert.equal(isOthers(image, "sample", digits, digits), false);
  assert.equal(isOthers({ kind: "drawing" }, "dataset", PETS, digits), false);
  const toy = { kind: "toy", category: "plane" };
  assert.equal(isOthers(toy, "sample", digits, PETS), true);
  const small = modelOf(["cat", "dog"], "folder", [3, 32, 32]);
  assert.equal(isOthers(toy, "dataset", small, null), false); // the turntable draws it
  assert.equal(isOthers({ kind: "upload", name: "a" }, "dataset", PETS, digits), false);
});
