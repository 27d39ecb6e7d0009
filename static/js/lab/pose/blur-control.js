/**
 * The control of every turn: bilinear interpolation blurs, so the digit is turned and turned
 * back, and every network is asked what that alone changes.
 * @import { LabServices, LabStore, Model, Pixels } from "../../types.js"
 * @import { SweepSlice } from "../shared/sweep.js"
 */
import { scoreWords } from "../../core/scores.js";
import { atRest } from "../../lib/at-rest.js";
import { inkOf } from "../../lib/pixels.js";
import { findElement } from "../../ui/find.js";
import { say } from "../../ui/say.js";
import { newestAnswer, sweepBy } from "../shared/ask.js";
import { changedPixels } from "../shared/change.js";
import { changedDigit } from "../shared/digit.js";
import { scoresOver } from "../shared/sweep.js";
import { blurWords, THERE } from "./blur-words.js";

const REST_MS = 400;

/**
 * @param {HTMLElement} root
 * @param {LabStore<SweepSlice>} store
 * @param {LabServices} services
 */
export function mountBlurControl(root, store, services) {
  const { server } = services;
  const words = findElement(root, "[data-words]");
  const digit = changedDigit(
    findElement(root, "[data-blurred]"),
    `The digit, turned by ${THERE}° and back`,
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
      digit.show(back, pixels);
      show();
      function show() {
        const followed = store.get()?.followed ?? null;
        if (followed === null) return;
        const [first] = networks;
        const name = first?.class_names[followed] ?? "";
        say(
          words,
          blurWords(
            name,
            sweeps.map((sweep) => {
              const { title, class_names } = sweep.model;
              const [before, after] = sweep.predictions;
              const [was, is] = scoresOver(sweep, followed);
              return {
                ...{ title, one: scoreWords(sweep.model).one },
                reads: [class_names[before], class_names[after]],
                scores: [was, is],
              };
            }),
          ),
        );
      }
    },
  );
  const ask = atRest(() => {
    const state = store.get();
    if (state === null) return;
    if (known?.pixels === state.pixels && known.networks === state.networks) return;
    asked.ask(state);
  }, REST_MS);
  store.watch(["pixels", "networks"], ask);
  store.watch(["followed"], () => known?.show());
}
