/** What attention routing keeps and shows. */
import type { Tensor } from "../../../types.js";
import type { LayerState } from "../../types.js";
import type { ComparedRole, RoutingModel, SurgeryFields } from "../types.js";
import type { PICTURED, sceneOf } from "./numbers.js";

export interface AttentionFields extends SurgeryFields {
  /** The chosen capsule below. */
  capsule: number;
  /** Nobody has chosen it: it is the one that gives the most to the class in focus. */
  followsStrongest: boolean;
  /** Which number of the chosen vote is worked out. */
  entry: number;
}

export type PicturedRole = (typeof PICTURED)[number];
export type AttentionTensors = { readonly [role in PicturedRole]: Tensor };
/** (capsules, classes, numbers of a vote, numbers of a capsule), and (capsules, classes). */
export type Learned = { readonly [role in "transforms" | "prior"]: Tensor };

export type AttentionState = Omit<
  LayerState<AttentionFields, PicturedRole | ComparedRole, keyof Learned>,
  "model"
> & { model: RoutingModel };

export type AttentionScene = NonNullable<ReturnType<typeof sceneOf>>;
