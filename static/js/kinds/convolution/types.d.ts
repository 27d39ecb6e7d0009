/** What the pictures of a convolution share. */
import type { Field, Pixels, Tensor } from "../../types.js";
import type { LayerState, LayerStore, Reach } from "../types.js";

export type { Field, Reach };

/** A cell of a map or of a kernel. */
export interface Place {
  row: number;
  column: number;
}

/** Maps of a layer, or the channels of an image: (maps, rows, columns). */
export interface Maps {
  shape: readonly number[];
  data: Float32Array | Float64Array;
}

/** A layer's trained parameters. */
export interface Kernels {
  /** (kernels, maps below, rows, columns) */
  kernels: Tensor;
  /** (kernels) */
  bias: Tensor;
}

/** Batch norm after ReLU; a number for each map. */
export interface Norm {
  /** γ */
  gain: Tensor;
  /** β */
  shift: Tensor;
  /** μ */
  mean: Tensor;
  /** σ */
  deviation: Tensor;
}

/** The same of one map. */
export type MapNorm = { [part in keyof Norm]: number };

/** A layer as it read one image. */
export interface ReadLayer extends Kernels {
  /** What its kernels read: the image's channels, or the maps below. */
  below: Maps;
  /** What a pixel of that sees of the input. */
  reachBelow: Reach;
  /** Where its kernels lie, in pixels of what they read. */
  window: Reach;
  /** The image that the maps are of. */
  pixels: Pixels;
  /** Its ink, the mean of all channels, row by row. */
  ink: Float32Array | Float64Array;
  /** (maps, rows, columns), before ReLU */
  pre: Tensor;
  /** Same shape, after ReLU. */
  relu: Tensor;
  /** Null where ReLU comes last. */
  norm: Norm | null;
  /** Same shape, after batch norm; after ReLU where there is none. */
  out: Tensor;
  /** What a pixel of its maps sees of the input. */
  reach: Reach;
  /** Share of its maps that respond to a test image, as the card says it. */
  responding: number | undefined;
}

/** What one kernel made of what it read, be it trained or one's own. */
export interface Reading {
  kernelName: string;
  mapName: string;
  below: Maps;
  reachBelow: Reach;
  window: Reach;
  pixels: Pixels;
  ink: Float32Array | Float64Array;
  /** (maps below, rows, columns) */
  weights: Float32Array;
  bias: number;
  /** Of the kernel. */
  kernel: { rows: number; columns: number };
  /** Of its map, row by row, before ReLU. */
  before: Float32Array;
  /** After ReLU. */
  after: Float32Array;
  /** Null where ReLU comes last. */
  norm: MapNorm | null;
  /** After batch norm; after ReLU where there is none. */
  out: Float32Array;
  /** Pixels in a row of the map. */
  across: number;
  reach: Reach;
  /** Whether the network computed the map, not this page. */
  isTraced: boolean;
}

/** A kernel that somebody made: a square of weights, row by row. */
export interface OwnKernel {
  size: number;
  weights: readonly number[];
  bias: number;
}

/** How a layer is looked at. */
export interface LayerLook {
  shown: "kernels" | "colours" | "pre" | "relu" | "out" | "own";
  order: "number" | "energy";
  scale: "layer" | "tile";
}

/** How the sum over the maps below a unit is looked at. */
export interface BeneathLook {
  shown: "window" | "weights" | "products";
  order: "number" | "share";
}

/** What is chosen in the layer. */
export interface Chosen {
  map: number;
  /** Of a map, row * across + column. */
  pixel: number;
  look: LayerLook;
  /** Of a layer that reads the image: a kernel of one's own. */
  kernel: OwnKernel;
  /** The input pixel under the middle of that kernel. */
  centre: number;
  /** Of a layer that reads the image: its channel in focus. */
  channel: number;
  /** Of a layer that reads maps: the one in focus of those below. */
  mapBelow: number;
  beneath: BeneathLook;
}

export type ConvolutionState = Omit<
  LayerState<Chosen, "pre" | "below", "kernels" | "bias">,
  "weights"
> & { weights: Kernels & Partial<Norm> };

export type ConvolutionStore = LayerStore<ConvolutionState>;

/** What the reader points at: a pixel of the map, and, until there is another, a cell of the kernel. */
export interface Pointing {
  pixel: Place | null;
  cell: Place | null;
}

/** What all pictures of the layer are drawn from. */
export type Scene = ReturnType<ReturnType<typeof import("./view.js").sceneFrom>>;
