/** Layers of capsules of every form, as a view of them has them. */
import { partsOf } from "../../../../static/js/kinds/capsules/panels.js";
import { anyTensor, grey, MODEL, seededRandom } from "../../fixtures.js";

const GRID = { field: (_, row, column) => ({ row, column, size: 9 }) };
const routing = {
  id: "r",
  title: "Routing",
  kind: { name: "routing" },
  reach: () => null,
};
const maps = { id: "maps", title: "Maps", kind: {}, reach: () => null };
const above = {
  id: "above",
  title: "Above",
  kind: { name: "capsules" },
  window: () => ({ size: 3, step: 2, first: 0 }),
  shapeOf: () => [2, 2, 2],
};

/** Of each layer: what differs, the shapes of its poses, and of what it votes by. */
const LAYERS = {
  vectors: [{ ...GRID, tensors: { before: "b", below: "m" } }, [3, 5, 5, 8]],
  routed: [{ form: "routed", below: "r", network: [routing], tensors: {} }, [6, 8]],
  alone: [
    {
      form: "alone",
      words: { squash: "exponential" },
      weights: { kernels: "k" },
      tensors: { before: "b", below: "m" },
      below: "maps",
      network: [maps],
    },
    [6, 8],
  ],
  "for capsules": [
    { form: "matrices", network: [above], words: { above: "above" } },
    ...[
      [3, 5, 5, 4, 4],
      [3, 3, 3, 2, 4, 4],
    ],
  ],
  "for classes": [
    { form: "matrices", network: [{ id: "c", kind: { name: "classes" } }] },
    ...[
      [3, 5, 5, 4, 4],
      [3, 1, 1, 10, 4, 4],
    ],
  ],
};

/** @param {string} part of the view */
export function* scenes(part) {
  const random = seededRandom(9);
  const any = (shape) => anyTensor(random, shape, 0.4);
  for (const [description, poses, transforms = [1]] of Object.values(LAYERS)) {
    const isMatrix = description.form === "matrices";
    const grid = poses.slice(0, isMatrix ? -2 : -1);
    const activation = any(grid);
    activation.data = activation.data.map(Math.abs);
    const layer = {
      id: "own",
      title: "Own",
      words: { above: "c" },
      network: [],
      tensors: {},
      shapeOf: () => [1, 28, 28],
      reach: () => null,
      ...GRID,
      ...description,
    };
    if (part !== "chosen" && !partsOf(layer).includes(part)) continue;
    const { before } = layer.tensors;
    for (const capsule of [0, activation.data.length - 1])
      yield {
        trace: {
          pixels: grey(new Uint8Array(784)),
          tensors: {
            poses: any(poses),
            activation,
            before: before && any(poses),
            below: any([48, 3, 3]),
          },
        },
        model: MODEL,
        layer,
        capsule,
        weights: { transforms: any(transforms), kernels: any([48, 3, 3]) },
        above: 3,
        entry: 5,
        dimension: 1,
        classIndex: 4,
        field: null,
      };
  }
}
