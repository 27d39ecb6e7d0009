/**
 * What the server sends, what the page holds, and what a network brings to the page.
 * `app/` builds the first part.
 */

import type { Actions } from "./core/actions.js";
import type * as api from "./core/api.js";
import type { Schema, Field as SchemaField } from "./core/schema.js";
import type { ScoreKind } from "./core/scores.js";
import type { Selection } from "./lib/selections.js";
import type { Overview } from "./overview/types.js";
import type { Scene } from "./toys/scene.js";
import type { Markup } from "./ui/markup.js";
import type { Panel, Watched } from "./ui/panel.js";

export type { Store } from "./core/store.js";
export type { Actions };

/** A tensor: values row-major, last axis fastest. */
export interface Tensor {
  shape: readonly number[];
  data: Float32Array;
}

export interface TensorInfo {
  name: string;
  shape: number[];
  title: string;
  precision: "f16" | "f32";
  on_request: boolean;
}

/** What test images gave at each value of a knob; lists have an entry for each value. */
export interface Measurement {
  /** What the values are, in words. */
  knob: string;
  images: number;
  date: string;
  values: number[];
  /** Share of images whose true class has the highest score. */
  accuracy: number[];
  /** Mean score of the true class. */
  true_score: number[];
  /** Mean of the highest score. */
  winner_score: number[];
  /** Where one digit moves across another: mean score of each digit's class. */
  first_score?: number[];
  second_score?: number[];
  /** Mean over the pairs read right; null where there are none. */
  ink_given_right?: (number | null)[];
  /** Of shuffled tiles: what 95 % of the unchanged images reach with their highest score. */
  passing_score?: number;
  /** Share of images whose highest score reaches it. */
  passing?: number[];
  /** Area under the ROC curve of unchanged against changed images by the highest score. */
  roc_area?: number[];
}

/** How many images are wrong, and the 95 % interval of their share. */
export interface Counted {
  images: number;
  wrong: number;
  error: number;
  interval: [number, number];
}

