/** Test sets that a network reads at random, and what the panels are drawn from. */
import { atlasOf } from "../../../static/js/atlas/reading.js";
import { START, sceneOf } from "../../../static/js/atlas/scene.js";
import { selected } from "../../../static/js/lib/selections.js";
import { MODEL, OTHER_MODEL, seededRandom } from "../fixtures.js";

const MAP = { space: "capsules", numbers: 160, kept: 0.4, trustworthiness: 0.99 };
const MAPS = {
  capsules: { ...MAP, method: "t-SNE" },
  "capsules-pca": { ...MAP, method: "PCA" },
};

export function made(seed, { hasErrors = true } = {}) {
  const random = seededRandom(seed);
  const [count, classes] = [30, MODEL.class_names.length];
  const below = (most) => Math.floor(random() * most);
  const tensor = (values, ...shape) => ({ shape, data: Float32Array.from(values) });
  const many = (length, value) => Array.from({ length }, value);
  const model = {
    ...MODEL,
    title: "It",
    card: { ...MODEL.card, atlas: { maps: MAPS, neighbours: 10 } },
  };
  const other = {
    ...OTHER_MODEL,
    title: "The other",
    card: { ...MODEL.card, mistakes: [{ index: 3, label: 1, prediction: 2 }] },
  };
  const tensors = {
    labels: tensor(
      many(count, () => below(classes)),
      count,
    ),
    predictions: tensor(
      many(count, () => below(classes)),
      count,
    ),
    scores: tensor(many(count * classes, random), count, classes),
    ...(hasErrors && { errors: tensor(many(count, random), count) }),
    "positions.capsules": tensor(many(2 * count, random), count, 2),
  };
  return { model, atlas: atlasOf(model, [model, other], tensors), tensors, classes };
}

const LATER = { pictures: (images) => images.map(() => null), pinned: [] };
const SELECTIONS = [
  { kind: "all" },
  { kind: "misread" },
  { kind: "label", classes: [1, 2] },
  { kind: "differ", from: OTHER_MODEL.id },
  { kind: "unsure" },
  { kind: "cell", label: 0, read: 2 },
];

/** Scenes of many selections, with and without a point, pictures and errors. */
export function* scenes() {
  for (const [seed, selection] of SELECTIONS.entries())
    for (const point of [null, 3]) {
      const { atlas, model } = made(seed, { hasErrors: seed % 2 === 0 });
      const images = selected(atlas, selection);
      const [[id, places]] = Object.entries(atlas.positions);
      const known = {
        atlas: () => atlas,
        images: () => images,
        selection: () => selection,
        map: () => ({ id, places }),
        momentsBeside: () => [],
      };
      const nearest = point === null ? [] : [{ index: 1, labels: [2], distance: 0.5 }];
      const page = {
        ...START,
        most: 10,
        nearest,
        missing: point ? "They are missing." : "",
      };
      const state = { model, point, pixels: null };
      yield sceneOf(state, known, page, LATER);
    }
}
