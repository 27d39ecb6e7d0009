/** What a network is made of: layers, each of a kind. `network.js` makes the page's network of them. */

import type { Actions } from "../core/actions.js";
import type { Schema } from "../core/schema.js";
import type { Reach } from "../geometry/windows.js";
import type { Glance, Stage } from "../overview/types.js";
import type {
  AppState,
  Awake,
  Field,
  FirstTry,
  Folds,
  Kept,
  Model,
  Options,
  RoutingShares,
  Services,
  Tensor,
  Trace,
  TraceOf,
  Watch,
} from "../types.js";
import type { Panel } from "../ui/panel.js";

export type * from "../types.js";
export type { Reach };

/**
 * The state as the views of a layer see it: what all share; the layer's own fields, under
 * the names that its kind gives them; its trained weights and the tensors of the trace, by
 * role. A view of a kind knows no layer's name.
 */
export type LayerState<
  Own extends object = object,
  Role extends string = string,
  WeightRole extends string = string,
> = Omit<AppState, "model" | "trace"> &
  Own & {
    model: Model;
    layer: Layer;
    trace: TraceOf<Role>;
    weights: { readonly [role in WeightRole]: Tensor };
    /** What was measured of it, by name; null until it has come, and where nothing was. */
    measured: Readonly<Record<string, Tensor>> | null;
  };

/** The store of a layer's view. It rests while the view lacks anything that it needs. */
export interface LayerStore<State extends object> {
  /** Null while the view is closed or lacks something. */
  get: () => State | null;
  /** What was complete last, for pictures that are drawn later; null if nothing ever was. */
  shown: () => State | null;
  /** Change the layer's own fields. */
  set: (patch: Partial<State>) => void;
  /** Calls back only while the view is open and has all that it needs. */
  watch: Watch<State>;
  /** Calls back when the view is left. */
  whenClosed: (job: () => void) => void;
  subscribe: (check: () => void) => () => void;
}

/** The store by which a kind keeps its answers current, be its view open or not. */
export interface KeepingStore<State extends object> extends LayerStore<State> {
  /** Keep what belongs to a model, even while another is chosen. */
  keep: (model: Pick<Model, "id">, patch: Partial<State>) => void;
}

/** A comparison, as a layer sees it: both traces hold what its kind compares. */
export type ComparedScene<State extends { trace: unknown }> = State & {
  layer: Layer;
  kept: Kept;
  keptTrace: State["trace"];
};

/** A panel of a comparison. */
export type ComparedPanel<
  State extends { trace: unknown },
  Numbers = ComparedScene<State>,
> = Panel<ComparedScene<State>, Numbers>;

// biome-ignore lint/suspicious/noExplicitAny: what a kind's state holds is the kind's own.
type Anything = any;

/** What every view of a layer can do. */
export type KindActions = Actions & {
  /** Put a unit of a layer into focus, and open its view. */
  openUnit: (id: string, position: Omit<Unit, "id">) => void;
  /** The same of units of several layers, and of a class. */
  openAt: (
    id: string,
    at: { units: readonly Unit[]; classIndex?: number | undefined },
  ) => void;
  /** Change the run on stage. */
  operate: (gesture: Gesture) => void;
  /** Change nothing in it any more. */
  restore: () => void;
};

/** What is done to a tile on the Overview, or to what flows from it to a class. */
export interface Gesture {
  tile: number;
  /** The class; absent: all of the tile is silent, or speaks again. */
  target?: number;
  /** What the couplings to that class are held at, 0 to 1; where they are, they are let go. */
  coupling?: number;
}

/** A unit of a layer, or where one is routed. */
export interface Unit {
  /** Of the layer. */
  id: string;
  row: number;
  column: number;
  /** Its map, or its type. */
  tile?: number;
  /** Of what is routed: the layer that gives, and the tile that gets. */
  below?: string;
  above?: number;
}

/** What a layer's thumbnail on the strip is drawn from. */
export interface LayerThumbnail {
  /** Roles of tensors. */
  needs: readonly string[];
  /** Keys of the layer's state that it is drawn from besides the trace. */
  follows?: readonly string[];
  paint: (canvas: HTMLCanvasElement, trace: Anything, state: Anything) => void;
}

/**
 * What a kind compares of two images.
 */
export interface LayerComparison {
  /** Roles of tensors. */
  needs: readonly string[];
  /** An `import()` of its panels. */
  load: () => Promise<{
    panels: readonly ComparedPanel<Anything, Anything>[];
  }>;
}

/** What a layer is in the picture of the whole network. */
export interface LayerGlance {
  /** Roles of tensors. */
  needs: readonly string[] | ((layer: Layer) => readonly string[]);
  /** Null where the trace lacks what it would show. */
  of: (trace: Anything, layer: Layer, model: Model) => Glance | null;
}

/** Fills a view's markup. */
export type LayerMount<State extends object> = (
  root: HTMLElement,
  store: LayerStore<State>,
  actions: KindActions & Record<string, Anything>,
  services: Services,
  layer: Layer,
) => void;

