/** What the parts of routing share: dynamic routing, EM routing and attention. */
import type { Actions } from "../../core/actions.js";
import type { Scenes } from "../../core/scenes.js";
import type { Model, Services, TraceOf } from "../../types.js";
import type { Group } from "../capsules/places.js";
import type { Layer, LayerState, LayerStore } from "../types.js";

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
  /** What its capsules are told apart by: types, where absent, if they have places. */
  group?: Group;
}

/** Where a capsule stands. */
export interface Place {
  type: number;
  row: number;
  column: number;
}

/** The coupling of one capsule below to one class, held at a value in 0..1. */
export interface Pin {
  capsule: number;
  classIndex: number;
  coupling: number;
}

/** What is changed in routing, to see what the network would say then. */
export interface Surgery {
  /** Capsules below whose votes do not count; ascending, each once. */
  silenced: readonly number[];
  /** "uniform": every coupling stays even, whatever agrees. */
  routing: "agreement" | "uniform";
  /** At most one for each capsule. */
  pins: readonly Pin[];
}

/** The fields of routing that can be operated on. */
export interface SurgeryFields {
  /** What is changed in routing. `trace` is the run under it, and so is every view's. */
  surgery: Surgery;
}

/** What the two runs are compared by. */
export type ComparedRole = "scores" | "decoded";
export type ComparedTrace = TraceOf<ComparedRole>;

/**
 * The state of routing that can be operated on, as surgery sees it. Its trace has, beside
 * what runs are compared by, `lengths` of the capsules below: on a grid of (types, rows,
 * columns), or of a few that stand alone.
 */
export type OperableState = Omit<
  LayerState<SurgeryFields, ComparedRole | "lengths">,
  "model"
> & {
  model: RoutingModel;
  /** Absent where nothing is repeated. */
  iterations?: number;
  /** The chosen capsule below. */
  capsule: number;
};

/** A few experiments for the image on show. */
export interface Experiment {
  name: string;
  /** What there is to be learnt. */
  question: string;
  surgery: Surgery;
}

/** What an experiment is worked out from: the intact run. */
export interface Intact {
  /** (types) What each gives to the class in focus. */
  shares: ArrayLike<number>;
  /** (types, rows, columns) ‖u‖ */
  lengths: ArrayLike<number>;
  rows: number;
  columns: number;
  /** Of the class in focus. */
  name: string;
  /** The chosen one. */
  capsule: number;
  /** The longest of the other classes. */
  rival: { classIndex: number; name: string };
}
