/** What is particular to convolutional networks with max-pooling. */
import type {
  BeneathLook,
  DeepKernels,
  Kernels,
  LayerLook,
  OwnKernel,
} from "../../convolution/types.js";
import type { Actions as SharedActions } from "../../core/state.js";
import type { Model, NetworkState, Tensor } from "../../types.js";
import type { Moved } from "./pool/moved/keep.js";
import type { Shift } from "./pool/moved/shift.js";
import type { createActions } from "./state.js";

/** The sizes that a weight file's card records; see `model/cnn/config.py`. */
export interface CnnSizes {
  image_size: number;
  kernel_size: number;
  conv1_kernels: number;
  conv2_kernels: number;
  hidden_units: number;
  classes: number;
}

/** Its entry of `GET /api/models`. */
export interface CnnModel extends Model {
  card: Model["card"] & { config: CnnSizes };
}

/** How the hidden units are looked at. */
export interface UnitsLook {
  /** "given": what each adds to the logit of the class in focus. */
  shown: "after" | "before" | "given";
  order: "number" | "given";
}

/** What reads the hidden units into the logits. */
export interface Output {
  /** (classes, units) */
  weights: Tensor;
  /** (classes) */
  bias: Tensor;
}

/** How all maps of a pooling layer are looked at. */
export interface PoolingLook {
  shown: "pooled" | "lost";
  order: "number" | "lost";
}

/** Its slice of the state. */
export interface CnnSlice {
  /** Conv1's; null until they have come. */
  kernels: Kernels | null;
  /** Conv2's; null until they have been needed. */
  kernels2: DeepKernels | null;

  /** The map in focus of Conv1, and so of Pool1. */
  map: number;
  /**
   * A pixel of a Conv1 map, row * 24 + column. Pool1's window in focus is the one that
   * holds it.
   */
  pixel: number;
  /** The map in focus of Conv2, and so of Pool2. */
  map2: number;
  /** A pixel of a Conv2 map, row * 8 + column; and Pool2's window. */
  pixel2: number;
  /** A unit of the hidden layer; null follows the one that adds most to the class in focus. */
  unit: number | null;

  /** The hidden layer's, by the map of Pool2 that they read; null until needed. */
  dense: DeepKernels | null;
  /** The output layer's; null until needed. */
  output: Output | null;
  units: UnitsLook;
  /** How what lies beneath a hidden unit is looked at. */
  inputs: BeneathLook;

  pooling: PoolingLook;
  /** How far the image is moved where pooling is compared. */
  shift: Shift;
  /** The pass over the moved image, once it has been needed. */
  moved: Moved | null;

  conv1: LayerLook;
  conv2: LayerLook;
  /** How what lies beneath a Conv2 pixel is looked at. */
  beneath: BeneathLook;
  kernel: OwnKernel;
  /** The input pixel under the middle of one's own kernel, row * 28 + column. */
  centre: number;
}

/** What its views can do: all that views can, and with its slice. */
export type Actions = SharedActions & ReturnType<typeof createActions>;

export interface Cnn {
  model: CnnModel;
  slice: CnnSlice;
  actions: ReturnType<typeof createActions>;
}

export type CnnState = NetworkState<Cnn>;
