/**
 * How a run learnt to read the image on show: what its network read, and drew, at moments of
 * it from the first to the last.
 * @import { AppState, Model, Pixels, Services, Trace } from "../types.js"
 * @import { Drawn } from "./curves.js"
 */
import { SCORES, scoresOf } from "../core/scores.js";
import { fittedTo, knownLabel } from "../core/state.js";
import { painted } from "../draw/picture.js";
import { counted, fixed, grouped } from "../lib/format.js";
import { latest } from "../lib/timing.js";
import { paintImage } from "../paint/heatmap.js";
import { findElement, setText } from "../ui/dom.js";
import { fill, h } from "../ui/h.js";
import { hasEnded } from "./history.js";

const MOST = 10; // moments
const RECONSTRUCTION = "reconstruction";

/** @typedef {{ step: number, images: number, model: Model, trace: Trace }} Read */
/** @typedef {{ run: string, moments: { step: number, images: number }[], pixels: Pixels }} Wish */

/**
 * At most so many of all, the first and the last among them.
 * @template Each
 * @param {readonly Each[]} all @param {number} most
 */
export function spread(all, most) {
  const count = Math.min(all.length, most);
  return Array.from(
    { length: count },
    (_, at) => all[Math.round(((all.length - 1) * at) / Math.max(1, count - 1))],
  );
}

/**
 * From when on it reads what it reads at the end.
 * @param {readonly { images: number, reads: number }[]} moments
 * @param {readonly string[]} names of the classes @param {number | null} label
 */
export function learntWords(moments, names, label) {
  const { reads = 0 } = moments.at(-1) ?? {};
  const since = moments.findLastIndex((moment) => moment.reads !== reads) + 1;
  const right = label === null ? "" : label === reads ? ", rightly," : ", wrongly,";
  const name = names[reads];
  if (since === moments.length - 1)
    return `It reads ${name}${right} at the last of these moments alone.`;
  const { images } = moments[since];
  const from =
    images === 0 ? "from before training on" : `from ${counted(images, "image")} on`;
  return `It reads ${name}${right} ${from}, at every moment shown.`;
}

/**
 * @param {HTMLElement} root @param {Pick<Services, "server" | "guarded">} services
 * @param {(step: number) => void} goTo
 */
export function mountStrip(root, { server, guarded }, goTo) {
  const [list, words] = ["moments", "words"].map((name) =>
    findElement(root, `[data-strip-${name}]`),
  );
  /** @type {Wish | null} */
  let wanted = null;
  /** @type {Read[]} */
  let cells = [];
  /** @type {{ step: number, source: AppState["source"] } | null} */
  let at = null;

  const ask = latest(
    guarded(async (/** @type {Wish} */ wish) => {
      /** @type {Read[]} */
      const all = [];
      for (const moment of wish.moments) {
        if (wish !== wanted) return; // of another image, or another run
        const model = await server.fetchModel(`${wish.run}@${moment.step}`);
        const names = [SCORES, ...(model.can.reconstruct ? [RECONSTRUCTION] : [])];
        const trace = await server.fetchTrace(
          model,
          fittedTo(wish.pixels, model),
          names,
        );
        all.push({ ...moment, model, trace });
      }
      if (wish !== wanted) return;
      cells = all;
      root.classList.remove("is-unread");
      draw();
    }),
  );

  /** @param {Read} read @param {number | null} label */
  function cellOf({ step, images, model, trace }, label) {
    const name = model.class_names[trace.prediction];
    const drawing = trace.tensors[RECONSTRUCTION]?.data;
    const score = fixed(scoresOf(trace)?.[trace.prediction] ?? 0, 2);
    const isWrong = label !== null && label !== trace.prediction;
    /** @param {HTMLCanvasElement} canvas @param {Float32Array} values */
    const paint = (canvas, values) => paintImage(canvas, values, trace.pixels);
    const title = `Step ${grouped(step)}, after ${counted(images, "image")}: ${name}, ${score}`;
    return h(
      "li",
      {},
      h(
        "button",
        {
          class: isWrong ? "is-wrong" : "",
          "aria-pressed": String(step === at?.step),
          "aria-label": title,
          onclick: () => goTo(step),
        },
        drawing && painted(drawing, paint, { "aria-hidden": "true" }),
        h("strong", {}, name),
        h("span", { class: "fine" }, score),
        h("span", { class: "fine" }, `step ${grouped(step)}`),
      ),
    );
  }

  function draw() {
    const [first] = cells;
    if (first === undefined || at === null) return;
    const label = knownLabel(at.source, first.model);
    fill(
      list,
      cells.map((cell) => cellOf(cell, label)),
    );
    const moments = cells.map(({ images, trace }) => ({
      images,
      reads: trace.prediction,
    }));
    setText(words, learntWords(moments, first.model.class_names, label));
  }

  return {
    /**
     * @param {Drawn} drawn @param {number} step on show
     * @param {Readonly<AppState>} state @param {Pixels | null} pixels
     */
    show({ run, history }, step, state, pixels) {
      const isHere =
        pixels !== null && hasEnded(history) && history.snapshots.length > 1;
      root.hidden = !isHere;
      if (!isHere || state.train.tab !== "inside") return;
      const { source } = state;
      const isOther = at?.step !== step || at.source !== source;
      at = { step, source };
      if (wanted?.run === run.id && wanted.pixels === pixels) {
        if (isOther) draw();
        return;
      }
      wanted = { run: run.id, moments: spread(history.snapshots, MOST), pixels };
      root.classList.add("is-unread"); // what it read in another image
      ask(wanted);
    },
  };
}
