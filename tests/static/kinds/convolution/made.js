/** Convolutions of the image, in grey and in colours, and of maps, for tests of their panels. */
import { sceneFrom } from "../../../../static/js/kinds/convolution/view.js";
import { anyTensor, seededRandom } from "../../fixtures.js";

const random = seededRandom(7);
const SIDES = [7, 8];

/** @param {number[]} shape */
const anyOf = (shape) => anyTensor(() => 2 * random() - 0.5, shape);

/**
 * A layer of three kernels of 2 x 3, two down and one across at a time; its last map is dead.
 * @param {number} channels of the image
 * @param {number} [below] maps that it reads in place of the image
 */
function stateOf(channels, below) {
  const [rows, columns] = SIDES;
  const pre = anyOf([3, 3, 6]);
  pre.data.fill(-1, 36);
  const norm = () => anyOf([3]);
  const slices = below ?? channels;
  const kernels = anyOf([3, ...(slices > 1 ? [slices] : []), 2, 3]);
  const normed = below && {
    gain: norm(),
    shift: norm(),
    mean: norm(),
    deviation: norm(),
  };
  const bytes = Uint8Array.from({ length: channels * rows * columns }, (_, i) =>
    i < 24 ? 0 : i,
  );
  return {
    trace: { pixels: { channels, rows, columns, bytes }, tensors: { pre } },
    weights: { kernels, bias: anyOf([3]), ...normed },
    model: { card: { legibility: { conv1_alive: 0.46 } } },
  };
}

const WINDOW = { size: [2, 3], step: [2, 1], first: [0, -1] };

const LAYERS = {
  grey: [stateOf(1), undefined, ["relu", "pre", "kernels"]],
  maps: [stateOf(1, 3), "lower", ["relu", "pre", "kernels"]],
  colours: [stateOf(3), undefined, ["relu", "kernels", "colours"]],
};
const LOWER = {
  id: "lower",
  title: "Lower",
  weights: { gain: "" },
  reach: () => ({ size: 2, step: 1 }),
};

/**
 * What is on show: every picture of kernels and maps, and pixels with padding and without.
 * @param {string} what the layer reads, or where it is pointed at
 */
export function* scenes(what) {
  for (const [state, below, shows] of Object.values(LAYERS)) {
    if ((what === "above") !== (below !== undefined)) continue;
    const layer = {
      below,
      title: "Conv",
      network: [LOWER],
      window: () => WINDOW,
      reach: () => WINDOW,
    };
    const sceneOf = sceneFrom(layer, "conv");
    for (const mode of shows)
      for (const [order, scale, isOn] of [
        ["number", "layer", false],
        ["energy", "tile", true],
      ])
        for (const map of [0, 2])
          for (const at of [0, 8]) {
            const look = { mode, order, scale };
            const channel = state.trace.pixels.channels - 1;
            const chosen = { map, pixel: at, look, channel };
            const pixel = isOn ? { row: 1, column: 2 } : null;
            const cell = isOn ? { row: 1, column: 2 } : null;
            yield { ...sceneOf({ ...state, ...chosen }), pointed: { pixel, cell } };
          }
  }
}
