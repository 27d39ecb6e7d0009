/** What the views of classes read of a model and of the state. */
import type { Model } from "../../types.js";
import type { LayerState } from "../types.js";

export interface ClassesModel extends Model {
  card: Model["card"] & {
    /** The margins of training's loss, where scores are lengths. */
    loss?: { present_margin: number; absent_margin: number };
  };
}

/** What the views share with the layers below: where these have no such thing, it is absent. */
export interface ClassesFields {
  /** Which of a pose matrix's numbers, row by row. */
  entry: number;
  /** Which iteration of routing is shown, 1 first. */
  step: number;
  /** A unit of the layer below; null follows the one that adds most to the class in focus. */
  unit: number | null;
}

export type ClassesState = Omit<
  LayerState<
    ClassesFields,
    "scores" | "poses" | "history" | "means" | "logits" | "below",
    "weights" | "bias"
  >,
  "model"
> & { model: ClassesModel };
export type ClassesTrace = ClassesState["trace"];
