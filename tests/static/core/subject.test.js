import assert from "node:assert/strict";
import { test } from "node:test";
import { knownLabel } from "../../../static/js/core/state.js";
import { saidOf, subjectOf } from "../../../static/js/core/subject.js";
import { MODEL } from "../fixtures.js";

const of = (dataset) => ({ ...MODEL, card: { ...MODEL.card, dataset } });

test("an empty canvas speaks of digits to networks of digits only", () => {
  for (const dataset of ["mnist", "drawn", "overlapping", undefined])
    assert.match(subjectOf(of(dataset)).start, /^Draw a digit/);
  for (const dataset of ["toys", "cifar10", "kmnist", "folder", "idx"]) {
    const { one, draw, start } = subjectOf(of(dataset));
    assert.doesNotMatch(`${one} ${draw} ${start}`, /digit|28/, dataset);
  }
});

test("what the intake found is said of what the network's images show", () => {
  const note = "Digit found. All ink belongs to the digit; 2 digits, “digital” stays.";
  assert.equal(saidOf(note, of("mnist")), note);
  assert.equal(
    saidOf(note, of("toys")),
    "Shape found. All ink belongs to the shape; 2 shapes, “digital” stays.",
  );
});

test("a sample's label is known to networks of drawn digits, too", () => {
  const sample = { kind: "sample", id: "a", label: 4, title: "a digit" };
  assert.equal(knownLabel(sample, of("drawn")), 4);
  assert.equal(knownLabel(sample, of("kmnist")), null);
  const image = { kind: "dataset", id: "mnist-test", index: 0, label: 7 };
  assert.equal(knownLabel(image, of("drawn")), 7);
  assert.equal(knownLabel(image, of("cifar10")), null);
});
