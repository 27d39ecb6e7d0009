/** A toy to test with. */
import { FIRST } from "../../../static/js/toys/scene.js";

/** Cars, with ranges of their own for each number that they are made of. */
export const CATEGORIES = [
  {
    name: "car",
    parameters: [
      { name: "length", title: "length", low: 1.1, high: 1.5 },
      { name: "width", title: "width", low: 0.5, high: 0.66 },
      { name: "body_height", title: "height of the body", low: 0.2, high: 0.32 },
      { name: "cabin_height", title: "height of the cabin", low: 0.16, high: 0.34 },
      { name: "boot", title: "boot, as a share of the length", low: 0.02, high: 0.24 },
      { name: "hood", title: "hood, as a share of the length", low: 0.16, high: 0.36 },
      { name: "slant", title: "slant of the windscreen", low: 0.2, high: 1.1 },
      { name: "wheel_radius", title: "radius of the wheels", low: 0.1, high: 0.16 },
      { name: "paint", title: "whiteness of the paint", low: 0.3, high: 0.6 },
    ],
  },
];

/** What a network that was made for toys reads, and names. */
export const READS_TOYS = {
  input_shape: [1, 32, 32],
  class_names: ["animal", "human", "plane", "truck", "car"],
};

/** The same of a network of photographs. */
export const READS_PHOTOGRAPHS = {
  input_shape: [3, 32, 32],
  class_names: [
    ...["airplane", "automobile", "bird", "cat", "deer"],
    ...["dog", "frog", "horse", "ship", "truck"],
  ],
};

/** A scene as it begins. */
export const SCENE = { ...FIRST, category: "car" };
