/** What is particular to networks of matrix capsules. */
import type { Kernels, LayerLook, OwnKernel } from "../../convolution/types.js";
import type { Actions as SharedActions } from "../../core/state.js";
import type { Model, NetworkState, Tensor } from "../../types.js";
import type { createActions } from "./state.js";

/** The sizes that a weight file's card records; see `model/matrix/config.py`. */
export interface MatrixSizes {
  image_size: number;
  kernel_size: number;
  conv1_kernels: number;
  primary_types: number;
  caps1_types: number;
  caps2_types: number;
  capsule_kernel: number;
  classes: number;
  routing_iterations: number;
  variance_floor: number;
}

/** Its entry of `GET /api/models`. */
export interface MatrixModel extends Model {
  routing_iterations: number;
  max_routing_iterations: number;
  card: Model["card"] & {
    config: MatrixSizes;
    /** Test error with each number of iterations, by that number. */
    errors_by_iterations?: Record<string, number>;
  };
}

/** A layer whose capsules stand on a grid. */
export type LayerName = "primary" | "caps1" | "caps2";

/** A layer that routing makes. */
export type Above = "caps1" | "caps2" | "classes";

/** Types of capsules, and rows and columns of their grid. */
export interface Grid {
  types: number;
  side: number;
}

/** Where a capsule stands. */
export interface Place {
  type: number;
  row: number;
  column: number;
}

/** What a layer that routes has learned. */
export interface Learned {
  /** W (types below, window rows, window columns, types above, 4, 4) */
  transforms: Tensor;
  /** β_u (types above) */
  betaU: Float32Array;
  /** β_a (types above) */
  betaA: Float32Array;
  /** λ of the last iteration that training ran. */
  lambda: number;
}

/** Its slice of the state. */
export interface MatrixSlice {
  /** Conv1's; null until they have come. */
  kernels: Kernels | null;
  /** What makes each layer; null until it has been needed. */
  caps1Learned: Learned | null;
  caps2Learned: Learned | null;
  classesLearned: Learned | null;

  /** How many routing iterations run, 1..max_routing_iterations. */
  iterations: number;
  /** Which of them is shown, 1 first. */
  step: number;
  /** The Conv1 map in focus, and a pixel of it. */
  map: number;
  pixel: number;
  conv1: LayerLook;
  kernel: OwnKernel;
  /** The input pixel under the middle of one's own kernel. */
  centre: number;
  /** The chosen capsule of each layer, (type * side + row) * side + column. */
  primary: number;
  caps1: number;
  caps2: number;
  /** Which of a pose's 16 numbers, row by row. */
  entry: number;
}

/** What its views can do. */
export type Actions = SharedActions & ReturnType<typeof createActions>;

export interface Matrix {
  model: MatrixModel;
  slice: MatrixSlice;
  actions: ReturnType<typeof createActions>;
}

export type MatrixState = NetworkState<Matrix>;
