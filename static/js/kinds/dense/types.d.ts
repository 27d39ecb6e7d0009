/** What the views of a dense layer share. */
import type { BeneathLook } from "../convolution/types.js";
import type { LayerState } from "../types.js";

/** How the units are looked at. */
export interface UnitsLook {
  /** "given": what each adds to the logit of the class in focus. */
  shown: "after" | "before" | "given";
  order: "number" | "given";
}

export interface DenseOwn {
  /** Null follows the one that adds most to the class in focus. */
  unit: number | null;
  look: UnitsLook;
  /** How what lies beneath a unit is looked at. */
  beneath: BeneathLook;
  /** The one in focus of the maps below. */
  mapBelow: number;
}

export type DenseState = LayerState<
  DenseOwn,
  "below" | "values",
  "kernels" | "bias" | "output" | "outputBias"
>;
