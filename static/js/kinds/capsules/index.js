/**
 * Capsules, each with a pose and an activation: types of them at every place of a grid, or
 * a few alone, all of which see the same.
 * @import { Layout } from "../../geometry/tiles.js"
 * @import { Field } from "../../core/schema.js"
 * @import { Awake, Kind, Layer, Tensor, TraceOf } from "../types.js"
 * @import { CapsulesState } from "./types.js"
 */
import { holds } from "../../core/rooms.js";
import { optional, whole } from "../../core/schema.js";
import { acrossSquare } from "../../geometry/tiles.js";
import { largestOf } from "../../lib/arithmetic.js";
import { sequential } from "../../lib/color.js";
import { paintTiles } from "../../paint/heatmap.js";
import { middleOf } from "../convolution/field.js";
import { linkOf } from "../layer-state.js";
import { entryField } from "../matrices.js";
import { chosen, isAlone, isCut, isDepthwise, isVector, isWorked } from "./forms.js";
import { glance } from "./glance.js";
import { gridOf, numberOf } from "./places.js";

const MANY = 16; // types: more than fit into two rows of a thumbnail

/**
 * Its tensors: `poses`, vectors or matrices, and `activation`, which of vectors is the
 * length. Vectors have `before`, before squash, and `below`, the maps that a convolution
 * reads them from; only the shape of these is needed, unless each number is one map times a
 * kernel that is known, by the weight `kernels`. Matrices vote, by the weight
 * `transforms`, for the layer named in the words as `above`. `moved` is what moves with a
 * stroke, in layers that take part in that. Vectors of the form "alone" have no grid: each
 * number is the product of one map below and a kernel as large as it. The word `squash` says
 * which one shortens them, where it is not the first paper's.
 * @type {Kind}
 */
export const capsules = {
  name: "capsules",
  words: () => ({
    text: "Each capsule has an activation, how present what it looks for is, and a pose, a 4×4 matrix of numbers.",
  }),
  markup(layer) {
    if (isCut(layer)) return "capsules-cut";
    return isDepthwise(layer) ? "capsules-alone" : "capsules";
  },
  values: ({ form = "vectors" }) => ({ form }),
  ownKeys: ["capsule", "followsStrongest", "dimension"],
  fields: fieldsOf,
  folds: { portrait: [] },
  needs: (layer) => [
    ...["poses", "activation", "before"],
    ...(isWorked(layer) ? ["below"] : []),
  ],
  shape: (model, layer) => layer.shapeOf(model, "poses").join("×"),
  glance,
  thumbnail: {
    needs: ["activation"],
    paint: (canvas, trace) =>
      paintTiles(canvas, trace.tensors.activation.data, tilesOf(trace), () =>
        sequential(0, 1),
      ),
  },
  tryFirst: (layer) => ({
    words: isAlone(layer)
      ? "Where does the next longest capsule come from?"
      : `What does the ${isVector(layer) ? "longest" : "most active"} capsule of another type see?`,
    button: "Choose it",
    at: isAlone(layer) ? "[data-all] canvas" : "[data-type-grid] canvas",
    change: (/** @type {CapsulesState} */ { trace, capsule }) =>
      chosen(layer, strongestElsewhere(trace.tensors.activation, capsule)),
  }),
  focus({ model, layer }, { tile: type, row, column }) {
    if (type === undefined) return {};
    const grid = gridOf(layer.shapeOf(model, "activation"));
    return chosen(layer, numberOf(grid, { type, row, column }));
  },
  strongest: {
    keys: ["capsule"],
    of: ({ trace }) =>
      trace?.tensors.activation && {
        capsule: largestOf(trace.tensors.activation.data),
      },
  },
  start: (store) => followLongest(store),
  awake: ({ tensors: { activation } }, layer) => awake(activation, layer),
  tasks: {
    /** The chosen capsule is one that somebody chose, longer than said. */
    "long-capsule"({ trace, capsule, followsStrongest }, { than }) {
      const lengths = trace?.tensors.activation?.data;
      if (lengths === undefined || followsStrongest) return false;
      return lengths[capsule] > (than ?? 0);
    },
  },
  script: "kinds/capsules/panels.js",
  load: () => import("./panels.js"),
};