/** What the page reads of a card; it may hold more. */
export interface Card {
  title?: string;
  /** The data set's name, as `Dataset.dataset` says it. */
  dataset?: string;
  data?: string;
  test_error?: number;
  test_images?: number;
  /** Where images were held out; then there is no test error. */
  validation_error?: number;
  validation_images?: number;
  reconstruction_mse?: number;
  /** Where it reads images no better than chance: that, and the likely cause. */
  learned_nothing?: string;
  legibility?: Record<string, number>;
  /** Types of capsules whose mean length is more than a part of that of their longest, and what they give of what speaks for a class. */
  anything?: { ratio: number; types: readonly number[]; share: number };
  epochs?: number;
  training_time_s?: number;
  training_images?: number;
  /** What trained it: cpu, cuda or mps. */
  device?: string;
  /** Those of the runs that this one began with included. */
  lineage?: { runs: number; epochs: number; training_time_s: number };
  /** One image, as the explorer runs it. */
  forward?: { milliseconds: number; threads: number; processor: string };
  command?: string;
  date?: string;
  mistakes?: { index: number; label: number; prediction: number }[];
  /** Of networks that route: the share of test images misread, by number of iterations. */
  errors_by_iterations?: Readonly<Record<string, number>>;
  /** Test images read right with the trained number of iterations alone, not with one. */
  saved_by_routing?: number;
  /** Test images read right with one iteration alone. */
  spoiled_by_routing?: number;
  /** How unlike digits a network finds a picture, and how often test digits are as unlike. */
  outliers?: {
    /** The name of the measure; see `lib/outliers.js`. */
    measure: string;
    threshold: number;
    /**
     * Of all measures, by name; by kind of picture that is no digit, which share raises an
     * alarm.
     */
    measures?: Readonly<
      Record<
        string,
        { threshold: number; others?: Readonly<Record<string, { alarms: number }>> }
      >
    >;
    /** Pictures of each of these kinds. */
    made?: number;
    /** What the test digits beyond the threshold measure, ascending. */
    beyond: number[];
    test_images: number;
  };
  /** Of the command `python -m capsnet_explorer measure --only …`: one for each knob of the Lab. */
  measurements?: Readonly<Record<string, Measurement>>;
  /** Of a network that reads toys; see `model/measuring/viewpoints.py`. */
  viewpoints?: {
    azimuths: number[];
    elevations: number[];
    /** A row for each elevation: share of the test toys misread. */
    errors: number[][];
    /** Of each toy, and how many of them are misread, toy by toy. */
    views?: number;
    wrong?: number[];
    /** Where the error of new toys may lie: 95 % of them, by bootstrap over toys. */
    interval?: [number, number];
  };
  /** Of a network that reads two digits; see `model/measuring/overlapping.py`. */
  overlaps?: {
    /** By the highest scores: pairs by two of them, single digits by one. */
    pairs: Counted;
    singles: Counted;
    /** By the network's own rule, which says how many there are. */
    one_or_two: { threshold: number; pairs: Counted; singles: Counted };
    /** Indices of the pairs, by either count. */
    misread?: { two_highest: number[]; named: number[] };
  };
  /** Maps of the test set; see `model/measuring/atlas.py`. */
  atlas?: {
    embedding: string;
    images: number;
    misread: number;
    neighbours: number;
    library: string;
    maps: Readonly<
      Record<
        string,
        {
          space: string;
          numbers: number;
          method: string;
          kept: number;
          trustworthiness: number;
        }
      >
    >;
    codes: { components: number; variance: number; kept: number };
  };
  /** What the network was trained with, as far as images were changed. */
  training?: Readonly<Record<string, unknown>>;
  /** The run that this one began with; in its turn, it may have begun with another. */
  start?: Pick<Card, "training" | "start" | "command"> & {
    /** Layers that took its weights and layers that did not, where not all did. */
    taken?: readonly string[];
    anew?: readonly string[];
  };
  /** Of a network that its owner has described: what the check found. */
  described?: Report;
  /** The sizes; what they are is the architecture's own. */
  config: { kernel_size?: number; mistake?: string; probabilities?: string };
}

/** What the check of a described network found. */
export interface Report {
  heading: string;
  /** It was checked on as many. */
  images: number;
  layers: readonly {
    id: string;
    title: string;
    shape: readonly number[];
    found: Readonly<Record<string, unknown>>;
    /** null: a decoder that did not draw while the module answered. */
    difference: number | null;
    /** What was found, in a few words. */
    words: string;
  }[];
  sentences: readonly {
    layer: string;
    text: string;
    /** That is not the paper's, such as "axis"; empty for anything else. */
    setting: string;
  }[];
}

/** One entry of `GET /api/models`, as every architecture has it. */
export interface Model {
  id: string;
  title: string;
  version: string;
  default: boolean;
  /** From a training run here; it can be removed. */
  kept: boolean;
  architecture: string;
  /** Where it is described, for the middle of a sentence. */
  paper: string | null;
  /** From the image up. */
  layers: readonly DescribedLayer[];
  classes: number;
  class_names: string[];
  /** Channels, rows and columns of an image. */
  input_shape: readonly [number, number, number];
  /** The rule for the classes that `Trace.present` names. */
  present: { at_most: number; threshold: number | null };
  parameters: number;
  /** Of its weight file. */
  weights: readonly { name: string; shape: readonly number[] }[];
  scores: ScoreKind;
  can: { reconstruct: boolean; route: boolean; gradient: boolean };
  /** Of a site: why a network has no gradient there. */
  flat?: string;
  /** Of networks that route. */
  routing_iterations?: number;
  /** Of networks that do not route: so many maps can be silenced, those of the last layer that has any. */
  silenceable_maps?: number;
  tensors: TensorInfo[];
  /** Names of the first layer's kernels and biases; none where it has none. */
  kernels: readonly string[];
  /** What was measured on it, such as "types.mean". */
  measured?: { name: string; shape: number[] }[];
  card: Card;
}

