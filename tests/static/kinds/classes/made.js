/** Classes of every form, as a view of them has them. */
import { anyTensor, MODEL, seededRandom, tensor } from "../../fixtures.js";

const [CLASSES, UNITS, STEPS] = [10, 40, 3];

/** Of each form: the shapes of its tensors. */
const FORMS = {
  vectors: { poses: [CLASSES, 16], history: [STEPS, CLASSES, 16] },
  "vectors, routed once": { poses: [CLASSES, 16] },
  matrices: {
    poses: [CLASSES, 4, 4],
    history: [STEPS, CLASSES],
    means: [STEPS, CLASSES, 4, 4],
  },
  probabilities: { logits: [CLASSES], below: [UNITS] },
  "probabilities, each by itself": { logits: [CLASSES], below: [UNITS] },
  scores: {},
};

const KINDS = { vectors: "length", matrices: "activation" };

/** @param {string} wanted the form of the classes, or every one */
export function* scenes(wanted) {
  const random = seededRandom(3);
  const any = (...shape) => anyTensor(random, shape, 0.3);
  for (const [name, shapes] of Object.entries(FORMS)) {
    const [form] = name.split(",");
    if (wanted !== "every" && wanted !== form) continue;
    const isOfEach = name.endsWith("itself");
    const tensors = Object.fromEntries(
      Object.entries(shapes).map(([role, shape]) => [role, any(...shape)]),
    );
    const share = () => (isOfEach ? random() : 1 / CLASSES);
    tensors.scores = tensor([CLASSES], Array.from({ length: CLASSES }, share));
    const card = { config: { probabilities: isOfEach ? "sigmoid" : "softmax" } };
    for (const labels of [[4], []])
      yield {
        trace: { tensors },
        model: { ...MODEL, scores: KINDS[form] ?? "probability", card },
        layer: { form, words: { decoder: "reconstruction" }, network: [] },
        source: { kind: "sample", id: "a", labels },
        weights: { weights: any(CLASSES, UNITS), bias: any(CLASSES) },
        unit: 3,
        entry: 5,
        step: 2,
        classIndex: 4,
        pointed: 1,
      };
  }
}
