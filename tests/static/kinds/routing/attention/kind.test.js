import assert from "node:assert/strict";
import { test } from "node:test";
import { experiments } from "../../../../../static/js/kinds/routing/attention/experiments.js";
import { attentionRouting } from "../../../../../static/js/kinds/routing/attention/kind.js";
import {
  isIntact,
  NO_SURGERY,
} from "../../../../../static/js/kinds/routing/surgery/changes.js";
import { stagedOptions } from "../../../../../static/js/kinds/routing/surgery/run.js";
import { blank } from "../../../fixtures.js";
import { linking } from "../../../linking.js";
import { CAPSULES, CLASSES, DIM, range, runs } from "./made.js";

const LAYER = { shapeOf: () => [CAPSULES, CLASSES, DIM] };
const MODEL = { routing_iterations: 1, class_names: range(CLASSES).map(String) };
const { start, written, read } = linking(attentionRouting.fields(MODEL, LAYER));

test("a link says which capsules are silent by their numbers, and comes back", () => {
  const pins = [{ capsule: 2, classIndex: 1, coupling: 0.5 }];
  const state = {
    ...start,
    entry: 5,
    surgery: { silenced: [0, 1, 3], routing: "uniform", pins },
  };
  assert.equal(written(state), "entry=5&silence=0-1.3&routing=uniform&pin=2%3A1%3D0.5");
  assert.deepEqual(read(written(state)), state);
});

test("the least of them is what to try first, and a task knows the most", () => {
  const { change } = attentionRouting.tryFirst();
  const isDone = attentionRouting.tasks["gives-most"];
  for (const { scene } of runs()) {
    const { tensors, classIndex, figures } = scene;
    const state = { trace: { prediction: 0, tensors }, classIndex };
    const evidence = Array.from(figures.evidence(classIndex));
    const { capsule } = change(state);
    assert.ok(evidence[capsule] === Math.min(...evidence));
    for (const index of range(CAPSULES)) {
      const chosen = { ...state, capsule: index, followsStrongest: false };
      const isMost = index === evidence.indexOf(Math.max(...evidence));
      assert.equal(isDone(chosen, { classIndex }), isMost);
      assert.equal(
        isDone({ ...chosen, followsStrongest: true }, { classIndex }),
        false,
      );
      assert.equal(isDone(chosen, { classIndex: classIndex + 1 }), false);
    }
  }
});

test("attention counts as ignored once the answer has come, and nothing else is changed", () => {
  const isDone = attentionRouting.tasks["attention-ignored"];
  const pixels = blank();
  const surgery = { ...NO_SURGERY, routing: "uniform" };
  const ran = (surgery) => ({
    surgery,
    trace: { pixels, options: stagedOptions({ surgery, model: MODEL }) },
  });
  const state = { pixels, ...ran(surgery) };
  assert.equal(isDone(state), true);
  assert.equal(isDone({ ...state, trace: null }), false);
  assert.equal(isDone({ ...state, trace: ran(NO_SURGERY).trace }), false);
  assert.equal(isDone({ ...state, ...ran({ ...surgery, silenced: [1] }) }), false);
  assert.equal(isDone({ ...state, surgery: NO_SURGERY }), false);
});

test("every experiment changes something, and none the same as another", () => {
  const shares = [0.1, 0.4, -0.1, 0.2, 0.3, 0.1];
  const offers = experiments({
    shares,
    name: "4",
    capsule: 2,
    rival: { classIndex: 9, name: "9" },
  });
  assert.ok(offers.every(({ surgery }) => !isIntact(surgery)));
  assert.equal(new Set(offers.map((offer) => JSON.stringify(offer.surgery))).size, 6);
  const silenced = (name) =>
    offers.find((offer) => offer.name.startsWith(name)).surgery.silenced;
  assert.deepEqual(silenced("Silence capsule 1"), [1]);
  assert.deepEqual(silenced("Keep only the 4"), [2, 5]);
  assert.deepEqual(silenced("Silence the stronger half"), [1, 3, 4]);
  assert.deepEqual(silenced("Silence the weaker half"), [0, 2, 5]);
});
