/** What the views of a dense layer share. */
import type { LayerState } from "../types.js";

/** How the units are looked at. */
export interface UnitsLook {
  /** "given": what each adds to the logit of the class in focus. */
  mode: "after" | "before" | "given";
  order: "number" | "given";
}

export interface DenseOwn {
  /** Null follows the one that adds most to the class in focus. */
  unit: number | null;
  look: UnitsLook;
}

export type DenseState = LayerState<
  DenseOwn,
  "below" | "values",
  "kernels" | "bias" | "output" | "outputBias"
>;
