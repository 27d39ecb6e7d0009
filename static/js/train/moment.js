/**
 * A network at one moment of its training: what it reads in the digit on show, each of its
 * layers, its first kernels, and what it draws.
 * @import { AppState, Model, Network, Pixels, RoutingForm, Services, Tensor, Trace, TraceOf, View } from "../types.js"
 */
import { holds } from "../core/rooms.js";
import { startOf } from "../core/schema.js";
import { SCORES, scoresOf, scoreWords } from "../core/scores.js";
import { fittedTo, knownLabel } from "../core/state.js";
import { acrossSquare } from "../geometry/tiles.js";
import { reach } from "../lib/arithmetic.js";
import { diverging } from "../lib/color.js";
import { counted } from "../lib/format.js";
import { latest } from "../lib/timing.js";
import { paintImage, paintTiles } from "../paint/heatmap.js";
import { scoreColumns } from "../ui/bars.js";
import { make, setText } from "../ui/dom.js";
import { showLegend } from "../ui/pictures.js";
import { awakeWords, digitWords, shareWords } from "./words.js";

const RECONSTRUCTION = "reconstruction";

/** @param {Wish | null} wish @returns {string | null} the run's id */
const runOf = (wish) => wish?.id.split("@")[0] ?? null;

/** A moment of a run: the model's id, and how many images it had seen. */
/** @typedef {{ id: string, images: number, title: string, pixels: Pixels, state: Readonly<AppState> }} Wish */

/** @typedef {{ wish: Wish, model: Model, network: Network, trace: Trace, kernels: Tensor | null, form: RoutingForm<string> | null }} Found */

/**
 * @param {HTMLElement} root filled
 * @param {Pick<Services, "server" | "guarded">} services
 * @param {(model: Model) => Promise<Network>} loadNetwork
 * @param {KernelScale} kernelScale of all moments on show
 */
export function createMoment(root, { server, guarded }, loadNetwork, kernelScale) {
  const title = make("h4", "train-moment-title");
  const words = make("p", "train-reads");
  const inside = make("p", "fine");
  const scores = make("div", "train-scores");
  const layers = make("div", "train-layers");
  const kernels = createKernels(kernelScale);
  const drawn = createDrawn();
  const now = make("div", "train-now", scores, drawn.element, kernels.element);
  root.replaceChildren(title, words, now, layers, inside);
  /** @type {{ model: Model, columns: ReturnType<typeof scoreColumns>, layers: { thumbnail: View["thumbnail"], canvas: HTMLCanvasElement }[] } | null} */
  let built = null;
  /** @type {Found | null} */
  let shown = null;

  /** @type {Wish | null} */
  let asked = null;
  const answer = latest(
    guarded(async (/** @type {Wish} */ wish) => {
      const model = await server.fetchModel(wish.id);
      const network = await loadNetwork(model);
      const form = await formOf(model, network);
      const names = [
        ...new Set([
          SCORES,
          ...(form?.needs ?? []),
          ...(model.can.reconstruct ? [RECONSTRUCTION] : []),
          ...network.views.flatMap(({ thumbnail }) => thumbnail.needs),
        ]),
      ];
      const [trace, own] = await Promise.all([
        server.fetchTrace(model, fittedTo(wish.pixels, model), names),
        kernelsOf(model),
      ]);
      show({ wish, model, network, trace, kernels: own, form });
    }),
  );

  /** @param {Model} model */
  async function kernelsOf(model) {
    if (model.kernels.length === 0) return null;
    const tensors = await server.fetchOwnTensors(model, "kernels");
    return tensors[model.kernels[0]] ?? null;
  }

  /** @param {Found} found */
  function show(found) {
    shown = found;
    const { wish, model, network, trace } = found;
    const isOther =
      built === null ||
      built.model.architecture !== model.architecture ||
      built.model.class_names.join() !== model.class_names.join();
    const parts = built === null || isOther ? build(model, network) : built;
    built = parts;
    const values = scoresOf(trace);
    root.hidden = runOf(wish) !== runOf(asked); // it may come too late
    setText(title, `${wish.title} after ${counted(wish.images, "image")}`);
    if (values === null) return;
    const label = knownLabel(wish.state.source, model);
    setText(words, digitWords(values, trace, model, label));
    parts.columns.show(values, trace.present, label === null ? [] : [label]);
    const state = {
      ...wish.state,
      ...startOf(network.schema(model)),
      ...{ model, network, trace },
    };
    for (const { thumbnail, canvas } of parts.layers)
      if (holds(trace, model, thumbnail.needs)) thumbnail.paint(canvas, trace, state);
    kernels.show(found.kernels);
    setText(inside, insideWords(found));
    drawn.show(found);
  }

  /** @param {Model} model @param {Network} network */
  function build(model, network) {
    const { title: all } = scoreWords(model);
    const columns = scoreColumns(model.class_names, all);
    scores.replaceChildren(make("p", "fine", all), columns.element);
    const views = network.views.filter(
      ({ thumbnail }) => !thumbnail.needs.includes(RECONSTRUCTION), // shown large
    );
    const made = views.map((view) => ({
      thumbnail: view.thumbnail,
      title: view.title,
      canvas: make("canvas", { role: "img", "aria-label": view.title }),
    }));
    layers.replaceChildren(
      ...made.map((each) =>
        make("figure", "", each.canvas, make("figcaption", "fine", each.title)),
      ),
    );
    return { model, columns, layers: made };
  }

  return {
    /** @param {Wish | null} wish asked for once, until something else is; null: nothing */
    ask(wish) {
      const isSame = asked?.id === wish?.id && asked?.pixels === wish?.pixels;
      asked = wish;
      root.hidden = runOf(wish) === null || runOf(wish) !== runOf(shown?.wish ?? null);
      if (!isSame && wish !== null) answer(wish);
    },

    /** What is on show. @returns {Found | null} */
    shown: () => (root.hidden ? null : shown),
  };
}