/** A layer, as the server describes it. */
export interface DescribedLayer {
  id: string;
  kind: string;
  title: string;
  /** Null: the image. */
  below: string | null;
  window: { size: Span; step: Span; first: Span } | null;
  /** Role → name. */
  tensors: Readonly<Record<string, string>>;
  weights: Readonly<Record<string, string>>;
  form: string | null;
  order: "permute" | "stack" | "view" | null;
  measured: string | null;
  words: Readonly<Record<string, Anything>>;
  keys: Readonly<Record<string, string>>;
  links: Readonly<Record<string, string>>;
}

/** One number where both are the same, else that of rows and that of columns. */
export type Span = number | readonly [rows: number, columns: number];

/** One setting of a recipe, as `GET /api/recipes` tells it. */
export interface Setting {
  name: string;
  title: string;
  group: "recipe" | "network" | "loss";
  /** Whether it stands before the others. */
  first: boolean;
  type: "number" | "integer" | "choice";
  minimum: number | null;
  maximum: number | null;
  choices: readonly string[] | null;
  /** A list of so many; null: a single value. */
  count: number | null;
  default: SettingValue;
  help: string;
}
export type SettingValue = number | string | readonly number[];

/** What can be trained on. */
export interface TrainingData {
  name: string;
  title: string;
  ready: boolean;
  /** 0: it cannot be downloaded. */
  download_bytes: number;
  /** The servers that are asked. */
  hosts: readonly string[];
  /** Of drawn digits, by architecture: how networks that learnt from them read real ones. */
  real: Readonly<Record<string, { wrong: number; images: number }>>;
}

/** A set of pictures of one's own, as `GET /api/sets` tells it. */
export interface OwnSet {
  id: string;
  title: string;
  state: "receiving" | "reading" | "unclear" | "ready" | "failed";
  error: string | null;
  /** What has to be said of the folders, where they can be meant in two ways. */
  question: string | null;
  /** Bytes that have come, and in all. */
  received: number;
  size: number;
  /** Pictures that are read, and in all; 0 while that is unknown. */
  done: number;
  total: number;
  classes: readonly { name: string; training: number; test: number }[];
  /** Channels, rows, columns. */
  shape: readonly number[];
  inverted: boolean;
  can_change: boolean;
  lines: readonly string[];
  warnings: readonly string[];
}

/** How far a download is. */
export interface Download {
  dataset: string;
  /** none: it has not been started. */
  state: "none" | "running" | "done" | "failed" | "stopped";
  bytes: number;
  total: number;
  message: string | null;
}

/** What can be trained. */
export interface Recipes {
  allowed: boolean;
  /** Why not. */
  reason: string | null;
  /** Images of a run on symbols of one's own, where the page itself trains. */
  symbols?: number;
  datasets: readonly TrainingData[];
  /** The name of an architecture. */
  default: string;
  architectures: readonly {
    name: string;
    /** What people call it, in the middle of a sentence. */
    title: string;
    settings: readonly Setting[];
  }[];
}

export type RunState = "waiting" | "running" | "paused" | "done" | "stopped" | "failed";

/** A training run, as `GET /api/runs` tells it. */
export interface Run {
  id: string;
  state: RunState;
  /** While it waits: 1 is next. */
  place: number;
  /** As it was asked for. */
  recipe: Readonly<Record<string, unknown>>;
  architecture: string;
  /** Complete. */
  settings: Readonly<Record<string, SettingValue>>;
  /** Steps of all; 0 until that is known. */
  total: number;
  step: number;
  images: number;
  seconds: number;
  learning_rate: number | null;
  error: number | null;
  tested: number | null;
  snapshots: readonly number[];
  message: string | null;
  /** Whether it ended too early, and can be taken up again. */
  can_go_on: boolean;
  /** What of its files cannot be read. */
  damage: string | null;
  /** Whether a site shows it again, of which nothing can be changed. */
  is_recorded?: boolean;
}

