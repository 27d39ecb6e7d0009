/**
 * Where the numbers of a capsule without a grid come from: each is one map below times one
 * kernel, summed, and a bias.
 * @import { KindActions, Layer } from "../types.js"
 * @import { At } from "../../ui/maps.js"
 * @import { CapsulesState, CapsulesStore } from "./types.js"
 */

import { fieldAt } from "../../geometry/windows.js";
import { reach } from "../../lib/arithmetic.js";
import { diverging } from "../../lib/color.js";
import { fixed, signed } from "../../lib/format.js";
import { memoize } from "../../lib/memoize.js";
import { listenToChoices, pressChoice } from "../../ui/controls.js";
import { find, findElement, make, setText, uniqueId, writer } from "../../ui/dom.js";
import { fill } from "../../ui/h.js";
import { tileSheet } from "../../ui/maps.js";
import { showLegend } from "../../ui/pictures.js";
import { showSeenFirst } from "../../ui/seen.js";
import { checkText } from "../convolution/beneath.js";
import { biasedSum, productGrids } from "../convolution/products.js";

/** What the three sheets show. */
const STAGES = /** @type {const} */ ({
  maps: { one: "map", unit: "activation after batch norm" },
  kernels: { one: "kernel for map", unit: "kernel weight" },
  products: { one: "product of map and kernel", unit: "product" },
});

/** @typedef {keyof typeof STAGES} Stage */

/**
 * The numbers of a capsule and what each is made of.
 * @typedef {object} Depthwise
 * @property {number} first map of the capsule; the others follow
 * @property {number} rows of a map
 * @property {number} columns
 * @property {Record<Stage, Float32Array>} values (numbers, rows, columns)
 * @property {number[]} biases (numbers)
 * @property {number[]} totals (numbers), before squash
 */

/**
 * @param {CapsulesState["trace"]["tensors"]["below"]} maps (maps, rows, columns)
 * @param {Pick<CapsulesState["weights"], "kernels" | "bias">} weights (maps, rows, columns)
 *   and (maps)
 * @param {number} capsule
 * @param {number} count its numbers
 * @returns {Depthwise}
 */
export function depthwise({ shape, data }, { kernels, bias }, capsule, count) {
  const [, rows, columns] = shape;
  const size = rows * columns;
  const first = capsule * count;
  const own = (/** @type {Float32Array} */ all) =>
    all.subarray(first * size, (first + count) * size);
  const values = { maps: own(data), kernels: own(kernels.data) };
  const products = values.maps.map((value, i) => value * values.kernels[i]);
  const biases = [...bias.data.subarray(first, first + count)];
  const totals = biases.map((each, number) =>
    products
      .subarray(number * size, (number + 1) * size)
      .reduce((sum, product) => sum + product, each),
  );
  return { first, rows, columns, values: { ...values, products }, biases, totals };
}

/**
 * @param {HTMLElement} view @param {CapsulesStore} store @param {KindActions} actions
 * @param {Layer} layer
 */
