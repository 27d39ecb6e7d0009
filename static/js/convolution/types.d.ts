/** What the pictures of a convolution share, in whatever network it stands. */
import type { Field, Tensor, TraceOf, Watch } from "../types.js";

export type { Field };

/** A cell of a map or of a kernel. */
export interface Place {
  row: number;
  column: number;
}

/** How much of the input a pixel of a map sees, and how far apart neighbours look. */
export interface Reach {
  /** Rows, and columns, of what it sees. */
  size: number;
  /** Pixels of the input from one pixel's field to the next. */
  step: number;
  /** The row, and column, of the input where the first pixel's field begins; 0 when absent. */
  first?: number;
}

/** A map, and the input that it was made from. */
export interface Seen {
  mapName: string;
  /** (side, side), the image that the map is of */
  ink: Float64Array;
  side: number;
  /** (across, across), before ReLU */
  before: Float32Array;
  /** After ReLU. */
  after: Float32Array;
  /** Rows, and columns, of the map. */
  across: number;
  reach: Reach;
}

/** A layer's trained parameters. */
export interface Kernels {
  /** (kernels, size, size) */
  kernels: Tensor;
  /** (kernels) */
  bias: Tensor;
}

/** A layer's trained parameters where its kernels read many maps. */
export interface DeepKernels {
  /** (kernels, maps below, size, size) */
  kernels: Tensor;
  /** (kernels) */
  bias: Tensor;
}

/** A kernel that somebody made: a square of weights, row by row. */
export interface OwnKernel {
  size: number;
  weights: readonly number[];
  bias: number;
}

/** How a layer is looked at. */
export interface LayerLook {
  shown: "kernels" | "pre" | "relu" | "own";
  order: "number" | "energy";
  scale: "layer" | "tile";
}

/** How the sum over the maps below a unit is looked at. */
export interface BeneathLook {
  shown: "window" | "weights" | "products";
  order: "number" | "share";
}

/** What a network lets readers do with a layer's maps. */
export interface MapsActions {
  lookAt: (field: Field | null) => void;
  chooseMap: (map: number) => void;
  lookAtLayer: (look: Partial<LayerLook>) => void;
}

/** What a network lets readers do with a layer that reads the image. */
export interface ImageLayerActions extends MapsActions {
  choosePixel: (pixel: number) => void;
  useKernel: (kernel: OwnKernel) => void;
  /** The input pixel under the middle of one's own kernel. */
  chooseCentre: (centre: number) => void;
}

/** What such a layer is drawn from, whatever the network. */
export interface ImageLayerState {
  trace: TraceOf<"conv1.pre">;
  kernels: Kernels;
  map: number;
  /** Of a map, row * across + column. */
  pixel: number;
  conv1: LayerLook;
  kernel: OwnKernel;
  centre: number;
  field: Field | null;
}

export interface ImageLayerStore {
  watch: Watch<ImageLayerState>;
  whenClosed: (job: () => void) => void;
}