/** What is there, but cannot be used. */
export interface Refusal {
  id: string;
  reason: string;
}

/** Where a run is. Images are counted once for each epoch. */
export interface Moment {
  step: number;
  images: number;
  seconds: number;
}

/** What happens in a run. */
export type RunEvent = Moment &
  (
    | {
        event: "state";
        state: RunState;
        total?: number;
        /** Images of an epoch. */
        examples?: number;
        message?: string;
      }
    | {
        event: "progress";
        /** Means over the last steps, of training images. */
        loss: number;
        accuracy: number;
        learning_rate: number;
        images_per_second: number;
      }
    | {
        event: "snapshot";
        /** Share of the test digits that are misread; null where they were not counted. */
        error: number | null;
        tested: number | null;
        /** 0 where the snapshot is not here. */
        bytes?: number;
      }
    | { event: "rate"; learning_rate: number | null }
  );

/** The size of a picture, and of whatever lies in rows. */
export interface Grid {
  rows: number;
  columns: number;
}

/** The size of an image. */
export interface ImageShape extends Grid {
  channels: number;
}

/** An image as a network sees it; 255 is ink. The same object as long as nothing changes. */
export interface Pixels extends ImageShape {
  /** Channel by channel, row by row. */
  bytes: Uint8Array;
}

/** One of the digits that the project brings along. */
export interface Sample {
  id: string;
  label: number;
  title: string;
  source: string;
  pixels: Pixels;
}

/** A digit of a data set in the data folder. */
export interface DatasetImage {
  index: number;
  /** Null where nobody has said what it shows. */
  label: number | null;
  prediction?: number;
  pixels: Pixels;
}

export interface Dataset {
  id: string;
  /** Whose test set it is, as `Card.dataset` says it. */
  dataset: string;
  title: string;
  count: number;
  labels: number[];
}

/** One step of bringing a picture into the network's form. */
export interface IntakeStep {
  name: string;
  title: string;
  note: string;
  /** A data: URL of a PNG. */
  image: string;
}

/** Left, top, right and bottom, in parts of the upright picture. */
export type Box = readonly [left: number, top: number, right: number, bottom: number];

/** Something in a picture that looks like a digit. */
export interface Found {
  box: Box;
  /** Of the ink of all that was found, in 0..1. */
  share: number;
  /** Its ink: a data: URL of a PNG. */
  image: string;
}

/** How a picture was read. */
export interface Intake {
  steps: IntakeStep[];
  /** In reading order, at least one; none in a colour picture. */
  found: Found[];
  /** Which of them became the image, if there are any; of two the larger one. */
  chosen: number | null;
  /** All that became the image. */
  parts: number[];
  /** The values that were used, told or found; null are those of strokes in a colour picture. */
  settings: {
    ink: "dark" | "light" | null;
    /** Where strokes began, in parts of full ink's level. */
    threshold: number | null;
    crop: Box;
    /** Degrees clockwise. */
    rotate: number;
    /** In pixels of the image that the intake makes; before: had they been left as they are. */
    thickness: number | null;
    thickness_before: number | null;
  };
  /** Why the image may not be what was meant. */
  warnings: { code: string; message: string }[];
}

/** What somebody decided about a picture; null: the intake does. */
export interface Overrides {
  /** Take the other kind of ink than was found. */
  invert: boolean;
  threshold: number | null;
  crop: Box | null;
  /** Degrees clockwise. */
  rotate: number;
  thickness: number | null;
  /** Which of the digits found. */
  part: number | null;
}

/** A digit that lies on a canvas, with or without another. */
export interface Laid {
  /** One channel; at most as large as the canvas. */
  pixels: Pixels;
  /** Null where it is not known. */
  label: number | null;
  /** By how many pixels it was moved from the canvas's middle. */
  right: number;
  down: number;
}

/** Two digits on top of each other. */
export interface Pair {
  kind: "pair";
  /** Null for one that was erased. */
  digits: readonly [Laid | null, Laid | null];
  /** What one hand did in one go has one number: it is undone together. */
  turn: number;
}

