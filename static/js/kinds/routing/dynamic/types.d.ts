/** What dynamic routing, routing by agreement, keeps and shows. */

import type { SceneOf } from "../../../core/scenes.js";
import type { Tensor } from "../../../types.js";
import type { LayerStore } from "../../types.js";
import type {
  ComparedRole,
  Room,
  RoutingFields,
  RoutingState,
  SurgeryFields,
} from "../types.js";
import type { PICTURED } from "./answers.js";
import type { scenesOf } from "./scene.js";

export interface DynamicFields extends RoutingFields, SurgeryFields {
  /** The chosen capsule below, (type * rows + row) * columns + column. */
  capsule: number;
  /** Nobody has chosen it: it is the one that gives the most to the class in focus. */
  followsStrongest: boolean;
  /** By panel: tensors that it needs on top of what the view needs. They come at rest. */
  requests: Readonly<Record<string, readonly string[]>>;
}

/** What the pictures are drawn from, be the run intact or under surgery. */
export type PicturedRole = (typeof PICTURED)[number];

/** In a scene, couplings sum to 1: they have a share for each of its ends. */
export type RoutedTensors = { readonly [role in PicturedRole]: Tensor } & {
  /** What no class gets, of networks whose routing has none of the above. */
  readonly none?: Tensor;
};
export type DynamicState = RoutingState<DynamicFields, PicturedRole | ComparedRole>;
export type DynamicStore = LayerStore<DynamicState>;

export type DynamicScene = SceneOf<ReturnType<typeof scenesOf>>;
export type DynamicRoom = Room<DynamicState, DynamicScene>;
/** What panels that are values let readers do. */
export interface PanelAct {
  store: DynamicStore;
  set: DynamicStore["set"];
  chooseType: (scene: DynamicScene, type: number) => void;
  /** A type below, or what it leads to. */
  chooseEnds: (scene: DynamicScene, ends: { type?: number; target?: number }) => void;
  chooseClass: (classIndex: number) => void;
  /** Show on the input what the capsules of a place see; null: nothing. */
  lookAtPlace: (position: { row: number; column: number } | null) => void;
  /** Show another layer. */
  openView: DynamicRoom["actions"]["openView"];
  /** Where the capsules below stand. */
  gridIn: (model: DynamicState["model"]) => DynamicScene["grid"];
}
export type DynamicPanel = (root: HTMLElement, room: DynamicRoom) => void;