/**
 * The strongest capsule of another type than the one on show, which is the strongest of all
 * as the view opens.
 * @param {Tensor} activation @param {number | null} capsule
 */
function strongestElsewhere({ shape: [types], data }, capsule) {
  const typeOf = (/** @type {number} */ at) => Math.floor((at * types) / data.length);
  const ownType = typeOf(capsule ?? largestOf(data));
  const others = data.map((value, at) =>
    types > 1 && typeOf(at) === ownType ? -1 : value,
  );
  return largestOf(others);
}

/**
 * Until somebody chooses one, the longest capsule of the image is the one in focus; where
 * routing is known, it knows which gives the most, and has the last word.
 * @param {import("../types.js").KeepingStore<any>} store
 */
function followLongest(store) {
  store.watch(["trace", "followsStrongest", "model"], (state) => {
    const { trace, followsStrongest, model } = state;
    if (followsStrongest !== true || !holds(trace, model, ["activation"])) return;
    const capsule = largestOf(trace.tensors.activation.data);
    if (capsule !== store.get()?.capsule) store.set({ capsule });
  });
}

/** A capsule below this says that what it looks for is hardly there. */
const LEAST = 0.1;

/**
 * How many capsules answer, and how many types have none that does.
 * @param {Tensor} activation @param {Pick<Layer, "title" | "form">} layer
 * @returns {Awake}
 */
function awake({ shape, data }, layer) {
  const answering = Array.from(data, (value) => value > LEAST);
  const [types] = shape;
  const size = data.length / types;
  const isStarved = (/** @type {number} */ type) =>
    !answering.slice(type * size, (type + 1) * size).includes(true);
  return {
    title: layer.title,
    words: `${isVector(layer) ? "longer" : "more active"} than ${LEAST}`,
    count: answering.filter(Boolean).length,
    of: data.length,
    starved:
      size === 1
        ? null
        : {
            count: Array.from({ length: types }, (_, i) => i).filter(isStarved).length,
            of: types,
          },
  };
}

/** @type {NonNullable<Kind["fields"]>} */
function fieldsOf(model, layer) {
  const shape = layer.shapeOf(model, "activation");
  const { rows, columns } = gridOf(shape);
  const named = { link: linkOf(layer, "capsule"), most: sizeOf(shape) - 1 };
  if (!isVector(layer)) return { capsule: optional(named), entry: entryField() };
  const capsule = whole({ ...named, start: middleOf(rows, columns) });
  const [numbers] = layer.shapeOf(model, "poses").slice(-1);
  return {
    ...followingFields(capsule),
    dimension: whole({ link: linkOf(layer, "dimension"), most: numbers - 1 }),
  };
}

/**
 * A capsule that follows what gives the most to the class in focus until somebody chooses
 * one: only then does a link keep it.
 * @param {Field<number>} capsule
 */
export function followingFields(capsule) {
  const { write, read } = capsule;
  return {
    capsule: {
      ...capsule,
      write: (
        /** @type {URLSearchParams} */ link,
        /** @type {number} */ value,
        /** @type {number} */ _start,
        /** @type {CapsulesState} */ { followsStrongest },
      ) => {
        if (!followsStrongest) write?.(link, value, Number.NaN, null);
      },
    },
    followsStrongest: {
      start: () => true,
      read: (/** @type {URLSearchParams} */ link) =>
        Number.isNaN(read?.(link, Number.NaN, null)),
    },
  };
}

/** @param {readonly number[]} shape */
const sizeOf = (shape) => shape.reduce((product, size) => product * size, 1);

/** @param {TraceOf<"activation">} trace @returns {Layout} */
function tilesOf({ tensors }) {
  const { shape } = tensors.activation;
  const [count] = shape;
  if (shape.length === 1)
    return { count, across: acrossSquare(count), rows: 1, columns: 1, gap: 0 };
  const across = Math.ceil(count / (count > MANY ? 4 : 2));
  return { count, across, ...gridOf(shape), gap: 1 };
}