export function mountDepthwise(view, store, actions, layer) {
  const root = findElement(view, "[data-depthwise]");
  const title = findElement(root, "[data-depthwise-title]");
  const readout = findElement(root, "[data-readout]");
  const sums = findElement(root, "[data-dimensions]");
  const open = find(root, "[data-open-map]", HTMLButtonElement);
  const below = layer.network.find(({ id }) => id === layer.below);
  const choose = (/** @type {number} */ dimension) => store.set({ dimension });
  /** @type {{ found: Depthwise, dimension: number } | null} */
  let shown = null;
  let showProducts = () => {};

  const sheets = Object.keys(STAGES).map((name) =>
    mountSheet(findElement(root, `[data-${name}]`), /** @type {Stage} */ (name), {
      choose,
      hover(stage, at) {
        tell(stage, at);
        look(at);
      },
    }),
  );
  const write = writer(root);
  const place = findElement(root, "[data-one-number]");
  const told = uniqueId("product");
  /** @type {{ row: number, column: number } | null} */
  let cell = null;
  /** @param {typeof cell} at */
  function point(at) {
    look(at);
    cell = at ?? cell;
    showProducts();
  }

  /** What a pixel of the maps sees. @param {{ row: number, column: number } | null} cell */
  function look(cell) {
    const model = store.get()?.model;
    const seen = model ? below?.reach(model) : null;
    actions.lookAt(cell && seen ? fieldAt(seen, cell) : null);
  }

  /** @param {Stage} stage @param {At | null} at */
  function tell(stage, at) {
    if (shown === null) return;
    const { found, dimension } = shown;
    const number = at?.tile ?? dimension;
    const words = `number ${number + 1}: ${signed(found.totals[number])}`;
    const value = at && found.values[stage][indexIn(found, at)];
    setText(
      readout,
      at === null || value === null
        ? words
        : `${words}; ${STAGES[stage].one} ${found.first + number}, row ${at.row}, column ${at.column}: ${fixed(value)}`,
    );
  }

  open.addEventListener("click", () => {
    if (shown === null) return;
    const { rows, columns, first } = shown.found;
    store.set({ mapBelow: first + shown.dimension });
    const middle = (/** @type {number} */ count) => Math.floor((count - 1) / 2);
    actions.openUnit(layer.below ?? "", { row: middle(rows), column: middle(columns) });
  });
  const workOut = memoize(
    (
      /** @type {CapsulesState["trace"]} */ { tensors },
      /** @type {CapsulesState["weights"]} */ weights,
      /** @type {number} */ capsule,
    ) => depthwise(tensors.below, weights, capsule, tensors.before.shape[1]),
  );
  const showSums = memoize((/** @type {Depthwise} */ { totals }) => {
    if (sums.childElementCount !== totals.length) {
      const made = totals.map((_, i) => make("button", { "data-value": String(i) }));
      sums.replaceChildren(...made);
      listenToChoices(sums, (value) => choose(Number(value)));
    }
    totals.forEach((total, i) => {
      setText(sums.children[i], fixed(total, 2));
      sums.children[i].setAttribute(
        "aria-label",
        `number ${i + 1}: ${fixed(total, 2)}`,
      );
    });
  });

  const show = showSeenFirst(
    root,
    (
      /** @type {CapsulesState["trace"]} */ trace,
      /** @type {CapsulesState["weights"]} */ weights,
      /** @type {number} */ capsule,
      /** @type {number} */ dimension,
    ) => {
      const found = workOut(trace, weights, capsule);
      shown = { found, dimension };
      const map = found.first + dimension;
      for (const sheet of sheets) sheet(found, dimension);
      showSums(found);
      pressChoice(sums, String(dimension));
      tell("maps", null);
      const size = found.rows * found.columns;
      const [from, to] = [dimension * size, (dimension + 1) * size];
      const patch = found.values.maps.subarray(from, to);
      const products = found.values.products.subarray(from, to);
      const [bias, total] = [found.biases[dimension], found.totals[dimension]];
      const grids = {
        ...{
          told,
          name: "map",
          where: `${map} of ${below?.title}`,
          unit: "activation",
        },
        ...{ patch, weights: found.values.kernels.subarray(from, to), products },
        ...{ columns: found.columns, scale: diverging(reach(patch) || 1), point },
      };
      const result = `number ${dimension + 1}, before squash`;
      const sum = biasedSum({ bias, total }, `sum of the ${size} products`, result);
      showProducts = () => fill(place, productGrids({ ...grids, cell }), sum);
      showProducts();
      const last = found.first + found.totals.length - 1;
      setText(
        title,
        `The ${found.totals.length} numbers of capsule ${capsule}, from maps ${found.first} to ${last}`,
      );
      write("number-title", `Number ${dimension + 1}: map ${map} × its kernel`);
      const traced = trace.tensors.before.data[map];
      write(
        "check",
        checkText(
          { products, total },
          traced,
          `Worked out here from ${below?.title}'s maps`,
          "maps come in half precision, which keeps about three digits",
        ),
      );
      setText(open, `Open map ${map} in ${below?.title}`);
    },
  );
  store.watch(["trace", "weights", "capsule", "dimension"], (state) =>
    show(state.trace, state.weights, state.capsule, state.dimension),
  );
}

/** @param {Depthwise} found @param {At} at */
const indexIn = ({ rows, columns }, { tile, row, column }) =>
  (tile * rows + row) * columns + column;

/**
 * One of the three rows of tiles, a tile for each number.
 * @param {HTMLElement} root @param {Stage} stage
 * @param {{ choose: (number: number) => void, hover: (stage: Stage, at: At | null) => void }} hand
 */
function mountSheet(root, stage, { choose, hover }) {
  const legend = findElement(root, "[data-legend]");
  const sheet = tileSheet(findElement(root, ".overlaid"), {
    across: ({ count }) => count,
    choose,
    hover: (at) => hover(stage, at),
  });
  const tilesOf = memoize((/** @type {Depthwise} */ found) => {
    const { values, totals, rows, columns } = found;
    const scale = diverging(reach(values[stage]) || 1);
    showLegend(legend, scale, { unit: STAGES[stage].unit, decimals: 3 });
    return {
      ...{ values: values[stage], count: totals.length, rows, columns, gap: 1 },
      order: totals.map((_, i) => i),
      scaleOf: () => scale,
    };
  });
  return (/** @type {Depthwise} */ found, /** @type {number} */ number) => {
    const tiles = tilesOf(found);
    sheet.show(tiles, tiles.order, number);
  };
}
