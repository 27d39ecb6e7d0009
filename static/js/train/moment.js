/**
 * A network at one moment of its training: what it reads in the digit on show, each of its
 * layers, its first kernels, and what it draws.
 * @import { Scale } from "../lib/color.js"
 * @import { AppState, Model, Network, Pixels, RoutingShares, Services, Tensor, Trace } from "../types.js"
 */
import { holds } from "../core/rooms.js";
import { startOf } from "../core/schema.js";
import { SCORES, scoresOf, scoreWords } from "../core/scores.js";
import { fittedTo, knownLabel } from "../core/state.js";
import { painted } from "../draw/picture.js";
import { legend } from "../draw/tiles.js";
import { acrossSquare } from "../geometry/tiles.js";
import { reach } from "../lib/arithmetic.js";
import { diverging } from "../lib/color.js";
import { counted, sentences } from "../lib/format.js";
import { latest } from "../lib/timing.js";
import { paintImage, paintTiles } from "../paint/heatmap.js";
import { scoreColumns } from "../ui/bars.js";
import { fill, h } from "../ui/h.js";
import { marginLoss, marginsOf } from "./margin.js";
import { awakeWords, digitWords, shareWords } from "./words.js";

const RECONSTRUCTION = "reconstruction";

/** @param {Wish | null} wish @returns {string | null} the run's id */
const runOf = (wish) => wish?.id.split("@")[0] ?? null;

/** A moment of a run: the model's id, and how many images it had seen. */
/** @typedef {{ id: string, images: number, title: string, pixels: Pixels, state: Readonly<AppState> }} Wish */

/** @typedef {{ wish: Wish, model: Model, network: Network, trace: Trace, kernels: Tensor | null, shares: RoutingShares | null }} Moment */

/**
 * @param {HTMLElement} root filled
 * @param {HTMLElement} beside the curves: filled with what it reads, in short
 * @param {Pick<Services, "server" | "guarded">} services
 * @param {(model: Model) => Promise<Network>} loadNetwork
 * @param {KernelScale} kernelScale of all moments on show
 * @param {() => void} onShown called whenever another moment is on show
 */
export function createMoment(
  root,
  beside,
  { server, guarded },
  loadNetwork,
  kernelScale,
  onShown,
) {
  /** @type {Moment | null} */
  let current = null;
  kernelScale.watch(draw);

  /** @type {Wish | null} */
  let newest = null;
  const answer = latest(
    guarded(async (/** @type {Wish} */ wish) => {
      const model = await server.fetchModel(wish.id);
      const network = await loadNetwork(model);
      const shares = sharesOf(model, network);
      const names = new Set([
        ...[SCORES, ...(shares === null ? [] : [shares.tensor])],
        ...(model.can.reconstruct ? [RECONSTRUCTION] : []),
        ...network.views.flatMap(({ thumbnail }) => thumbnail.needs),
      ]);
      const [trace, kernels] = await Promise.all([
        server.fetchTrace(model, fittedTo(wish.pixels, model), [...names]),
        kernelsOf(model),
      ]);
      current = { wish, model, network, trace, kernels, shares };
      if (kernels) kernelScale.holds(kernels.data);
      onShown();
      draw();
    }),
  );

  /** @param {Model} model */
  async function kernelsOf(model) {
    if (model.kernels.length === 0) return null;
    const tensors = await server.fetchOwnTensors(model, "kernels");
    return tensors[model.kernels[0]] ?? null;
  }

  /** What is told of another image is hidden until this one is read; its room is kept. */
  function hideOther() {
    const isOther =
      current !== null && newest !== null && current.wish.pixels !== newest.pixels;
    for (const element of [root, beside])
      element.classList.toggle("is-unread", isOther);
  }

  function draw() {
    if (current === null) return;
    hideOther();
    const { wish, model, network, trace } = current;
    const values = scoresOf(trace);
    root.hidden = beside.hidden = runOf(wish) !== runOf(newest); // it may come too late
    const title = `${wish.title} after ${counted(wish.images, "image")}`;
    const heading = h("h4", { class: "train-moment-title" }, title);
    if (values === null) {
      fill(beside, heading);
      return fill(root, heading);
    }
    const label = knownLabel(wish.state.source, model);
    const wanted = label === null ? [] : [label];
    const all = scoreWords(model).title;
    const bars = scoreColumns(model.class_names, all, values, trace.present, wanted);
    const reads = digitWords(values, model, label);
    fill(beside, heading, h("p", { class: "train-reads" }, reads), [
      h("div", { class: "train-scores" }, h("p", { class: "fine" }, all), bars),
      drawnBy(current),
    ]);
    const fields = startOf(network.schema(model));
    const state = { ...wish.state, ...fields, model, network, trace };
    const layers = network.views.flatMap(({ thumbnail, title }) => {
      const isLarge = thumbnail.needs.includes(RECONSTRUCTION); // shown beside
      if (isLarge || !holds(trace, model, thumbnail.needs)) return [];
      const paint = (/** @type {HTMLCanvasElement} */ canvas) =>
        thumbnail.paint(canvas, trace, state);
      const canvas = painted(current, paint, { role: "img", "aria-label": title });
      return h("figure", {}, canvas, h("figcaption", { class: "fine" }, title));
    });
    fill(
      root,
      heading,
      h("p", { class: "train-reads" }, reads),
      h(
        "div",
        { class: "train-now" },
        h(
          "div",
          { class: "train-answer" },
          h("div", { class: "train-scores" }, h("p", { class: "fine" }, all), bars),
          drawnBy(current),
          h("div", { class: "train-layers" }, layers),
        ),
        kernelsOn(current.kernels, kernelScale.now()),
      ),
      h("p", { class: "fine" }, insideWords(current)),
      costOf(model, values, label ?? trace.prediction),
    );
  }

  return {
    /** @param {Wish | null} wish asked for once, until something else is; null: nothing */
    ask(wish) {
      const isSame = newest?.id === wish?.id && newest?.pixels === wish?.pixels;
      newest = wish;
      root.hidden =
        runOf(wish) === null || runOf(wish) !== runOf(current?.wish ?? null);
      beside.hidden = root.hidden;
      hideOther();
      if (!isSame && wish !== null) answer(wish);
    },

    /** What is on show. @returns {Moment | null} */
    shown: () => (root.hidden ? null : current),
  };
}

