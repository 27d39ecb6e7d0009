/** What the views of a decoder read of a model and of the state. */
import type { Edits } from "../../lib/edits.js";
import type { Decoded, Model } from "../../types.js";
import type { LayerState, LayerStore } from "../types.js";

/** What moving one number of a capsule from end to end does; see `model/measuring`. */
export interface Meaning {
  strongest: string;
  correlation: number;
  /** Of that property, in px, px² or degrees. */
  change: number;
  next: string | null;
  is_single: boolean;
  /** Share of the picture's change, in 0..1. */
  unexplained: number;
}

/** A card's entry on them. */
export interface Meanings {
  /** Test images of a class, at most. */
  images: number;
  classes: ({ numbers: Meaning[] } | null)[];
}

/** What a move is: pixels to the right, pixels down, degrees clockwise. */
export type Move = "x" | "y" | "turn";

/** How the numbers of a pose follow one kind of move; medians over images. */
export interface FollowedMove {
  /** Of each number and how far the image was moved, in -1..1. */
  correlation: number[];
  /** Change of each number for each pixel, or degree. */
  slope: number[];
}

/** Which numbers follow shifts and turns, as cards have it (docs/measuring.md). */
export interface Following {
  /** How far images were moved. */
  amounts: Record<Move, number[]>;
  /** Of each class; null where too few images were read right. */
  classes: (({ images: number } & Record<Move, FollowedMove>) | null)[];
}

export interface DecoderModel extends Model {
  card: Model["card"] & {
    /** [class][number] -> [low, high] on test images. */
    pose_ranges?: [number, number][][];
    /** What moving the numbers of a pose does. */
    meanings?: Meanings;
    /** What poses do when the image is moved. */
    following?: Following;
    /** Of networks that name two: what was measured on pairs of digits. */
    overlaps?: { ink_given_right?: number | null };
  };
}

export interface DecoderFields {
  /** Changes to poses: class -> differences from the network's own numbers. */
  edits: Edits;
  /** What the decoder drew last of the pose in focus. */
  decoded: Decoded | null;
  /** Of networks that name two classes: what both draw, and a third one. */
  owned: readonly Decoded[];
}

export type DecoderState = Omit<
  LayerState<DecoderFields, "poses" | "scores" | "image">,
  "model"
> & { model: DecoderModel };
export type DecoderStore = LayerStore<DecoderState>;
