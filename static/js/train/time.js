/**
 * One slider over the snapshots of a run: what the network was like at each of them.
 * @import { AppState, Model, Network, Pixels, Services } from "../types.js"
 * @import { Drawn, Over } from "./curves.js"
 * @import { History } from "./history.js"
 */
import { clamp } from "../lib/arithmetic.js";
import { capitalized, counted, grouped } from "../lib/format.js";
import { find, findElement, make, setAria, setText } from "../ui/dom.js";
import { createPlayer } from "../ui/motion.js";
import { nearestPlace } from "./history.js";
import { createMoment } from "./moment.js";
import { secondsWords } from "./words.js";

const PACE_MS = 700; // each snapshot stays so long when played

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
  const slider = find(root, "[data-time]", HTMLInputElement);
  const newest = find(root, "[data-newest]", HTMLButtonElement);
  const [before, after] = ["before", "after"].map((name) =>
    find(root, `[data-${name}]`, HTMLButtonElement),
  );
  const rooms = [0, 1].map(() => make("article", "train-moment"));
  findElement(root, "[data-shown]").append(...rooms);
  const moments = rooms.map((room) => createMoment(room, services, loadNetwork));
  /** @type {readonly Drawn[]} */
  let drawn = [];
  /** @type {number} */
  let place = -1;

  const snapshots = () => drawn[0]?.history.snapshots ?? [];
  /** @param {number} next */
  function turnTo(next) {
    const all = snapshots();
    if (all.length === 0) return;
    goTo(all[clamp(next, 0, all.length - 1)].step);
  }
  const player = createPlayer(
    root,
    {
      advance() {
        const last = snapshots().length - 1;
        if (place < 0 || last < 1) return false;
        const isAtEnd = place >= last;
        if (isAtEnd && player.isPlaying()) {
          player.play(false);
          return false;
        }
        turnTo(isAtEnd ? 0 : place + 1);
        return true;
      },
      pace_ms: () => PACE_MS,
    },
    { play: "Play", step: ["▸", "Step"] },
  );
  slider.addEventListener("input", () => {
    player.play(false);
    turnTo(slider.valueAsNumber);
  });
  for (const [button, by] of /** @type {const} */ ([
    [before, -1],
    [after, 1],
  ]))
    button.addEventListener("click", () => {
      player.play(false);
      turnTo(place + by);
    });
  newest.addEventListener("click", () => {
    player.play(false);
    goTo(null);
  });

  return {
    /** No more moves while nobody looks. */
    rest: () => player.isPlaying() && player.play(false),

    /** What is drawn of the first run. */
    found: () => moments[0].shown(),

    /**
     * @param {readonly Drawn[]} next one or two runs
     * @param {number | null} step @param {Over} over
     * @param {Readonly<AppState>} state @param {Pixels | null} pixels
     */
    show(next, step, over, state, pixels) {
      drawn = next;
      const all = snapshots();
      place = placeOf(drawn[0].history, step);
      const now = all[place];
      slider.max = String(Math.max(0, all.length - 1));
      slider.value = String(Math.max(0, place));
      slider.disabled = all.length < 2;
      before.disabled = place <= 0;
      after.disabled = place < 0 || place >= all.length - 1;
      setAria(newest, { "aria-pressed": String(step === null) });
      const words =
        now === undefined
          ? "No moment has been kept yet."
          : `After ${counted(now.images, "image")} and ${secondsWords(now.seconds)}: step ${grouped(now.step)}, snapshot ${place + 1} of ${all.length}`;
      setText(findElement(root, "[data-at]"), words);
      setAria(slider, { "aria-valuetext": words });
      findElement(root, "[data-empty]").hidden = pixels !== null;
      moments.forEach((moment, i) => {
        const run = drawn[i];
        const kept = run && momentOf(run.history, i === 0 ? place : null);
        const wish = run && kept && pixels !== null;
        moment.ask(
          wish
            ? {
                ...{ id: `${run.run.id}@${kept.step}`, images: kept.images },
                title: capitalized(run.name),
                ...{ pixels, state },
              }
            : null,
        );
      });

      /**
       * @param {History} history
       * @param {number | null} own its place; null: where the first run is, or near
       */
      function momentOf({ snapshots: kept }, own) {
        if (own !== null) return kept[own];
        return now && kept[nearestPlace(kept, now[over], over)];
      }
    },
  };
}