/** What its lengths cost. @param {Model} model @param {ArrayLike<number>} lengths @param {number} there */
function costOf(model, lengths, there) {
  const margins = marginsOf(model);
  const isRouted = model.layers.some(({ form }) => form === "dynamic");
  return margins && marginLoss(margins, lengths, there, model.class_names, isRouted);
}

/**
 * What its routing shares out; null where it does not route, or where that is too large to
 * be asked at every moment.
 * @param {Model} model @param {Network} network
 * @returns {RoutingShares | null}
 */
function sharesOf(model, { shares }) {
  const isLarge = model.tensors.some(
    ({ name, on_request }) => name === shares?.tensor && on_request,
  );
  return isLarge ? null : (shares ?? null);
}

/** Its capsules and its routing, in words. @param {Moment} moment */
function insideWords({ model, network, trace, shares }) {
  const { mistake = "none" } = model.card.config;
  const tensor = shares && trace.tensors[shares.tensor];
  const isRight = mistake === "none"; // words on shares are about right routing
  const partWords =
    isRight && shares && tensor
      ? shareWords(shares, tensor, trace.prediction, model.class_names)
      : "";
  return sentences([awakeWords(network.awake(trace)), partWords]);
}

/**
 * One scale for the kernels of all moments of the runs on show, as far as any seen reaches:
 * on scales of their own, kernels would look alike however much they grow.
 */
export function createKernelScale() {
  let most = 0;
  /** @type {(() => void)[]} */
  const paints = [];
  return {
    /** @param {() => void} paint called when the scale has grown */
    watch: (paint) => paints.push(paint),

    /** @param {ArrayLike<number>} weights which it must have room for */
    holds(weights) {
      const before = most;
      most = Math.max(most, reach(weights));
      if (most > before) for (const paint of paints) paint();
    },

    /** Other runs are on show. */
    forget() {
      most = 0;
    },

    now: () => diverging(most || 1),
  };
}

/** @typedef {ReturnType<typeof createKernelScale>} KernelScale */

/**
 * The kernels of the first layer.
 * @param {Tensor | null} tensor (…, rows, columns) @param {Scale} scale
 */
function kernelsOn(tensor, scale) {
  if (tensor === null) return null;
  const { shape, data } = tensor;
  const [rows, columns] = shape.slice(-2);
  const count = data.length / (rows * columns);
  const layout = { count, across: acrossSquare(count), rows, columns, gap: 1 };
  const paint = (/** @type {HTMLCanvasElement} */ canvas) =>
    paintTiles(canvas, data, layout, () => scale);
  const all = `${count} kernels of the first layer`;
  return h(
    "figure",
    { class: "train-kernels", "aria-label": all },
    painted({ data, scale }, paint, { role: "img", "aria-label": `The ${all}` }),
    h("figcaption", {}, legend(scale, `${all}, one scale for all moments`)),
  );
}

/** What the network draws of the class that it reads. @param {Moment} moment */
function drawnBy({ model, trace }) {
  const values = trace.tensors[RECONSTRUCTION]?.data;
  if (values === undefined) return null;
  const name = model.class_names[trace.prediction];
  /** @param {HTMLCanvasElement} canvas @param {Float32Array} of */
  const paint = (canvas, of) => paintImage(canvas, of, trace.pixels);
  const look = { role: "img", "aria-label": `What the network draws of its ${name}` };
  const caption = h("figcaption", { class: "fine" }, `Reconstruction of ${name}`);
  return h("figure", { class: "train-drawn" }, painted(values, paint, look), caption);
}
