import assert from "node:assert/strict";
import { test } from "node:test";
import { START } from "../../../../static/js/lab/attack/choices.js";
import {
  attackWords,
  gradientWords,
  sparedWords,
} from "../../../../static/js/lab/attack/words.js";
import { says } from "../../fixtures.js";

const NET = {
  title: "Net",
  scores: "length",
  class_names: ["zero", "one", "two"],
  present: { at_most: 1, threshold: null },
};

/** @param {number} prediction @param {number[]} scores @param {number | null} [error] */
function read(prediction, scores, error = null) {
  const drawn = error === null ? null : [Math.sqrt(error), Math.sqrt(error)];
  return { image: [0, 0], prediction, scores, drawn };
}

const FOUND = {
  model: NET,
  label: 1,
  isOwn: false,
  clean: read(1, [0, 0.9, 0.1]),
  noisy: read(1, [0, 0.8, 0.2]),
  attacked: read(2, [0.1, 0.3, 0.6]),
};
const tell = (changes, choices = {}, eps = 0.2) =>
  attackWords({ ...FOUND, ...changes }, { ...START, ...choices }, eps);

test("nothing to attack: misled already, no ε, the target is read", () => {
  says(
    tell({ clean: read(0, [0.9, 0.1, 0]) }),
    "Net reads zero without…misled already",
  );
  const none = { isOwn: true, clean: read(1, [0.1, 0.2, 0.1]) };
  says(
    tell(none),
    "Net sees none of its classes without…no label: there is no reading to",
  );
  assert.equal(tell({}, {}, 0), "Net reads one: ε is 0, so nothing changes.");
  assert.match(tell({}, { target: "1" }), /reads the target, one, already/);
});

test("a network that has no gradient is spared, and why", () => {
  const can = { gradient: false };
  const flat = "browsers lack the operator lgamma, which its gradient needs";
  assert.deepEqual(
    sparedWords([
      { title: "Led", can: { gradient: true } },
      { title: "Net", can },
      { title: "Own", can, flat },
    ]),
    [
      "Net cannot be attacked: it has no gradient to follow.",
      `Own cannot be attacked on this page: ${flat}.`,
    ],
  );
});

test("an image without a label is attacked by its own reading, and says so", () => {
  says(tell({ isOwn: true }), "from one (its own reading…to two");
});

test("of a network that names two classes neither is misled by the other", () => {
  const two = { ...NET, present: { at_most: 2, threshold: 0.5 } };
  const changes = { model: two };
  const both = read(2, [0.1, 0.9, 0.95]);
  const sentence = tell({
    ...changes,
    clean: both,
    attacked: read(2, [0.1, 0.3, 0.6]),
  });
  assert.match(sentence, /^Net: FGSM with ε = 0.20 turns its reading from one to two:/);
  assert.match(
    tell({ ...changes, clean: both, attacked: read(0, [0.2, 0.1, 0.1]) }),
    /to none: its length/,
  );
});

test("a target is reached or missed", () => {
  assert.match(tell({}, { target: "2" }), /to two: .* to 0\.300, the target\./);
  assert.match(tell({}, { target: "0" }), /; the target was zero, with 0\.100\./);
});

test("the share of zero gradients, here and over the test set", () => {
  const zeros = (share, images = null) =>
    gradientWords(
      { ...FOUND, zeros: share },
      images === null ? null : { images: 1000, gap: { images } },
    );
  assert.equal(zeros(null), "");
  assert.match(zeros(1), /follows is zero at every pixel/);
  assert.match(zeros(0), /follows is zero at no pixel\.$/);
  assert.match(zeros(0.25), /zero at 25\s?% of the pixels/);
  says(zeros(1, 0.731), "everywhere for 73.1 % of 1 000");
  assert.match(zeros(0, 0), /zero everywhere for none of 1\s?000/);
});
