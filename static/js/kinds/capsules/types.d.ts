/** What the views of capsules read of a model and of the state. */

import type { Tensor } from "../../types.js";
import type { LayerState, LayerStore } from "../types.js";

/** Where a capsule stands. */
export interface Place {
  type: number;
  row: number;
  column: number;
}

/** What each type looks for; (types, …). */
export interface Portraits {
  mean: Tensor;
  ends: Tensor;
  lengths: Tensor;
  decoded: Tensor;
  support: Tensor;
}

export interface CapsulesFields {
  /** The chosen one, (type * rows + row) * columns + column. */
  capsule: number;
  /** The chosen one of the layer above, where that has a grid. */
  above: number;
  /** Which of a pose matrix's numbers, row by row. */
  entry: number;
  /** Which of a vector's numbers. */
  dimension: number;
  /** Nobody has chosen `capsule`: it is the one that gives the most to the class in focus. */
  followsStrongest: boolean;
  /** Null until they have come, and where nothing was measured. */
  measured: Portraits | null;
}

export type CapsulesState = LayerState<
  CapsulesFields,
  "poses" | "activation" | "before" | "below",
  "transforms" | "kernels"
>;
export type CapsulesStore = LayerStore<CapsulesState>;