/**
 * What its routing is made of; null where it does not route, or where that is too large to
 * be asked at every moment.
 * @param {Model} model @param {Network} network
 * @returns {Promise<RoutingForm<string> | null>}
 */
async function formOf(model, network) {
  const { form } = (await network.routing?.()) ?? {};
  const isLarge = (/** @type {string} */ name) =>
    model.tensors.some((each) => each.name === name && each.on_request);
  return form === undefined || form.needs.some(isLarge) ? null : form;
}

/** Its capsules and its routing, in words. @param {Found} found */
function insideWords({ model, network, trace, form }) {
  const words = [awakeWords(network.awake(trace))];
  const course = form?.courseOf(/** @type {TraceOf<string>} */ (trace));
  const { mistake = "none" } = model.card.config;
  if (form && course && mistake === "none")
    // words on shares are about right routing
    words.push(shareWords(form, course, trace.prediction, model.class_names));
  return words.filter(Boolean).join(" ");
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

/** The kernels of the first layer. @param {KernelScale} kernelScale */
function createKernels(kernelScale) {
  const canvas = make("canvas", { role: "img" });
  const legend = make("div");
  const caption = make("figcaption", "", legend);
  const element = make("figure", "train-kernels", canvas, caption);
  /** @type {Tensor | null} */
  let shown = null;

  function paint() {
    if (shown === null) return;
    const { shape, data } = shown;
    const [rows, columns] = shape.slice(-2);
    const count = data.length / (rows * columns);
    const scale = kernelScale.now();
    const layout = { count, across: acrossSquare(count), rows, columns, gap: 1 };
    paintTiles(canvas, data, layout, () => scale);
    canvas.setAttribute("aria-label", `The ${count} kernels of the first layer`);
    const unit = `${count} kernels of the first layer, one scale for all moments`;
    showLegend(legend, scale, { unit });
  }
  kernelScale.watch(paint);

  return {
    element,

    /** @param {Tensor | null} tensor */
    show(tensor) {
      shown = tensor;
      element.hidden = tensor === null;
      if (tensor === null) return;
      kernelScale.holds(tensor.data);
      paint();
    },
  };
}

/** What the network draws of the class that it reads. */
function createDrawn() {
  const canvas = make("canvas", { role: "img" });
  const caption = make("figcaption", "fine");
  const element = make("figure", "train-drawn", canvas, caption);
  return {
    element,

    /** @param {Found} found */
    show({ model, trace }) {
      const values = trace.tensors[RECONSTRUCTION]?.data;
      element.hidden = values === undefined;
      if (values === undefined) return;
      const name = model.class_names[trace.prediction];
      paintImage(canvas, values, trace.pixels);
      canvas.setAttribute("aria-label", `What the network draws of its ${name}`);
      setText(caption, `Reconstruction of ${name}`);
    },
  };
}
