/** What kinds of layers bring to the picture of the whole network, and what is made of it. */

import type { Saying, ScoreKind } from "../core/scores.js";
import type { Reach } from "../geometry/windows.js";
import type { ImageShape, NetworkState, Pixels } from "../types.js";

/** Tiles of a layer: its maps, or its capsules by type. */
export interface TilesGlance {
  form: "tiles";
  /** Of all, however many have come. */
  count: number;
  /** Which of them have come, ascending. */
  numbers: readonly number[];
  rows: number;
  columns: number;
  /** (those that have come, rows, columns). */
  values: Float32Array;
  /** The value that takes the scale's last colour. */
  most: number;
  /** Values can be below zero: the scale is one around it. */
  isSigned?: boolean;
  /** How strong each of all is; 0 or more. */
  strength: ArrayLike<number>;
  /** What a tile is called, and what several are. */
  one: string;
  many: string;
  /** What is inside a cell, such as "capsule". */
  cell: string;
  /** What a value is, such as "length". */
  value: string;
}

/** What flows from the parts of a layer to those above, capsule by capsule or by type. */
export interface River {
  /** Ids of the layers that give and get; above null: the classes. */
  below: string;
  above: string | null;
  steps: number;
  /** Of the layer below: tiles, and cells of each. */
  parts: number;
  places: number;
  /**
   * "capsules": (steps, parts, places, targets), what each capsule adds to each capsule
   * above. "types": (steps, parts, parts above, classes), what types give to types of what
   * these pass on to each class; to the classes themselves (steps, parts, classes).
   */
  by: "capsules" | "types";
  amounts: Float32Array;
  /** (steps, parts, classes, numbers), what each part adds to the sum of each class; null where that is not known. */
  given?: Float32Array | null;
  /** It is the mean of a part's votes. */
  isOfMeans?: boolean;
  /** Of "types", in the lowest layer: (steps, parts, places, classes). */
  spoken?: Float32Array;
  /** Amounts can be below zero. */
  isSigned: boolean;
  /** Colours are full where routing has moved so much; the legend shows this width. */
  unit: number;
  /** What an amount is, such as "adds 0.8 to a class's sum". */
  adds: (amount: number) => string;
  /** What they add up to, such as "its sum"; empty: it is not told. */
  total: string;
  /** Of what amounts are the excess, such as "than on average"; empty: of nothing. */
  than: string;
  /** What holds in the first of several iterations. */
  even: string;
}

export interface RiversGlance {
  form: "rivers";
  rivers: readonly River[];
}

export interface ClassesGlance {
  form: "classes";
  /** (steps, classes): what says how present each class is. */
  scores: Float32Array;
  /** The pose of a class after an iteration, to draw it from; null where it has none. */
  pose: ((step: number, classIndex: number) => number[]) | null;
}

export interface PictureGlance {
  form: "picture";
  /** Channel by channel, row by row, in 0..1. */
  values: Float32Array;
}

export type Glance = TilesGlance | RiversGlance | ClassesGlance | PictureGlance;

/** A layer in its place. */
export interface Titled {
  id: string;
  title: string;
  /** Such as 256×20×20. */
  size: string;
}

/** A column of tiles. */
export interface Column extends Titled, Omit<TilesGlance, "form"> {
  below: string | null;
  /** Cells of the layer below that one of its cells sees; null: all of them. */
  window: Reach | null;
}

/** What the types of a layer look for. */
export interface Sought {
  /** The patch that each answered to most, (types, channels, rows, columns) in 0..1; null until they have come. */
  pictures: Float32Array | null;
  /** Of a patch. */
  shape: ImageShape;
  /** Whether a type answers to anything, so that no picture shows what it looks for. */
  isOfAnything: (type: number) => boolean;
}

/** What is changed in the run on stage. */
export interface Stage {
  /** The layer whose tiles can be silenced, and which of them are. */
  below: string;
  silent: readonly number[];
  /** What of them flows to a class is held, and at which coupling. */
  held: readonly { tile: number; target: number; coupling: number }[];
  /** Whether what flows can be held; else tiles can only be silenced. */
  holds: boolean;
  isChanged: boolean;
  /** What is changed, and what the network reads now. */
  words: string;
}

/** All that the picture of a network is made of, for one image. */
export interface Scene {
  pixels: Pixels;
  /** From the image up. */
  columns: readonly Column[];
  rivers: readonly (Titled & River)[];
  classes: (Titled & ClassesGlance) | null;
  drawn: (Titled & PictureGlance) | null;
  names: readonly string[];
  /** What a score is. */
  measure: ScoreKind;
  prediction: number;
  /** The classes that the network names. */
  present: readonly number[];
  /** What decides what the network says. */
  saying: Saying;
  /** Iterations of routing; 1 where nothing is repeated. */
  steps: number;
  /** The one on show, from 0. */
  step: number;
  /** Null where nothing can be changed. */
  stage: Stage | null;
  /** The same of the intact run; null where nothing is changed, or while it is not known. */
  before: Omit<Scene, "step" | "stage" | "before" | "sought" | "isEmpty"> | null;
  /** By layer, where that was measured and tells types apart. */
  sought: Readonly<Record<string, Sought>>;
  /** There is no image: of all this, only the places count. */
  isEmpty: boolean;
}

/** What a network brings to the page for it. */
export interface Overview {
  /** Tensors that it is made of. */
  needs: readonly string[];
  of: (state: NetworkState) => Scene | null;
  /** The iteration that is chosen, from 0, of how many; null where nothing is repeated. */
  stepOf: (state: NetworkState) => { at: number; count: number } | null;
  /** What shows another iteration, from 0. */
  stepTo: (step: number) => Record<string, unknown>;
}