/** A toy, as it stands on the turntable. */
export interface ToySource extends Scene {
  kind: "toy";
  /** What one hand did in one go has one number: it is undone together. */
  turn: number;
}

/** Where the image on show came from. */
export type Source =
  | Pair
  | ToySource
  | { kind: "sample"; id: string; label: number; title: string }
  | { kind: "dataset"; id: string; index: number; label: number | null }
  /** On: whose image the strokes are drawn on. */
  | { kind: "drawing"; on?: Source }
  | { kind: "upload"; name: string }
  | { kind: "link" };

/** A part of the input, or of maps: what a unit looked at, in its pixels. */
export interface Field {
  row: number;
  column: number;
  /** Rows, and columns. */
  size: number;
  /** Where it is no square. */
  columns?: number;
}

/** A term of the glossary, as `GET /api/glossary` lists them. */
export interface Term {
  id: string;
  /** As it is written in the middle of a sentence. */
  term: string;
  /** How it stands in texts, such as its plural. */
  forms: readonly string[];
  symbol: string | null;
  /** Its unit or range. */
  values: string | null;
  text: string;
  /** Architecture -> the view that shows it, and the element `data-PLACE` in it. */
  seen: Readonly<Record<string, { view: string; place: string }>>;
}

/** What a request for a trace says besides image and tensors, under the API's names. */
export type Options = Readonly<Record<string, unknown>>;

/** One forward pass: every tensor that has been asked for so far. */
export interface Trace {
  model: string;
  pixels: Pixels;
  options: Options;
  prediction: number;
  /** The classes present, best first, by the model's rule. */
  present: readonly number[];
  tensors: Readonly<Partial<Record<string, Tensor>>>;
}

/** A trace that is known to hold these tensors. */
export type TraceOf<Need extends string> = Omit<Trace, "tensors"> & {
  readonly tensors: { readonly [name in Need]: Tensor };
};

/** An image that others are compared with. */
export interface Kept {
  pixels: Pixels;
  source: Source;
}

/** Everything that the page shows, whatever the network. */
export interface AppState {
  models: Model[];
  /** Files on the server that cannot be used, and why. */
  refused: readonly { id: string; reason: string }[];
  model: Model | null;
  /** What brings `model` to the page; they change together. */
  network: Network | null;
  /** Each network's own part of the state, by the model's id: kept while others are shown. */
  slices: Readonly<Record<string, object>>;
  samples: Sample[];

  pixels: Pixels | null;
  source: Source;
  /** How a picture or a drawing became the image; null where it came in that form. */
  intake: Intake | null;
  /** What was decided about that picture. */
  overrides: Overrides;
  /** The run on stage: of `model`, and of `pixels` or of the image before. */
  trace: Trace | null;
  /** The same image read with nothing changed; null while nothing is, or until it is known. */
  intact: Trace | null;

  /** The image that others are compared with. */
  kept: Kept | null;
  /** Of `model` and the kept image, or of an image kept before. */
  keptTrace: Trace | null;
  /** The id of a network to compare with; any other word stands for the first. */
  second: string;

  /**
   * On show: the layers of one network, experiments with all of them, its test set, or one
   * that learns.
   */
  mode: "explore" | "lab" | "atlas" | "train";
  /** Every experiment of the Lab, in the order of its tabs; always the same. */
  experiments: readonly AnyExperiment[];
  lab: {
    /** The id of the open one; any other word stands for the first. */
    experiment: string;
    /** The ids of models that take no part. */
    off: readonly string[];
    /** Each experiment's own part of the state, where it differs from the start. */
    slices: Readonly<Record<string, object>>;
  };

  atlas: {
    /** The name of the map on show; any other word stands for the first. */
    map: string;
    selection: Selection;
    /** The number of the test image chosen. */
    point: number | null;
  };

