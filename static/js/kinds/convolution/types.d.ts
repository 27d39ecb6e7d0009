/** What the pictures of a convolution share. */
import type { Field, Pixels, Tensor } from "../../types.js";
import type { LayerState, Reach } from "../types.js";

export type { Field, Reach, Tensor };

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
  /** (maps, rows, columns), before ReLU */
  pre: Tensor;
  /** Same shape, after ReLU. */
  relu: Tensor;
  /** Null where ReLU comes last. */
  norm: Norm | null;
  /** What a pixel of its maps sees of the input. */
  reach: Reach;
  /** Share of its maps that respond to a test image, as the card says it. */
  responding: number | undefined;
}

/** What one kernel made of what it read. */
export interface Reading {
  kernelName: string;
  mapName: string;
  below: Maps;
  reachBelow: Reach;
  window: Reach;
  pixels: Pixels;
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
  /** Pixels in a row of the map. */
  across: number;
  reach: Reach;
}

/** How a layer is looked at. */
export interface LayerLook {
  mode: "kernels" | "colours" | "pre" | "relu";
  order: "number" | "energy";
  scale: "layer" | "tile";
}

/** What is chosen in the layer. */
export interface Chosen {
  map: number;
  /** Of a map, row * across + column. */
  pixel: number;
  look: LayerLook;
  /** Of a layer that reads the image: its channel in focus. */
  channel: number;
}

export type ConvolutionState = Omit<
  LayerState<Chosen, "pre" | "below", "kernels" | "bias">,
  "weights"
> & { weights: Kernels & Partial<Norm> };

/** What the reader points at: a pixel of the map, and, until there is another, a cell of the kernel. */
export interface Pointing {
  pixel: Place | null;
  cell: Place | null;
}

/** What all pictures of the layer are drawn from. */
export type Scene = ReturnType<ReturnType<typeof import("./view.js").sceneFrom>>;
