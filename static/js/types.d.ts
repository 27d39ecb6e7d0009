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
  /** The data set's name, as `Dataset.dataset` says it. */
  dataset?: string;
  data?: string;
  test_error?: number;
  test_images?: number;
  /** Where images were held out; then there is no test error. */
  validation_error?: number;
  validation_images?: number;
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

/** What reads Conv1's maps into the primary capsules of one type. */
export interface PrimaryKernels {
  model: string;
  type: number;
  /** (numbers in a capsule, maps, 9, 9) */
  kernels: Tensor;
  /** (numbers in a capsule) */
  bias: Tensor;
}

/** A kernel that somebody made: a square of weights, row by row. */
export interface OwnKernel {
  size: number;
  weights: readonly number[];
  bias: number;
}

/** How Conv1 is looked at. */
export interface Conv1Look {
  shown: "kernels" | "pre" | "relu" | "own";
  order: "number" | "energy";
  scale: "layer" | "tile";
}

/** How what lies beneath a primary capsule is looked at. */
export interface BeneathLook {
  shown: "window" | "weights" | "products";
  order: "number" | "share";
}

/** How routing's pictures are looked at. */
export interface RoutedLook {
  flow: "moved" | "all";
  where: "for" | "rather";
  scale: "all" | "own";
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
  /** Whose test set it is, as `Card.dataset` says it. */
  dataset: string;
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

/** Left, top, right and bottom, in parts of the upright picture. */
export type Box = readonly [left: number, top: number, right: number, bottom: number];

/** Something in a picture that looks like a digit. */
export interface Found {
  box: Box;
  /** Of the ink of all that was found, in 0..1. */
  share: number;
  /** Its ink: a data: URL of a PNG. */
  image: string;
}

/** How a picture was read. */
export interface Intake {
  steps: IntakeStep[];
  /** In reading order, at least one. */
  found: Found[];
  /** Which of them became the image. */
  chosen: number;
  /** The values that were used, told or found. */
  settings: {
    ink: "dark" | "light";
    /** Where strokes began, in parts of full ink's level. */
    threshold: number;
    crop: Box;
    /** Degrees clockwise. */
    rotate: number;
    /** Pixels of the 28 x 28; before: had they been left as they are. */
    thickness: number;
    thickness_before: number;
  };
  /** Why the image may not be what was meant. */
  warnings: { code: string; message: string }[];
}

/** What somebody decided about a picture; null: the intake does. */
export interface Overrides {
  /** Take the other kind of ink than was found. */
  invert: boolean;
  threshold: number | null;
  crop: Box | null;
  /** Degrees clockwise. */
  rotate: number;
  thickness: number | null;
  /** Which of the digits found. */
  part: number | null;
}

/** The coupling of one primary capsule to one digit, held at a value in 0..1. */
export interface Pin {
  capsule: number;
  digit: number;
  coupling: number;
}

/** What is changed in routing, to see what the network would say then. */
export interface Surgery {
  /** Primary capsules whose votes do not count; ascending, each once. */
  silenced: readonly number[];
  /** "uniform": every coupling stays even, whatever agrees. */
  routing: "agreement" | "uniform";
  /** At most one for each capsule. */
  pins: readonly Pin[];
}

/** One forward pass: every tensor that has been asked for so far. */
export interface Trace {
  model: string;
  pixels: Pixels;
  iterations: number;
  surgery: Surgery;
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
  primaryKernels: PrimaryKernels | null;
  samples: Sample[];

  pixels: Pixels | null;
  source: Source;
  /** How a picture or a drawing became the image; null where it came in that form. */
  intake: Intake | null;
  /** What was decided about that picture. */
  overrides: Overrides;
  trace: Trace | null;
  /** The same image read under `surgery`; null when nothing is changed. */
  operated: Trace | null;
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
  /** Which of that capsule's numbers, 0..7. */
  dimension: number;
  conv1: Conv1Look;
  beneath: BeneathLook;
  routed: RoutedLook;
  kernel: OwnKernel;
  /** The input pixel under the middle of one's own kernel, row * 28 + column. */
  centre: number;
  /** Changes to digit capsules: class -> 16 differences from the network's own. */
  edits: Readonly<Record<number, readonly number[]>>;
  /** What is changed in routing for `operated`. `trace` is always intact. */
  surgery: Surgery;
  /** Whether the pictures of routing show `operated` in place of `trace`. */
  showsOperated: boolean;
  /** Whether the picture of the votes is on the screen: they are fetched while it is. */
  seesVotes: boolean;
  /** Tensors that an open panel of Routing needs on top of what that view needs. */
  asked: readonly string[];
  /** Where on the input the unit under the pointer looked. */
  field: Field | null;

  /** How many answers are awaited. */
  waiting: number;
  /** Whether a busy server has asked to come back, and will be asked again. */
  isHeld: boolean;
  /** What went wrong last, for people; null when all is well. */
  problem: string | null;
}