  train: {
    /** What of a run is on show: how it learns, a moment of it, or the list of all. */
    tab: "learn" | "inside" | "runs";
    /** The id of the run on show; any other word stands for the newest. */
    run: string;
    /** The id of the run beside it; "" for none. */
    beside: string;
    /** The step whose snapshot is on show; null follows the newest. */
    step: number | null;
    /** What the curves are drawn over. */
    over: "images" | "seconds";
  };

  /** The id of the open view: "input" or one of the network's. */
  view: string;
  /** The ids of folded panels that are open: the view's and the panel's, joined by `/`. */
  opened: readonly string[];
  /** Whether what is open fills the screen. */
  isPresenting: boolean;
  /** The class in focus; null follows the prediction. */
  classIndex: number | null;
  /** Where on the input the unit under the pointer looked. */
  field: Field | null;

  /** Whether a busy server has asked to come back, and will be asked again. */
  isHeld: boolean;
  /** Whether what comes first is being read: the network may be on its way still. */
  isReading: boolean;
  /** Whether the server does not answer, and is asked again until it does. */
  isAway: boolean;
  /** What the link said that could not be read, for people. */
  unread: readonly string[];
  /** What went wrong last, for people; null when all is well. */
  problem: string | null;
}

// biome-ignore lint/suspicious/noExplicitAny: shared code handles networks it knows nothing of.
type Anything = any;

/** The state as a network sees it: what all share, and its own for the chosen model. */
export type NetworkState = Omit<AppState, "model"> & { model: Model } & Record<
    string,
    Anything
  >;

export type Watch<State> = <Key extends keyof State>(
  keys: readonly Key[],
  render: (state: Pick<State, Key>) => void,
) => () => void;

/** An image decoded from a pose, and from whose. */
export interface Decoded {
  classIndex: number;
  pose: readonly number[];
  /** Values in 0..1, row by row. */
  data: Float32Array;
}

/** The store as a network uses it. It rests while another network is chosen. */
export interface NetworkStore {
  /** Null while another network is chosen. */
  get: () => NetworkState | null;
  set: (patch: Partial<AppState & Record<string, Anything>>) => void;
  /** Keep what belongs to a model, even while another is chosen. */
  keep: (
    model: Pick<Model, "id">,
    patch:
      | Partial<Record<string, Anything>>
      | ((slice: Record<string, Anything>) => Partial<Record<string, Anything>>),
  ) => void;
  /** Calls back only while the network is chosen. */
  watch: Watch<NetworkState>;
  subscribe: (check: () => void) => () => void;
}

/** The store as a view uses it. It rests while the view lacks anything that it needs. */
export interface ViewStore extends Omit<NetworkStore, "keep"> {
  /** What was complete last, for pictures that are drawn later; null if nothing ever was. */
  shown: () => NetworkState | null;
  /** Calls back when the view is left. */
  whenClosed: (job: () => void) => void;
}

/** What a network may ask of the server and of the page. */
export interface Services {
  server: typeof api;
  /** Have the page busy until a job has ended. */
  during: <Result>(job: () => Promise<Result>) => Promise<Result>;
  /** The same, and turn failures into words on the page. */
  guarded: <Wish>(job: (wish: Wish) => Promise<void>) => (wish: Wish) => Promise<void>;
}

/**
 * What to try first in a view or an experiment: one line, and a button that does it. Both
 * must be true for every image and every network that has the view.
 */
export interface FirstTry<State, Patch> {
  words: string;
  /** What the button says. */
  button: string;
  /** What the button changes; null where there is nothing to change. */
  change: (state: State) => Patch | null;
  /** A selector of what then gets the focus, in the panel or else in the page. */
  at: string;
}

/** The store of a comparison. It rests while the view is closed or lacks something. */
export interface ComparedStore {
  /** Null while the view is closed or lacks something. */
  get: () => ComparedState | null;
  watch: Watch<ComparedState>;
  subscribe: (check: () => void) => () => void;
}

