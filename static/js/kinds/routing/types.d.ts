/** What both parts of routing share: dynamic routing and EM routing. */
import type { Actions } from "../../core/actions.js";
import type { Model, Services } from "../../types.js";
import type { Layer, LayerState, LayerStore } from "../types.js";
import type { Scenes } from "./scenes.js";

/** A model that routes. */
export interface RoutingModel extends Model {
  routing_iterations: number;
  max_routing_iterations: number;
}

/** The fields of every routing layer. */
export interface RoutingFields {
  /** How many iterations run, 1..max_routing_iterations. */
  iterations: number;
  /** Which of them is shown, 1 first. */
  step: number;
}

/** The state as a panel of a routing layer sees it. */
export type RoutingState<
  Own extends RoutingFields,
  Role extends string = string,
> = Omit<LayerState<Own, Role>, "model"> & { model: RoutingModel };

/** What every scene of routing has. */
export interface SceneBase {
  model: RoutingModel;
  /** Of the run on show. */
  iterations: number;
  /** 0 first. */
  step: number;
  /** What is called by its name in the sentences: the class, or capsule, in focus. */
  name: string;
}

/** What every panel of a routing view is mounted with. */
export interface Room<State extends object, Scene extends object> {
  store: LayerStore<State>;
  scenes: Scenes<Scene>;
  actions: Actions;
  layer: Layer;
  services: Services;
}

/** How many types of capsules there are, on how large a grid. */
export interface Grid {
  types: number;
  rows: number;
  columns: number;
}

/** Where a capsule stands. */
export interface Place {
  type: number;
  row: number;
  column: number;
}
