/** Layers of a few units over a few maps, looked at in every way. */
import { beforeRelu, unitsBefore } from "../../../../static/js/kinds/dense/units.js";
import { anyTensor, seededRandom } from "../../fixtures.js";

const [MAPS, UNITS, CLASSES] = [[2, 3, 3], 5, 3];

export function* scenes() {
  const random = seededRandom(2);
  const any = (...shape) => anyTensor(random, shape);
  for (const mode of ["after", "before", "given"])
    for (const order of ["number", "given"]) {
      const maps = any(...MAPS);
      const kernels = { kernels: any(UNITS, ...MAPS), bias: any(UNITS) };
      const output = { weights: any(CLASSES, UNITS), bias: any(CLASSES) };
      const worked = unitsBefore(maps, kernels);
      const after = Float32Array.from(worked, (value) => Math.max(0, value));
      const before = beforeRelu(worked, after);
      yield {
        read: { maps, kernels, output, worked, before, after },
        gifts: after.map((value, unit) => value * output.weights.data[unit]),
        unit: 1,
        classIndex: 0,
        names: ["a", "b", "c"],
        look: { mode, order },
      };
    }
}
