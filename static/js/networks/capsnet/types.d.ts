/** What is particular to capsule networks with routing by agreement. */
import type {
  BeneathLook,
  DeepKernels,
  Kernels,
  LayerLook,
  OwnKernel,
} from "../../convolution/types.js";
import type { Actions as SharedActions } from "../../core/state.js";
import type { Model, NetworkState, Tensor, TraceOf, ViewStore } from "../../types.js";
import type { createActions } from "./state.js";

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

/** Its entry of `GET /api/models`. */
export interface CapsModel extends Model {
  pose_dim: number;
  routing_iterations: number;
  max_routing_iterations: number;
  card: Model["card"] & {
    config: CapsNetSizes;
    /** How legible it is, on the images it was measured on; `model/capsnet/legibility.py`. */
    legibility?: Legibility;
  };
}

/** Medians over the images, means below the empty image's; see `model/capsnet/legibility.py`. */
export interface Legibility {
  voters: number;
  types: number;
  largest_share: number;
  heard_coupling: number;
  blank_share: number;
  empty_length: number;
  saturated: number;
  conv1_alive: number;
  conv1_bright: number;
}

/** What each type of primary capsules looks for; (types, …). */
export interface Portraits {
  mean: Tensor;
  ends: Tensor;
  lengths: Tensor;
  best: Tensor;
  decoded: Tensor;
  support: Tensor;
}

/** What reads Conv1's maps into the primary capsules of one type: a kernel a number. */
export interface PrimaryKernels extends DeepKernels {
  type: number;
}

/** Its slice of the state. */
export interface CapsSlice {
  /** Conv1's; null until they have come. */
  kernels: Kernels | null;
  /** Those of the type of `capsule`, once they have been needed. */
  primaryKernels: PrimaryKernels | null;
  /** Null until they have come, and where they were not measured. */
  portraits: Portraits | null;

  /** The Conv1 map in focus, 0..255. */
  map: number;
  /** A pixel of a Conv1 map, row * 20 + column. */
  pixel: number;
  /** A primary capsule, (type * 6 + row) * 6 + column. */
  capsule: number;
  /** Nobody has chosen `capsule`: it is the one that gives the most to the digit in focus. */
  followsStrongest: boolean;
  /** Which of that capsule's numbers, 0..7. */
  dimension: number;
  conv1: LayerLook;
  beneath: BeneathLook;
  kernel: OwnKernel;
  /** The input pixel under the middle of one's own kernel, row * 28 + column. */
  centre: number;
  /** Whether the parse trees are on the screen: what feeds a capsule is fetched while they are. */
  seesTree: boolean;
}

/** What its views can do: all that views can, and with its slice. */
export type Actions = SharedActions & ReturnType<typeof createActions>;

export interface CapsNet {
  model: CapsModel;
  slice: CapsSlice;
  actions: ReturnType<typeof createActions>;
}

export type CapsState = NetworkState<CapsNet>;

type PrimaryNeed =
  | "conv1.relu"
  | "primary.pre"
  | "primary.capsules"
  | "primary.lengths";
export type PrimaryStore = ViewStore<CapsNet, PrimaryNeed>;
export type PrimaryTrace = TraceOf<PrimaryNeed>;
