/** What the views of a pooling layer share. */
import type { Shift } from "../../lib/shift.js";
import type { Pixels, Trace } from "../../types.js";
import type { LayerState, LayerStore } from "../types.js";

/** How all maps of a pooling layer are looked at. */
export interface PoolingLook {
  shown: "pooled" | "lost";
  order: "number" | "lost";
}

/** A pass over the moved image. */
export interface Moved {
  /** The image before it was moved. */
  from: Pixels;
  shift: Shift;
  /** Of the moved image. */
  trace: Trace;
}

export interface PoolingOwn {
  map: number;
  /** Of the map below, row by row; the window in focus is the one that holds it. */
  pixel: number;
  look: PoolingLook;
  /** How far the image is moved to compare pooling before and after. */
  shift: Shift;
  /** Null until it has been needed. */
  moved: Moved | null;
}

export type PoolingState = LayerState<
  PoolingOwn,
  "below" | "values" | "winners" | "scores"
>;

export type PoolingStore = LayerStore<PoolingState>;
