/** What EM routing keeps and shows. */
import type { LayerState, LayerStore } from "../../types.js";
import type { Place, Room, RoutingFields, RoutingState, SceneBase } from "../types.js";
import type { Course } from "./course.js";
import type { Routed } from "./routed.js";

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
export type RouteRole =
  | "presence"
  | "votes"
  | "assignments"
  | "means"
  | "deviations"
  | "activations"
  | "costs";
export type LearnedRole = "betaU" | "betaA" | "lambda";

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

/** What is on show. */
export interface EmScene extends SceneBase {
  routed: Routed;
  /** What changes over its iterations. */
  course: Course;
  /** In focus: a class, or a type of the layer above. */
  parent: number;
  /** Of the parents on their grid. */
  position: Pick<Place, "row" | "column">;
  /** In focus, by its place in the window. */
  child: number;
  /** Where that child stands on its grid. */
  place: Place;
  /** Of a pose, 0..15. */
  entry: number;
}

/** Choosing what is in focus in the pictures. */
export interface EmHand {
  child: (scene: EmScene, child: number) => void;
  parent: (scene: EmScene, parent: number) => void;
  entry: (entry: number) => void;
  step: (step: number) => void;
  /** Show on the input what a child sees; null: nothing. */
  lookAt: (scene: EmScene, child: number | null) => void;
}

export type EmRoom = Room<EmState, EmScene> & { hand: EmHand };
export type EmPanel = (root: HTMLElement, room: EmRoom) => void;
export type { LayerState };
