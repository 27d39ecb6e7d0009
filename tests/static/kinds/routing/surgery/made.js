/** Runs before and after surgery, as its panel gets them. */
import { experiments } from "../../../../../static/js/kinds/routing/dynamic/experiments.js";
import { NO_SURGERY } from "../../../../../static/js/kinds/routing/surgery/changes.js";
import { anyTensor, MODEL, seededRandom } from "../../../fixtures.js";

/** The part of routing that the panel is made for. */
export const made = { experiments };

const PIN = { capsule: 3, classIndex: 1, coupling: 0.5 };

const CHANGES = [
  NO_SURGERY,
  { ...NO_SURGERY, silenced: [0, 5] },
  { ...NO_SURGERY, routing: "uniform" },
  { ...NO_SURGERY, pins: [PIN] },
];

const random = seededRandom(8);

/** @param {number} prediction */
function runOf(prediction) {
  const scores = anyTensor(random, [MODEL.class_names.length], 0);
  scores.data[prediction] = 1;
  const lengths = anyTensor(random, [3, 2, 2], 0);
  return {
    prediction,
    tensors: { scores, lengths, decoded: anyTensor(random, [28, 28], 0) },
  };
}

/** What changes the answer and what does not, known or on its way. */
export function* scenes() {
  for (const surgery of CHANGES)
    for (const read of [1, 4])
      for (const isLate of [false, true])
        yield {
          model: MODEL,
          surgery,
          intact: runOf(1),
          changed: runOf(read),
          isLate,
          classIndex: 1,
          name: MODEL.class_names[1],
          capsule: 3,
          shares: [0.5, 0.2, 0.3],
          types: 3,
          rows: 2,
          columns: 2,
          hasPictures: true,
        };
}
