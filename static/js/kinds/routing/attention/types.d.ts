/** What attention routing keeps and shows. */
import type { Pixels, Tensor } from "../../../types.js";
import type { LayerState, LayerStore } from "../../types.js";
import type {
  ComparedRole,
  Room,
  RoutingModel,
  Surgery,
  SurgeryFields,
} from "../types.js";
import type { Figures } from "./sums.js";

export interface AttentionFields extends SurgeryFields {
  /** The chosen capsule below. */
  capsule: number;
  /** Nobody has chosen it: it is the one that gives the most to the class in focus. */
  followsStrongest: boolean;
  /** The capsule whose vote the chosen one's is compared with in the picture of attention. */
  other: number;
  /** Which number of the chosen vote is worked out. */
  entry: number;
}

export type PicturedRole =
  | "lengths"
  | "poses"
  | "votes"
  | "attention"
  | "agreement"
  | "shares"
  | "couplings"
  | "capsules";

export type AttentionTensors = { readonly [role in PicturedRole]: Tensor };
/** (capsules, classes, numbers of a vote, numbers of a capsule), and (capsules, classes). */
export type Learned = { readonly [role in "transforms" | "prior"]: Tensor };

export type AttentionState = Omit<
  LayerState<AttentionFields, PicturedRole | ComparedRole, keyof Learned>,
  "model"
> & { model: RoutingModel };
export type AttentionStore = LayerStore<AttentionState>;

/** What is on show. */
export interface AttentionScene {
  model: RoutingModel;
  /** Of the intact run, or of that under surgery where the reader wants to see it. */
  tensors: AttentionTensors;
  learned: Learned;
  pixels: Pixels;
  /** What the run on show was run under. */
  ran: Surgery;
  figures: Figures;
  /** The class in focus. */
  classIndex: number;
  name: string;
  capsule: number;
  other: number;
  entry: number;
}

export interface AttentionHand {
  /** Choose a vote: that of a capsule for a class. */
  vote: (capsule: number, classIndex: number) => void;
  /** Choose two capsules whose votes are compared. */
  pair: (capsule: number, other: number) => void;
  entry: (entry: number) => void;
  classIndex: (classIndex: number) => void;
  operate: (surgery: Surgery) => void;
}

export type AttentionRoom = Room<AttentionState, AttentionScene> & {
  hand: AttentionHand;
};
export type AttentionPanel = (root: HTMLElement, room: AttentionRoom) => void;
