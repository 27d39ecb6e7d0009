/**
 * One slider over the snapshots of a run: what the network was like at each of them.
 * @import { AppState, Model, Network, Pixels, Services } from "../types.js"
 * @import { Drawn, Over } from "./curves.js"
 * @import { History } from "./history.js"
 */
import { capitalized, counted, grouped } from "../lib/format.js";
import { findElement, make } from "../ui/dom.js";
import { button } from "../ui/inputs.js";
import { nearestPlace } from "./history.js";
import { createKernelScale, createMoment } from "./moment.js";
import { mountSlider } from "./slider.js";
import { mountStrip } from "./strip.js";
import { secondsWords } from "./words.js";

/**
 * The place on the slider of the snapshot on show.
 * @param {History} history
 * @param {number | null} step null: the newest
 * @returns {number} -1: there is none
 */
export function placeOf({ snapshots }, step) {
  return step === null ? snapshots.length - 1 : nearestPlace(snapshots, step);
}

/**
 * @param {HTMLElement} root
 * @param {Pick<Services, "server" | "guarded">} services
 * @param {(model: Model) => Promise<Network>} loadNetwork
 * @param {(step: number | null) => void} goTo null: follow the newest
 */
export function mountTime(root, services, loadNetwork, goTo) {
  const slider = mountSlider(findElement(root, "[data-bar]"), (index) =>
    goTo(drawn[0].history.snapshots[index].step),
  );
  const rooms = [0, 1].map(() => make("article", "train-moment"));
  findElement(root, "[data-shown]").append(...rooms);
  const briefs = [0, 1].map(() => make("article"));
  findElement(root, "[data-yours]").append(...briefs);
  const kernelScale = createKernelScale();
  // What is done with a moment needs its model.
  const tools = findElement(root, "[data-moment-tools]");
  const showTools = () => {
    tools.hidden = moments[0].shown() === null;
  };
  const moments = rooms.map((room, i) =>
    createMoment(room, briefs[i], services, loadNetwork, kernelScale, showTools),
  );
  const strip = mountStrip(findElement(root, "[data-strip]"), services, (step) => {
    slider.rest();
    goTo(step);
  });
  /** @type {readonly Drawn[]} */
  let drawn = [];
  const follow = () => {
    slider.rest();
    goTo(null);
  };

  return {
    /** No more moves while nobody looks. */
    rest: slider.rest,

    /** What is drawn of the first run. */
    moment: () => moments[0].shown(),

    /**
     * @param {readonly Drawn[]} next one or two runs
     * @param {number | null} step @param {Over} over
     * @param {Readonly<AppState>} state @param {Pixels | null} pixels
     */
    show(next, step, over, state, pixels) {
      const idsOf = (/** @type {readonly Drawn[]} */ runs) =>
        runs.map(({ run }) => run.id);
      if (idsOf(next).join() !== idsOf(drawn).join()) kernelScale.forget();
      drawn = next;
      const all = drawn[0].history.snapshots;
      const index = placeOf(drawn[0].history, step);
      const now = all[index];
      const words =
        now === undefined
          ? "No moment has been kept yet."
          : `After ${counted(now.images, "image")} and ${secondsWords(now.seconds)}: step ${grouped(now.step)}, snapshot ${index + 1} of ${all.length}`;
      const newest = button("Newest", follow, { pressed: step === null });
      slider.show(index, all.length, words, newest);
      findElement(root, "[data-empty]").hidden = pixels !== null;
      strip.show(drawn[0], now?.step ?? 0, state, pixels);
      for (const [i, moment] of moments.entries()) {
        const { run, name = "", history } = drawn[i] ?? {};
        const all = history?.snapshots ?? [];
        // Of the second run, the one where the first run is, or near.
        const kept = i === 0 ? now : now && all[nearestPlace(all, now[over], over)];
        if (run && kept && pixels !== null) {
          const { step, images } = kept;
          const title = capitalized(name);
          moment.ask({ id: `${run.id}@${step}`, images, title, pixels, state });
        } else moment.ask(null);
      }
    },
  };
}
