/** Scenes whose numbers can be worked out by hand. */

/** Two types of two places each give to three classes, in two iterations. */
const FIRST = [
  // type 0: place 0, place 1; type 1: place 0, place 1; each to three classes
  [0.2, 0.1, 0.1],
  [0.1, 0.1, 0.2],
  [0.1, -0.2, 0.1],
  [0.2, 0.1, 0.1],
];
const LAST = [
  [2, 0, 0.1],
  [1, -0.5, 0],
  [0.5, 0.2, 0],
  [0, 0.1, 0.1],
];

export const COLUMN = {
  id: "caps",
  title: "Caps",
  size: "2×1×2×8",
  count: 2,
  numbers: [0, 1],
  rows: 1,
  columns: 2,
  values: Float32Array.of(0.9, 0.1, 0.2, 0.6),
  most: 1,
  strength: [1, 1],
  one: "type",
  many: "capsule types",
  cell: "capsule",
  value: "length",
  window: { size: 4, step: 2 },
};

export const RIVER = {
  title: "Routing",
  size: "4→3",
  below: "caps",
  above: null,
  steps: 2,
  parts: 2,
  places: 2,
  isSigned: true,
  unit: 1,
  amounts: Float32Array.from([FIRST, LAST].flat(2)),
  adds: (amount) => `adds ${amount} to a class’s sum`,
  than: "",
};

export const SCENE = {
  pixels: { channels: 1, rows: 8, columns: 8, bytes: new Uint8Array(64) },
  columns: [COLUMN],
  rivers: [RIVER],
  classes: {
    title: "Digits",
    size: "3×16",
    scores: Float32Array.of(0.5, 0.2, 0.3, 0.9, 0.1, 0.2),
  },
  drawn: null,
  names: ["a", "b", "c"],
  measure: "length",
  prediction: 0,
  present: [0],
  sought: {},
  saying: { scores: "length", present: { at_most: 1, threshold: null } },
  steps: 2,
  step: 1,
  stage: null,
  before: null,
  isEmpty: false,
};

/**
 * Three capsules of a lower layer route to two in the middle, which the types above are:
 * `mid` has two capsules that stand alone.
 */
export const DEEP = {
  ...SCENE,
  columns: [
    { ...COLUMN, id: "low", title: "Low", count: 3, numbers: [0, 1, 2], columns: 1 },
    { ...COLUMN, id: "mid", title: "Mid", columns: 1, below: "low" },
  ],
  rivers: [
    {
      ...RIVER,
      below: "low",
      above: "mid",
      steps: 1,
      parts: 3,
      places: 1,
      amounts: Float32Array.of(3, 0.5, 1, 1, 0, 0.5), // to mid: sums 4 and 2
    },
    {
      ...RIVER,
      below: "mid",
      above: null,
      steps: 1,
      parts: 2,
      places: 1,
      amounts: Float32Array.of(1, 0.4, 0, 0.5, 0, 0.2),
    },
  ],
  classes: { ...SCENE.classes, scores: Float32Array.of(0.9, 0.3, 0.1) },
  steps: 1,
  step: 0,
};
