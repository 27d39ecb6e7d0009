/** What two networks make of two classes along a knob, for tests of the Lab's panels. */
import { KNOBS } from "../../../../static/js/lab/pose/knobs.js";
import { KNOBS as ANGLES } from "../../../../static/js/lab/sides/knobs.js";
import { anyTensor, MODEL, seededRandom } from "../../fixtures.js";
import { LAYERS } from "../../networks/layers.js";

const named = (title, layers) => ({
  ...MODEL,
  title,
  layers,
  class_names: ["no", "yes"],
});
const [posed, plain] = [named("Capsules", LAYERS.capsnet), named("CNN", LAYERS.cnn)];
export const made = new Map([
  [posed, { tensor: "poses", title: "capsule of the class", isPose: true }],
  [plain, { tensor: "hidden", title: "hidden layer", isPose: false }],
]);

/** @param {number} count images @param {(i: number) => boolean} isRight */
function sweepsOf(count, isRight) {
  const next = seededRandom(3);
  const some = (...shape) => anyTensor(next, shape);
  const predictions = Array.from({ length: count }, (_, i) => Number(isRight(i)));
  const readings = predictions.map((prediction) => ({
    state: "one",
    named: [prediction],
  }));
  const tensors = {
    scores: some(count, 2),
    hidden: some(count, 4),
    pool2: some(count, 2, 2, 2),
  };
  return [posed, plain].map((model) => ({
    model,
    readings,
    predictions,
    tensors: { ...tensors, poses: some(count, 2, 3) },
  }));
}

/** Read everywhere, nowhere, and for a while; over a knob with ends, and over a circle. */
export function* scenes() {
  for (const knob of [KNOBS[0], ANGLES[0]])
    for (const least of [0, 999, knob.sweep.indexOf(knob.start) - 1]) {
      const sweeps = sweepsOf(knob.sweep.length, (i) => i >= least);
      const settings = { [knob.id]: knob.start };
      const known = { answer: { sweeps }, wish: { knob } };
      yield { knob, settings, known, followed: 1 };
    }
}
