/** What EM routing keeps and shows. */

import type { SceneOf } from "../../../core/scenes.js";
import type { LayerState, LayerStore } from "../../types.js";
import type { Room, RoutingFields, RoutingState } from "../types.js";
import type { LEARNED, ROLES } from "./routes.js";
import type { scenesOf } from "./scene.js";

/** Routing to one of the layers that are routed to. */
export interface Route {
  /** The id of the layer above. */
  to: string;
  /** The id of the layer below. */
  from: string;
  /** What the roles of its tensors and weights begin with. */
  prefix: string;
}

/** Of each route, behind its prefix. */
export type RouteRole = (typeof ROLES)[number];
export type LearnedRole = (typeof LEARNED)[number];

export interface EmFields extends RoutingFields {
  /** The id of the layer whose routing is on show. */
  routed: string;
  /** Which of a pose's 16 numbers, row by row. */
  entry: number;
}

/** Under other keys: the capsules that are chosen in other layers. */
// biome-ignore lint/suspicious/noExplicitAny: their keys are not known here.
export type EmState = RoutingState<EmFields, RouteRole> & Record<string, any>;
export type EmStore = LayerStore<EmState>;

export type EmScene = SceneOf<ReturnType<typeof scenesOf>>;
export type EmRoom = Room<EmState, EmScene>;
export type EmPanel = (root: HTMLElement, room: EmRoom) => void;
export type { LayerState };
