import assert from "node:assert/strict";
import { test } from "node:test";
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
