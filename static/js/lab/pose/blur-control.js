/**
 * The control for turns: bilinear interpolation blurs, so the digit is turned and
 * turned back, and every network is asked what this blur alone changes.
 * @import { LabServices, LabStore, Model, Pixels } from "../../types.js"
 * @import { SweepSlice } from "../shared/sweep.js"
 */
import { presentWords, scoreWords } from "../../core/scores.js";
import { inkOf } from "../../lib/pixels.js";
import { debounce } from "../../lib/timing.js";
import { findElement, setText } from "../../ui/dom.js";
import { newestAnswer, sweepBy } from "../shared/ask.js";
import { changedPixels } from "../shared/change.js";
import { changedDigit } from "../shared/rows.js";
import { scoresOver } from "../shared/sweep.js";
import { blurWords, THERE } from "./words.js";

const REST_MS = 400;

/**
 * @param {HTMLElement} root @param {LabStore<SweepSlice>} store
 * @param {LabServices} services
 */
export function mountBlurControl(root, store, services) {
  const { server } = services;
  const words = findElement(root, "[data-words]");
  const line = findElement(root, "[data-finding]");
  const classIndex = changedDigit(
    findElement(root, "[data-blurred]"),
    `The image, turned by ${THERE}° and back`,
  );
  /** @type {{ pixels: Pixels, networks: readonly Model[], show: () => void } | null} */
  let known = null;
  const asked = newestAnswer(
    services,
    async (
      /** @type {{ pixels: Pixels, networks: readonly Model[] }} */ {
        pixels,
        networks,
      },
    ) => {
      const there = changedPixels(pixels, { rotate: THERE });
      const back = changedPixels(there, { rotate: -THERE });
      return {
        back,
        sweeps: await sweepBy(server, networks, [inkOf(pixels), inkOf(back)]),
      };
    },
    ({ back, sweeps }, { pixels, networks }) => {
      known = { pixels, networks, show };
      classIndex.show(back, pixels);
      show();
      function show() {
        const followed = store.get()?.followed ?? null;
        if (followed === null) return;
        const [first] = networks;
        const name = first?.class_names[followed] ?? "";
        const told = blurWords(
          name,
          sweeps.map((sweep) => {
            const { title } = sweep.model;
            const reads = sweep.present.map((present) =>
              presentWords({ present }, sweep.model),
            );
            const [was, is] = scoresOver(sweep, followed);
            return {
              ...{ title, one: scoreWords(sweep.model).one },
              reads: [reads[0], reads[1]],
              scores: [was, is],
            };
          }),
        );
        setText(words, told.each);
        setText(line, told.line);
      }
    },
  );
  const ask = debounce(() => {
    const state = store.get();
    if (state === null) return;
    if (known?.pixels === state.pixels && known.networks === state.networks) return;
    asked.ask(state);
  }, REST_MS);
  store.watch(["pixels", "networks"], ask);
  store.watch(["followed"], () => known?.show());
}
