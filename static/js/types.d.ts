/** What the server sends and what the page holds. `app/` builds the first half. */

/** A tensor: values row-major, last axis fastest. */
export interface Tensor {
  shape: readonly number[];
  data: Float32Array;
}

export interface TensorInfo {
  name: string;
  shape: number[];
  title: string;
  precision: "f16" | "f32";
  on_request: boolean;
}

/** The sizes that a weight file's card records; see `model/config.py`. */
export interface CapsNetSizes {
  image_size: number;
  kernel_size: number;
  conv1_kernels: number;
  primary_types: number;
  primary_dim: number;
  primary_stride: number;
  classes: number;
  digit_dim: number;
  routing_iterations: number;
}

/** What the page reads of a card; it may hold more. */
export interface Card {
  title?: string;
  data?: string;
  test_error?: number;
  test_images?: number;
  reconstruction_mse?: number;
  epochs?: number;
  training_time_s?: number;
  training_images?: number;
  command?: string;
  date?: string;
  /** [class][dimension] -> [low, high] on test images. */
  pose_ranges?: [number, number][][];
  /** The margins of training's loss. */
  loss?: { present_margin: number; absent_margin: number };
  mistakes?: { index: number; label: number; prediction: number }[];
  config: CapsNetSizes;
}

/** One entry of `GET /api/models`. */
export interface Model {
  id: string;
  title: string;
  version: string;
  default: boolean;
  architecture: string;
  classes: number;
  class_names: string[];
  input_shape: [number, number];
  pose_dim: number;
  parameters: number;
  routing_iterations: number;
  max_routing_iterations: number;
  tensors: TensorInfo[];
  card: Card;
}

/** Conv1's trained parameters. */
export interface Kernels {
  model: string;
  /** (256, 9, 9) */
  kernels: Tensor;
  /** (256) */
  bias: Tensor;
}

/** A digit as the network sees it: 28 x 28 bytes, row by row, 255 is ink. */
export type Pixels = Uint8Array;

/** One of the digits that the project brings along. */
export interface Sample {
  id: string;
  label: number;
  title: string;
  source: string;
  pixels: Pixels;
}

/** A digit of a data set in the data folder. */
export interface DatasetDigit {
  index: number;
  label: number;
  prediction?: number;
  pixels: Pixels;
}

export interface Dataset {
  id: string;
  title: string;
  count: number;
  labels: number[];
}

/** One step of bringing a picture into the network's form. */
export interface IntakeStep {
  name: string;
  title: string;
  note: string;
  /** A data: URL of a PNG. */
  image: string;
}

export interface Intake {
  pixels: Pixels;
  steps: IntakeStep[];
  inverted: boolean;
}

/** One forward pass: every tensor that has been asked for so far. */
export interface Trace {
  model: string;
  pixels: Pixels;
  iterations: number;
  prediction: number;
  tensors: Readonly<Record<string, Tensor>>;
}

/** Where the image on show came from. */
export type Source =
  | { kind: "sample"; id: string; label: number; title: string }
  | { kind: "dataset"; id: string; index: number; label: number }
  | { kind: "drawing" }
  | { kind: "upload"; name: string }
  | { kind: "link" };

export type ViewName =
  | "input"
  | "conv1"
  | "primary"
  | "routing"
  | "digits"
  | "reconstruction";

/** A square on the input: what a unit looked at, in pixels of the 28 x 28. */
export interface Field {
  row: number;
  column: number;
  size: number;
}

/** An image decoded from a capsule, and which one that was. */
export interface Decoded {
  digit: number;
  pose: readonly number[];
  /** (28 x 28) values in 0..1 */
  data: Float32Array;
}

/** Everything the page shows. Views declare which of these they read. */
export interface AppState {
  models: Model[];
  model: Model | null;
  kernels: Kernels | null;
  samples: Sample[];

  pixels: Pixels | null;
  source: Source;
  intake: IntakeStep[];
  trace: Trace | null;
  /** What the decoder makes of the edited capsule of `digit`. */
  decoded: Decoded | null;

  view: ViewName;
  /** How many routing iterations run, 1..max_routing_iterations. */
  iterations: number;
  /** Which of them is shown, 1 first. */
  step: number;
  /** The digit in focus; null follows the prediction. */
  digit: number | null;
  /** The Conv1 map in focus, 0..255. */
  map: number;
  /** A pixel of a Conv1 map, row * 20 + column. */
  pixel: number;
  /** A primary capsule, (type * 6 + row) * 6 + column. */
  capsule: number;
  /** Changes to digit capsules: class -> 16 differences from the network's own. */
  edits: Readonly<Record<number, readonly number[]>>;
  /** Where on the input the unit under the pointer looked. */
  field: Field | null;

  /** How many answers are awaited. */
  waiting: number;
  /** What went wrong last, for people; null when all is well. */
  problem: string | null;
}
