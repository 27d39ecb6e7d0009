/** Two images as each kind of layer reads them, and the panels that compare them. */

import * as shared from "../../../static/js/compare/panels.js";
import { panelsOf as ofDecoder } from "../../../static/js/kinds/decoder/compared.js";
import { anyTensor, grey, MODEL, seededRandom } from "../fixtures.js";

/** Of each layer: how its panels are told apart, and the shapes of what they compare. */
const LAYERS = [
  [ofDecoder, { form: "vector" }, { image: [28, 28] }],
  [ofDecoder, { form: "matrix" }, { image: [28, 28] }],
];

const SOURCE = { kind: "sample", id: "a", labels: [4] };

const random = seededRandom(5);

/** @param {Record<string, number[]>} shapes @param {number} prediction */
function traceOf(shapes, prediction) {
  return {
    ...{ pixels: grey(new Uint8Array(784).fill(prediction)), prediction },
    present: [prediction],
    tensors: Object.fromEntries(
      Object.entries(shapes).map(([role, shape]) => [
        role,
        anyTensor(random, shape, 0),
      ]),
    ),
  };
}

/** With two images, with one twice, and with an image that has nothing. */
function* scenesOf(shapes, layer) {
  const [one, other] = [traceOf(shapes, 4), traceOf(shapes, 7)];
  const none = traceOf(shapes, 0);
  for (const { data } of Object.values(none.tensors)) data.fill(0);
  for (const [keptTrace, trace] of [
    [one, other],
    [one, one],
    [none, other],
    [none, none],
  ])
    for (const classIndex of [null, 9])
      yield {
        ...{ model: MODEL, trace, keptTrace, classIndex, layer, source: SOURCE },
        kept: { pixels: keptTrace.pixels, source: SOURCE },
      };
}

/** Panels and the scenes that they are drawn from. */
export function* compared() {
  yield [shared, [...scenesOf({ lengths: [10], scores: [10] }, {})]];
  for (const [panelsOf, own, shapes] of LAYERS) {
    const layer = {
      id: "own",
      title: "Own",
      below: "under",
      tensors: {},
      shapeOf: () => [],
      ...own,
    };
    layer.network = [{ id: "under", title: "Under" }, layer];
    const panels = panelsOf(layer);
    yield [panels, [...scenesOf(shapes, layer)]];
  }
}
