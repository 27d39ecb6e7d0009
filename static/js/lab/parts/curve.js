/**
 * The highest score over the number of tiles in a row: of this digit, before the mean of
 * the test set; and how many test images are still as sure as whole ones.
 * @import { Measurement, Model } from "../../types.js"
 */
import { scoreWords } from "../../core/scores.js";
import { fixed } from "../../lib/format.js";
import { setText } from "../../ui/dom.js";
import { mountCurve } from "../shared/curve.js";
import { measurementOf, measuringCommand } from "../shared/measured.js";
import { curveWords, measuredTiles } from "./curve-words.js";
import { SHUFFLES, TILES } from "./tile-sweep.js";

const MEASURED = "tiles";

const AXIS = {
  ...{ title: "Shuffled tiles in a row", low: TILES[0], high: TILES[TILES.length - 1] },
  ...{ step: 1, decimals: 0, ticks: TILES },
};

/**
 * @param {HTMLElement} root filled
 * @param {(across: number) => void} choose
 */
export function mountTileCurve(root, choose) {
  const curve = mountCurve(root, choose);
  const words = document.createElement("p");
  words.className = "fine";
  root.append(words);

  return {
    /**
     * @param {Model} model
     * @param {readonly number[] | null} winners this digit's; null while on their way
     * @param {number | null} at tiles in a row now; null: cut otherwise
     */
    show(model, winners, at) {
      const test = measurementOf(model, MEASURED);
      const { one } = scoreWords(model);
      curve.show({
        axis: AXIS,
        score: `highest ${one}`,
        knobs: TILES,
        shares: winners,
        test,
        command: measuringCommand(model, MEASURED),
        ...(test && {
          band: {
            shares: test.winner_score,
            title: `mean highest ${one} of test images`,
            words: (share) => fixed(share, 2),
          },
        }),
        words: curveWords(one, SHUFFLES, test, measuringCommand(model, MEASURED)),
      });
      curve.mark(at);
      setText(words, test === null || at === null ? "" : measuredTiles(test, at));
    },
  };
}