/** Both traces of a comparison, which hold what the network declared. */
export type ComparedState = NetworkState & {
  trace: TraceOf<string>;
  kept: Kept;
  keptTrace: TraceOf<string>;
};

/** The shares of a capsule below that go to each class, as a network's routing has them. */
export interface RoutingShares {
  /** What one is called, such as "coupling". */
  name: string;
  /** The tensor: (iterations, …, classes). */
  tensor: string;
  /** Votes are compared once: the tensor is of one iteration, without an axis for it. */
  isOnce?: boolean;
}

/** How many capsules of a layer answer one image. */
export interface Awake {
  /** The layer's. */
  title: string;
  /** What they have to exceed, such as "longer than 0.1". */
  words: string;
  count: number;
  of: number;
  /** Types none of whose capsules does; null where it has no types. */
  starved: { count: number; of: number } | null;
}

/** Maps and their pooling, as they read one image. */
export interface Pooled {
  /** (maps, rows, columns), what pooling reads; never below zero. */
  below: Tensor;
  /** (maps, rows, columns), a value for each window. */
  pooled: Tensor;
  /** Same shape: which pixel won, 0 to 3, row by row. */
  winners: Tensor;
}

/** The numbers that the Lab follows while a digit is moved. */
export interface Code {
  /** A small tensor: (classes, …) if each class has its own numbers, else any shape. */
  tensor: string;
  /** Whether each class has its own: then they are the pose of its capsule. */
  isPose: boolean;
  /** What they are, for the middle of a sentence, such as "hidden layer". */
  title: string;
}

/** What an architecture brings to the page, made by `createNetwork` of its layers. */
export interface Network {
  /** In the strip's order, after Input. */
  views: readonly View[];
  /** Its fields for a model: where they start, and how they stand in a link. */
  schema: (model: Model) => Schema;
  actions: (store: NetworkStore) => Record<string, Anything>;
  /** What requests for traces say besides image and tensors. */
  options?: (state: Anything) => Options;
  /** What has to change in its state so that its run is the intact one; absent where nothing can be changed. */
  unchanged?: (state: Anything) => Record<string, unknown>;
  /** Tensors that come with every image just now, on top of what the open view needs. */
  wants?: (state: NetworkState) => string[];
  /** When a task of the guide is done, by its kind. */
  tasks?: () => Promise<{
    tasks: Record<
      string,
      // biome-ignore lint/suspicious/noExplicitAny: the guide passes on what the store has.
      (state: any, asked: { classIndex: number | null; than: number | null }) => boolean
    >;
  }>;
  /** What the picture of the whole network is made of. */
  overview: Overview;
  /** What the Compare view shows besides scores. */
  comparison?: Comparison;
  /** How its routing shares capsules out; absent if it does not route. */
  shares?: RoutingShares;
  /** What the Lab follows while a digit is moved; absent if there is nothing to follow. */
  code?: Code;
  /** How many of its capsules answer, layer by layer; from what thumbnails are drawn from. */
  awake: (trace: Trace) => Awake[];
  /** Called once, before the first view is shown: to watch, and to keep answers current. */
  start?: (store: NetworkStore, services: Services) => void;
  /** Called once with what the template places above all views: `data-place="notices"`. */
  notice?: (
    root: HTMLElement,
    store: NetworkStore,
    actions: Actions & Record<string, Anything>,
  ) => void;
  /** What its cards say of its insides, for *About this model*: names and sentences. */
  facts?: (model: Anything) => [string, string][];
}

/**
 * The state as an experiment sees it: only while it is open, and once there are an image
 * and networks that can read it.
 */
export type LabState<Slice extends object> = Omit<AppState, "pixels" | "model"> &
  Slice & {
    pixels: Pixels;
    model: Model;
    /** Those that take part: switched on, with the same classes and size of images. */
    networks: readonly Model[];
    /** The class whose scores are followed: in focus, else the label, else what is read. */
    followed: number | null;
  };

