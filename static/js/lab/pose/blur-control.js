/**
 * The control for turns: bilinear interpolation blurs, so the digit is turned and
 * turned back, and every network is asked what this blur alone changes.
 * @import { LabServices, LabStore, Model, Pixels } from "../../types.js"
 * @import { Panel } from "../../ui/panel.js"
 * @import { Sweep } from "../shared/ask.js"
 * @import { SweepSlice } from "../shared/sweep.js"
 */
import { toldScenes } from "../../core/scenes.js";
import { saidWithin, scoreText, scoreWords } from "../../core/scores.js";
import { painted } from "../../draw/picture.js";
import { changedPixels } from "../../lib/changing.js";
import { inkOf } from "../../lib/pixels.js";
import { paintOver } from "../../paint/pictures.js";
import { h } from "../../ui/h.js";
import { answerAtRest, sweepBy } from "../shared/ask.js";
import { scoresOver } from "../shared/sweep.js";
import { blurWords, THERE } from "./words.js";

const REST_MS = 400;

/**
 * The image as it was and turned there and back, what was read in both, and the class
 * followed.
 * @typedef {{ images: readonly [Pixels, Pixels], sweeps: readonly Sweep[], followed: number | null }} Blurred
 */

/** @type {Panel<Blurred>} */
export const blur = {
  ...{ id: "blur", isFolded: true, title: `Control: turned by ${THERE}° and back` },
  numbers: (scene) => (scene.followed === null ? null : scene),
  line: (scene) => toldOf(scene).line,
  picture: (scene) =>
    h(
      "div",
      { class: "pose-blur" },
      painted(
        scene.images,
        (canvas, [original, back]) => paintOver(canvas, back, original),
        { role: "img", "aria-label": `The image, turned by ${THERE}° and back` },
      ),
      h("p", {}, toldOf(scene).each),
    ),
  words: [
    "A turn interpolates between pixels, which blurs. This image has only been blurred.",
  ],
};

/** @param {Blurred} scene */
function toldOf({ sweeps, followed }) {
  const classIndex = followed ?? 0;
  return blurWords(
    sweeps[0]?.model.class_names[classIndex] ?? "",
    sweeps.map((sweep) => {
      const { model, said } = sweep;
      const [was, reads] = said.map((each) => saidWithin(each, model));
      const [before, after] = scoresOver(sweep, classIndex).map((score) =>
        scoreText(score, model.scores),
      );
      return {
        ...{ title: model.title, one: scoreWords(model).one },
        ...{ reads: [was, reads], scores: [before, after] },
      };
    }),
  );
}

/** @param {LabStore<SweepSlice>} store @param {LabServices} services */
export function blurScenes(store, services) {
  /** @type {ReturnType<typeof toldScenes<Blurred>>} */
  const { watch, tell } = toldScenes();
  const control = answerAtRest(
    services,
    {
      wish: store.get,
      show: tellNow,
      async ask({ pixels, networks }) {
        const there = changedPixels(pixels, { rotate: THERE });
        const back = changedPixels(there, { rotate: -THERE });
        const inks = [inkOf(pixels), inkOf(back)];
        const sweeps = await sweepBy(services.server, networks, inks);
        return { images: /** @type {const} */ ([pixels, back]), sweeps };
      },
    },
    REST_MS,
  );
  function tellNow() {
    const [known, state] = [control.known(), store.get()];
    if (!known || !state) return;
    const isOwn = known.wish.pixels === state.pixels;
    tell({ ...known.answer, followed: isOwn ? state.followed : null });
  }
  store.watch(["pixels", "networks"], control.ask);
  store.watch(["pixels", "followed"], tellNow);
  return { watch };
}