/** What a kind brings to every layer of that kind. Roles, never names, stand in it. */
export interface Kind {
  /** Such as "convolution". */
  name: string;
  /** Name of its template in `templates/kinds/index.html`; its own where absent. */
  markup?: (layer: Layer, model: Model) => string;
  /** What stands in its markup, besides what all layers have and their words. */
  values?: (layer: Layer, model: Model) => Record<string, string>;
  /** The fields of its state, by the names that its views give them. */
  fields?: (model: Model, layer: Layer) => Schema;
  /** Roles of tensors that its view draws. */
  needs: readonly string[] | ((layer: Layer) => readonly string[]);
  /** Keys of its state that must not be null before it can be drawn. */
  requires?: readonly string[];
  thumbnail: LayerThumbnail;
  glance?: LayerGlance;
  tryFirst?: (layer: Layer) => FirstTry<Anything, Anything> | undefined;
  /** Such as 256×20×20; the shape of the thumbnail's first tensor, where absent. */
  shape?: (model: Model, layer: Layer) => string;
  /** Tensors that come with every image just now, by name. */
  wants?: (state: Anything, layer: Layer) => readonly string[];
  /** How it sees the model and the trace, where otherwise than all. */
  lens?: {
    model: (model: Model, layer: Layer) => Model;
    trace: (trace: Trace, layer: Layer) => Trace;
  };
  /** What a layer says where its description does not. */
  words?: (layer: Layer) => Readonly<Record<string, unknown>>;
  /** Role → name of tensors that follow from the layer below. */
  tensors?: (layer: Layer) => Readonly<Record<string, string>>;
  /** Keys of its state that are each layer's own, unless a description names some. */
  ownKeys?: readonly string[];
  /** Keys of its state → those under which the network keeps them: what it shares with others. */
  keys?: (layer: Layer) => Readonly<Record<string, string>>;
  /** What requests for traces say besides image and tensors. */
  options?: (state: Anything) => Options;
  /** What has to change in its state so that nothing is changed in its run. */
  unchanged?: Readonly<Record<string, unknown>>;
  /** Roles of tensors that its view compares with those of the intact run. */
  compares?: readonly string[];
  /** Whether its run can be changed; the next two are asked only then. */
  isOperable?: (layer: Layer, model: Model) => boolean;
  /** What changes with a gesture on the Overview. */
  operate?: (state: Anything, gesture: Gesture) => Record<string, unknown>;
  /** What is changed in the run on stage. */
  staged?: (state: Anything) => Stage;
  /** What it compares of two images. */
  comparison?: LayerComparison;
  /** What puts the unit at a place of its grid into focus. */
  focus?: (state: Anything, position: Omit<Unit, "id">) => Record<string, unknown>;
  /** Keys of its state that are null until somebody chooses, and what is chosen until then; null while that is not known. */
  strongest?: {
    keys: readonly string[];
    of: (state: Anything) => Record<string, unknown> | null;
  };
  /** How many of its capsules answer; of what the thumbnail needs. */
  awake?: (trace: Anything, layer: Layer) => Awake;
  /** When a task of the guide is done, by its kind. */
  tasks?: Readonly<Record<string, (state: Anything, task: Anything) => boolean>>;
  /** Called once, before the first view is shown: to watch, and to keep answers current. */
  start?: (store: KeepingStore<Anything>, services: Services, layer: Layer) => void;
  /** Its view's folded panels, and by what names a link says what stands within each. */
  folds?: Folds | ((layer: Layer) => Folds);
  /** Of a layer that routes: the shares of a capsule below that go to each class. */
  shares?: (layer: Layer) => RoutingShares;
  /** Called once with what the template places above all views: `data-place="notices"`. */
  notice?: (
    root: HTMLElement,
    store: LayerStore<Anything>,
    actions: Actions,
    layer: Layer,
  ) => void;
  /** Path of its view's module below `js/`, by which the page names what to preload. */
  script: string;
  /** An `import()` of that module. */
  load: () => Promise<{ mount: LayerMount<Anything> }>;
}

/** One layer, as a network describes it. */
export interface LayerDescription {
  /** Stands in links and in `data-view`; the same layer has the same id in every network. */
  id: string;
  title: string;
  kind: Kind;
  /** The id of the layer that it reads; "image" or absent: the image. */
  below?: string;
  /** Ids of further layers, whose maps stand behind those of `below`. */
  beside?: readonly string[];
  /** Role → name of a tensor of the trace. */
  tensors: Readonly<Record<string, string>>;
  /** Role → name of a trained tensor; fetched when the view is first opened. */
  weights?: Readonly<Record<string, string>>;
  /** What was measured on the network and its view shows, such as "types"; by that name in the API. */
  measured?: string;
  /** Key of its state → the key under which the network keeps it, where the two differ. Layers that name the same key share the field. */
  keys?: Readonly<Record<string, string>>;
  /** Key of its state → its name in links, where the two differ. */
  links?: Readonly<Record<string, string>>;
  /** Where layers of its kind differ: what it is made of, such as "vectors". */
  form?: string;
  /** Of vectors: how they are cut from the maps of a convolution; "permute" when absent. */
  order?: "permute" | "stack" | "view";
  /** The windows through which it reads the layer below; absent: it sees all of it. */
  window?: (model: Model) => Reach;
  /** What its kind cannot know: formulas' letters, what a score is called, and the like. */
  // biome-ignore lint/suspicious/noExplicitAny: each kind declares what it reads of it.
  words?: any;
}

/** A layer in its network. */
export interface Layer extends LayerDescription {
  /** The layers of its network, from the image up. */
  network: readonly Layer[];
  /** Whether its fields are named after it, in the state and in links. */
  hasOwnNames?: boolean;
  /** What a unit sees of the input; null where it sees all of it. */
  reach: (model: Model) => Reach | null;
  /** What the unit in a row and a column of its grid sees of the input; null also where that is padding alone. Of layers side by side, the map tells whose. */
  field: (model: Model, row: number, column: number, map?: number) => Field | null;
  /** The shape of the tensor of a role, as the model tells it. */
  shapeOf: (model: Model, role: string) => readonly number[];
}
