/** What dynamic routing, routing by agreement, keeps and shows. */
import type { Pixels, Tensor } from "../../../types.js";
import type { Group } from "../../capsules/places.js";
import type { TypeKernels } from "../../capsules/types.js";
import type { LayerStore } from "../../types.js";
import type {
  ComparedRole,
  Grid,
  Place,
  Room,
  RoutingFields,
  RoutingState,
  SceneBase,
  Surgery,
  SurgeryFields,
} from "../types.js";
import type { Figures } from "./figures.js";

/** How routing's pictures are looked at. */
export interface Looks {
  /** What ribbons show; "two" in networks that name two classes. */
  flow: "moved" | "all" | "two";
  /** What the picture of places shows; "none" in networks whose routing has none of the above. */
  where: "for" | "rather" | "none";
  scale: "all" | "own";
  /** How fast iterations are played. */
  pace: "usual" | "slow";
}

export interface DynamicFields extends RoutingFields, SurgeryFields {
  look: Looks;
  /** The chosen capsule below, (type * rows + row) * columns + column. */
  capsule: number;
  /** Nobody has chosen it: it is the one that gives the most to the class in focus. */
  followsStrongest: boolean;
  /** What reads the layer beneath into the capsules of one type, once it has been needed. */
  kernels: TypeKernels | null;
  /** The chosen map of the layer beneath the capsules. */
  map: number;
  /** Whether the picture of the votes is on the screen: they come with every image while it is. */
  seesVotes: boolean;
  /** Whether the parse trees are on the screen: what feeds a capsule comes while they are. */
  seesTree: boolean;
  /** By panel: tensors that it needs on top of what the view needs. They come at rest. */
  asked: Readonly<Record<string, readonly string[]>>;
}

/** Kernels over several maps, one for each number of a capsule. */
export interface DeepKernels {
  kernels: Tensor;
  bias: Tensor;
}

/** What the pictures are drawn from, be the run intact or under surgery. */
export type PicturedRole =
  | "lengths"
  | "logits"
  | "couplings"
  | "agreement"
  | "capsules";

/** In a scene, couplings sum to 1: they have a share for each of its ends. */
export type RoutedTensors = { readonly [role in PicturedRole]: Tensor } & {
  /** What no class gets, of networks whose routing has none of the above. */
  readonly none?: Tensor;
};
export type DynamicState = RoutingState<DynamicFields, PicturedRole | ComparedRole>;
export type DynamicStore = LayerStore<DynamicState>;

/** What is on show. */
export interface DynamicScene extends SceneBase {
  look: Looks;
  /** Of the intact run, or of that under surgery where the reader wants to see it. */
  tensors: RoutedTensors;
  pixels: Pixels;
  /** By name, tensors that may be there: they come on request. */
  more: Readonly<Partial<Record<string, Tensor>>>;
  /** What the run on show was run under. */
  ran: Surgery;
  /** What is to be changed. */
  surgery: Surgery;
  figures: Figures;
  /** Where a capsule's output goes: names of the classes, and of none of the above if the network has it. */
  ends: readonly string[];
  /** The class in focus. */
  classIndex: number;
  capsule: number;
  followsStrongest: boolean;
  /** Where that capsule stands. */
  place: Place;
  grid: Grid & { group: Group };
  /** What the capsules above are called. */
  nouns: { one: string; many: string };
}

/** Choosing what is in focus in the pictures. */
export interface DynamicHand {
  capsule: (capsule: number) => void;
  /** The capsule of another type that stands where the chosen one does, and a class. */
  typeAndClass: (scene: DynamicScene, end: { type?: number; target?: number }) => void;
  classIndex: (classIndex: number) => void;
  look: (look: Partial<Looks>) => void;
  step: (step: number) => void;
  map: (map: number) => void;
  operate: (surgery: Surgery) => void;
  /** Show on the input what the capsules of a place see; null: nothing. */
  lookAt: (place: Pick<Place, "row" | "column"> | null) => void;
  /** Ask for tensors by name: what a panel needs now. */
  ask: (panel: string, names: readonly string[]) => void;
}

export type DynamicRoom = Room<DynamicState, DynamicScene> & { hand: DynamicHand };
export type DynamicPanel = (root: HTMLElement, room: DynamicRoom) => void;