/** The store as an experiment uses it. It rests while the experiment is closed. */
export interface LabStore<Slice extends object> {
  /** Null while it is closed, or lacks an image. */
  get: () => LabState<Slice> | null;
  subscribe: (check: () => void) => () => void;
  /** Change the slice. */
  set: (patch: Partial<Slice>) => void;
  watch: Watch<LabState<Slice>>;
}

/** What an experiment may ask of the server and of the page. */
export interface LabServices extends Services {
  /** Brings what shows a model. */
  loadNetwork: (model: Model) => Promise<Network>;
  /** Open Explore with an image, in a network; source: what is known of it. */
  openInExplore: (model: Model, pixels: Pixels, source?: Source) => void;
  /** Choose another network, and stay in the Lab. */
  useModel: (model: Model) => void;
  /** Have a network take part, or no more. */
  switchNetwork: (id: string) => void;
}

/** One experiment of the Lab; `lab/registry.js` says how one is added. */
export interface Experiment<Slice extends object> {
  /** Stands in links and in `data-experiment`. */
  id: string;
  title: string;
  /** Its fields: where they start, what they can hold, and how they stand in a link. */
  schema: { readonly [Key in keyof Slice]: SchemaField<Slice[Key]> };
  /** What it opens with besides where its fields start: there, networks differ. */
  opens?: Partial<Slice>;
  /** Whether it can ask a network; it can ask all when absent. */
  suits?: (model: Model) => boolean;
  /** What such a network does, as in "needs a network that turns toys". */
  needs?: string;
  tryFirst?: FirstTry<LabState<Slice>, Partial<Slice>>;
  /** Path of its module below `js/`, by which the page names what to preload. */
  script: string;
  /** An `import()` of that module. */
  load: () => Promise<{ mount: LabMount<Slice> }>;
}
/** Fills an experiment's markup. */
export type LabMount<Slice extends object> = (
  root: HTMLElement,
  store: LabStore<Slice>,
  services: LabServices,
) => void;
// biome-ignore lint/suspicious/noExplicitAny: the shell handles experiments it knows nothing of.
export type AnyExperiment = Experiment<any>;

/** One view of a network. */
export interface View {
  /** Stands in links and in `data-view`; the same layer has the same id in every network. */
  id: string;
  title: string;
  /** That of its panel. */
  markup: Markup;
  /** Such as 256×20×20. */
  shape: (model: Anything) => string;
  thumbnail: {
    needs: readonly string[];
    follows?: readonly Anything[];
    paint: (canvas: HTMLCanvasElement, trace: Anything, state: Anything) => void;
  };
  /** Tensors that it draws, those of the thumbnails included. */
  needs: readonly string[];
  /** Tensors of the intact run that stand beside those of the run on stage, while there are two. */
  compares?: readonly string[];
  /** Keys of the state that must not be null before it can be drawn. */
  requires?: readonly Anything[];
  /** Whether it has whatever else it needs. */
  isReady?: (state: Anything) => boolean;
  /** The state as it sees it, where that is not the network's. */
  see?: (state: Anything) => Anything;
  /** What it changes, by the keys of the network. */
  keysOf?: (patch: Anything) => Anything;
  /** Its folded panels, and by what names a link says what stands within each. */
  folds?: Folds;
  tryFirst?: FirstTry<Anything, Anything>;
  /** Path of its module below `js/`, by which the page names what to preload. */
  script: string;
  load: () => Promise<{
    mount: (
      root: HTMLElement,
      store: Anything,
      actions: Anything,
      services: Services,
    ) => void;
  }>;
}

/** By name, `data-panel` in the template, in the order of the page. */
export type Folds = Readonly<Record<string, readonly string[]>>;

/**
 * What a network compares of two images besides their scores.
 */
export interface Comparison {
  needs: readonly string[];
  /** Panels by the layers that bring them, each with its scenes. */
  load: () => Promise<
    {
      panels: readonly Panel<Anything, Anything>[];
      scenesOf: (store: ComparedStore) => Watched<Anything>;
    }[]
  >;
}
