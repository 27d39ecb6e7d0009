/** Runs of routing over many images, iterations and operations, as the page gets them. */
import { figuresOf } from "../../../../../static/js/kinds/routing/dynamic/figures.js";
import { roundToFloat16, seededRandom } from "../../../fixtures.js";

const [TYPES, ROWS, COLUMNS, DIM] = [3, 2, 2, 3];
export const NAMES = ["zero", "one", "two", "three"];
export const CLASSES = NAMES.length;
export const CAPSULES = TYPES * ROWS * COLUMNS;
export const MODEL = {
  class_names: NAMES,
  classes: CLASSES,
  routing_iterations: 3,
  present: { at_most: 1, threshold: null },
  scores: "length",
  card: {},
  parameters: 100,
  weights: [{ name: "transforms", shape: [CAPSULES, CLASSES, DIM, 2] }],
};

const PIXELS = { rows: 6, columns: 6, channels: 1, data: new Float32Array(36) };

export const norm = (vector) => Math.hypot(...vector);
const squash = (s) => s.map((x) => (x * norm(s)) / (1 + norm(s) ** 2));
const dot = (a, b) => a.reduce((sum, x, i) => sum + x * b[i], 0);

function softmax(logits) {
  const powers = logits.map(Math.exp);
  const sum = powers.reduce((a, b) => a + b);
  return powers.map((power) => power / sum);
}

const INTACT = { uniform: false, held: new Map(), silenced: [] };

/** Routing by agreement as Procedure 1 writes it, with surgery, one capsule at a time. */
export function route(votes, iterations, { uniform, held, silenced } = INTACT) {
  const counted = votes.map((row, i) =>
    silenced.includes(i) ? row.map((vote) => vote.map(() => 0)) : row,
  );
  const logits = counted.map(() => new Array(CLASSES).fill(0));
  const steps = [];
  for (let step = 0; step < iterations; step++) {
    const couplings = logits.map((row, capsule) => {
      const pin = held.get(capsule);
      if (!pin) return softmax(row);
      const others = softmax(row.with(pin.classIndex, Number.NEGATIVE_INFINITY));
      return others.map((share, classIndex) =>
        classIndex === pin.classIndex ? pin.coupling : share * (1 - pin.coupling),
      );
    });
    const totals = NAMES.map((_, classIndex) => {
      const total = new Array(DIM).fill(0);
      counted.forEach((row, i) => {
        row[classIndex].forEach((x, d) => {
          total[d] += couplings[i][classIndex] * x;
        });
      });
      return total;
    });
    const capsules = totals.map(squash);
    const agreement = counted.map((row) =>
      row.map((vote, classIndex) => dot(vote, capsules[classIndex])),
    );
    const before = logits.map((row) => [...row]);
    steps.push({ couplings, totals, capsules, agreement, logits: before });
    if (!uniform)
      agreement.forEach((row, i) => {
        row.forEach((grows, classIndex) => {
          logits[i][classIndex] += grows;
        });
      });
  }
  return steps;
}

/** Images of many kinds, each with what is operated on it. */
export function* images() {
  const random = seededRandom(11);
  const between = (low, high) => low + (high - low) * random();
  for (let image = 0; image < 60; image++) {
    // From nothing to strong votes; in some images all say the same.
    const size = [0, 0.01, 0.3, 1, 3][image % 5];
    const votes = Array.from({ length: CAPSULES }, () =>
      NAMES.map(() => Array.from({ length: DIM }, () => size * between(-1, 1.5))),
    );
    const held = new Map();
    if (image % 3 === 1) held.set(image % CAPSULES, { classIndex: 1, coupling: 1 });
    if (image % 4 === 2)
      held.set((image + 5) % CAPSULES, { classIndex: 3, coupling: between(0, 1) });
    const silent = image % 7 === 6 ? CAPSULES : image % 7 === 5 ? image % CAPSULES : 0;
    const silenced = Array.from({ length: silent }, (_, i) => i);
    const surgery = { uniform: image % 6 === 5, held, silenced };
    const lengths = Array.from({ length: CAPSULES }, () => between(0, 1));
    yield { votes, lengths, iterations: 1 + (image % 7), surgery };
  }
}

/** Large tensors come in half precision, the others as they are. */
const large = (shape, values) => ({
  shape,
  data: Float32Array.from(values.flat(9), roundToFloat16),
});

/** The scene of every iteration and class, with what was computed for it. */
export function* runs() {
  for (const { votes, lengths, iterations, surgery } of images()) {
    const steps = route(votes, iterations, surgery);
    const grid = [TYPES, ROWS, COLUMNS];
    const over = (name) =>
      large(
        [iterations, ...grid, CLASSES],
        steps.map((at) => at[name]),
      );
    const tensors = {
      couplings: over("couplings"),
      agreement: over("agreement"),
      logits: over("logits"),
      capsules: {
        shape: [iterations, CLASSES, DIM],
        data: Float32Array.from(steps.map((at) => at.capsules).flat(9)),
      },
      lengths: large(grid, lengths),
    };
    const pins = [...surgery.held].map(([capsule, pin]) => ({ capsule, ...pin }));
    const routing = surgery.uniform ? "uniform" : "agreement";
    const ran = { silenced: surgery.silenced, routing, pins };
    const more = Object.fromEntries(
      NAMES.map((_, n) => [
        `votes.${n}`,
        large(
          [...grid, DIM],
          votes.map((row) => row[n]),
        ),
      ]),
    );
    const figures = figuresOf({ tensors, ran });
    for (let step = 0; step < iterations; step++) {
      for (let classIndex = 0; classIndex < CLASSES; classIndex++) {
        const name = NAMES[classIndex];
        const [types, rows, columns] = grid;
        const scene = {
          figures,
          tensors,
          more,
          ran,
          step,
          classIndex,
          name,
          iterations,
          surgery: ran,
          grid: { types, rows, columns, group: "type" },
          ends: NAMES,
          nouns: { singular: "class", plural: "classes" },
          model: MODEL,
        };
        yield { scene, steps };
      }
    }
  }
}

/** The layer, as far as panels ask it: places see 3×3 pixels. */
const LAYER = {
  tensors: { votes: "votes" },
  words: { voter: "capsule" },
  below: "capsules",
  network: [],
  reach: () => ({ size: 3, step: 1 }),
  field: (_model, row, column) => ({ row, column, size: 3 }),
};

/** With another capsule chosen, or another class. */
export const changed = (scene, { capsule = scene.capsule, ...change }) => {
  const [row, column] = [Math.floor((capsule % 4) / COLUMNS), capsule % COLUMNS];
  const position = { type: Math.floor(capsule / 4), row, column };
  return { ...scene, ...change, capsule, position };
};

/** Scenes of a network that names two classes, as its panels get them. */
export function* scenes() {
  let i = 0;
  for (const { scene } of runs()) {
    const extras = {
      layer: LAYER,
      pixels: PIXELS,
      model: { ...MODEL, present: { at_most: 2, threshold: 0.5 } },
    };
    yield changed({ ...scene, ...extras, capsule: ++i % CAPSULES }, {});
  }
}

/** What every capsule gives to a class, exactly: c (û·v) / ‖v‖. */
export function givenBy({ couplings, agreement, capsules }, classIndex) {
  const length = norm(capsules[classIndex]);
  return couplings.map((row, i) =>
    length > 0 ? (row[classIndex] * agreement[i][classIndex]) / length : 0,
  );
}
