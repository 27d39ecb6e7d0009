/** What the views of a pooling layer share. */
import type { LayerState } from "../types.js";

/** How all maps of a pooling layer are looked at. */
export interface PoolingLook {
  mode: "pooled" | "lost";
  order: "number" | "lost";
}

export interface PoolingOwn {
  map: number;
  /** Of the map below, row by row; the window in focus is the one that holds it. */
  pixel: number;
  look: PoolingLook;
}

export type PoolingState = LayerState<PoolingOwn, "below" | "values" | "winners">;
