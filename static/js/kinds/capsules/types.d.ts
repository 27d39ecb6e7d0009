/** What the views of capsules read of a model and of the state. */

import type { Tensor } from "../../types.js";
import type { BeneathLook } from "../convolution/types.js";
import type { LayerState, LayerStore } from "../types.js";

/** Where a capsule stands. */
export interface Place {
  type: number;
  row: number;
  column: number;
}

/** What reads the maps below into the capsules of one type: a kernel a number. */
export interface TypeKernels {
  /** Null: those of all types, a kernel for each of the maps that are cut. */
  type: number | null;
  /** (numbers, maps, rows, columns) */
  kernels: Tensor;
  /** (numbers) */
  bias: Tensor;
}

/** What each type looks for; (types, …). */
export interface Portraits {
  mean: Tensor;
  ends: Tensor;
  lengths: Tensor;
  best: Tensor;
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
  /** How what lies beneath that number is looked at. */
  beneath: BeneathLook;
  /** The map in focus of those below. */
  mapBelow: number;
  /** Nobody has chosen `capsule`: it is the one that gives the most to the class in focus. */
  followsStrongest: boolean;
  /** Those of the type of `capsule`, once they have been needed. */
  kernels: TypeKernels | null;
  /** Null until they have come, and where nothing was measured. */
  measured: Portraits | null;
}

export type CapsulesState = LayerState<
  CapsulesFields,
  "poses" | "activation" | "before" | "below" | "compared",
  "transforms" | "kernels" | "bias"
>;
export type CapsulesStore = LayerStore<CapsulesState>;
