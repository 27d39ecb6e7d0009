/** Two images as a network reads them, and as its decoder draws them. */
import { anyTensor, grey, MODEL, seededRandom } from "../fixtures.js";

const SOURCE = { kind: "sample", id: "a", labels: [4] };

const random = seededRandom(5);

/** @param {number} prediction */
const traceOf = (prediction) => ({
  pixels: grey(new Uint8Array(784).fill(prediction)),
  prediction,
  present: [prediction],
  tensors: {
    scores: anyTensor(random, [10], 0),
    image: anyTensor(random, [28, 28], 0),
  },
});

/** With two images, with one twice, and with an image that has nothing. */
export function* scenes() {
  const [four, seven, none] = [4, 7, 0].map(traceOf);
  for (const { data } of Object.values(none.tensors)) data.fill(0);
  for (const [keptTrace, trace] of [
    [four, seven],
    [four, four],
    [none, seven],
    [none, none],
  ])
    for (const [classIndex, form] of [
      [null, "vector"],
      [9, "matrix"],
    ])
      yield {
        model: MODEL,
        trace,
        keptTrace,
        classIndex,
        layer: { form },
        source: SOURCE,
        kept: { pixels: keptTrace.pixels, source: SOURCE },
      };
}
