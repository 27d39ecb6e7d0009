/** What is particular to capsule networks with routing by agreement. */
import type {
  BeneathLook,
  DeepKernels,
  Kernels,
  LayerLook,
  OwnKernel,
} from "../../convolution/types.js";
import type { Actions as SharedActions } from "../../core/state.js";
import type {
  Model,
  NetworkState,
  Tensor,
  Trace,
  TraceOf,
  ViewState,
  ViewStore,
} from "../../types.js";
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

/** How routing's pictures are looked at. */
export interface RoutedLook {
  flow: "moved" | "all";
  where: "for" | "rather";
  scale: "all" | "own";
  /** How fast iterations are played. */
  pace: "usual" | "slow";
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

/** A pass with something changed in routing. */
export type OperatedTrace = Trace & { surgery: Surgery };

/** Its slice of the state. */
export interface CapsSlice {
  /** Conv1's; null until they have come. */
  kernels: Kernels | null;
  /** Those of the type of `capsule`, once they have been needed. */
  primaryKernels: PrimaryKernels | null;
  /** The same image read under `surgery`; null when nothing is changed. */
  operated: OperatedTrace | null;
  /** Null until they have come, and where they were not measured. */
  portraits: Portraits | null;

  /** How many routing iterations run, 1..max_routing_iterations. */
  iterations: number;
  /** Which of them is shown, 1 first. */
  step: number;
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
  routed: RoutedLook;
  kernel: OwnKernel;
  /** The input pixel under the middle of one's own kernel, row * 28 + column. */
  centre: number;
  /** What is changed in routing for `operated`. `trace` is always intact. */
  surgery: Surgery;
  /** Whether the pictures of routing show `operated` in place of `trace`. */
  showsOperated: boolean;
  /** Whether the picture of the votes is on the screen: they are fetched while it is. */
  seesVotes: boolean;
  /** Whether the parse trees are on the screen: what feeds a capsule is fetched while they are. */
  seesTree: boolean;
  /** The digits whose votes are compared: at rest, those come too. */
  compares: readonly number[];
  /** Tensors that an open panel of Routing needs on top of what that view needs. */
  asked: readonly string[];
}

/** What its views can do: all that views can, and with its slice. */
export type Actions = SharedActions & ReturnType<typeof createActions>;

export interface CapsNet {
  model: CapsModel;
  slice: CapsSlice;
  actions: ReturnType<typeof createActions>;
}

export type CapsState = NetworkState<CapsNet>;

/** What the pictures of routing are drawn from, be the run intact or under surgery. */
export type RoutedTrace = TraceOf<
  | "primary.lengths"
  | "routing.logits"
  | "routing.couplings"
  | "routing.agreement"
  | "routing.capsules"
>;

type RoutingNeed =
  | keyof RoutedTrace["tensors"]
  | "digits.capsules"
  | "digits.lengths"
  | "reconstruction";
export type RoutingStore = ViewStore<CapsNet, RoutingNeed>;
export type RoutingState = ViewState<CapsNet, RoutingNeed>;

type PrimaryNeed =
  | "conv1.relu"
  | "primary.pre"
  | "primary.capsules"
  | "primary.lengths";
export type PrimaryStore = ViewStore<CapsNet, PrimaryNeed>;
export type PrimaryTrace = TraceOf<PrimaryNeed>;
