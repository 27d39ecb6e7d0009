/**
 * What a moved stroke changes in the CNN: the values of its maps before and after pooling,
 * and which pixels win.
 * @import { MovingForm, Tensor } from "../../types.js"
 */
import { mountPictures } from "./pool/moved/pictures.js";
import { windowText } from "./pool/moved/telling.js";
import { cornerOf, windowAround } from "./pool/pictures.js";
import { pooledMap, windowAt } from "./pool/windows.js";

/** @typedef {"conv1.relu" | "pool1" | "pool1.winners" | "conv2.relu" | "pool2" | "pool2.winners"} Need */

/** Layers that pool, and what they read. */
const POOLED = /** @type {const} */ ([
  {
    id: "pool1",
    title: "Pool1",
    below: "conv1.relu",
    belowTitle: "Conv1",
    winners: "pool1.winners",
  },
  {
    id: "pool2",
    title: "Pool2",
    below: "conv2.relu",
    belowTitle: "Conv2",
    winners: "pool2.winners",
  },
]);

/** @type {MovingForm<Need>} */
export const form = {
  needs: POOLED.flatMap(({ id, below, winners }) => [below, id, winners]),
  layersOf: ({ tensors }) =>
    POOLED.flatMap(({ id, title, below, belowTitle, winners }) => [
      {
        ...{ id: below, title: belowTitle, many: "values", size: 1 },
        data: tensors[below].data,
      },
      {
        ...{ id, title, many: "values", size: 1, pools: true },
        data: tensors[id].data,
        winners: tensors[winners].data,
        maps: tensors[id].shape[0],
      },
    ]),
  mountPicture(root, { hover, choose }) {
    /** @type {ReturnType<typeof pooledMap>[]} */
    let maps = [];
    let window = { row: 0, column: 0 };
    const pictures = mountPictures(root, {
      choosePixel: (pixel) => chooseWindow(windowAround(pixel)),
      chooseWindow,
      hover: (at) => tell(at ?? window),
    });

    /** @param {{ row: number, column: number }} at */
    function chooseWindow({ row, column }) {
      if (maps.length > 0) choose(row * maps[0].across + column);
    }
    /** @param {{ row: number, column: number }} at */
    function tell(at) {
      if (maps.length > 0) hover(windowText(maps, at, pictures.kindOf(at)));
    }
    return (before, after, layer, map, chosen) => {
      const { id, below, winners } =
        POOLED.find((each) => each.id === layer) ?? POOLED[0];
      maps = [before, after].map(({ tensors }) =>
        pooledMap(
          { below: tensors[below], pooled: tensors[id], winners: tensors[winners] },
          map,
        ),
      );
      window = windowAt(chosen, maps[0].across);
      pictures.show(maps);
      pictures.choose(cornerOf(window), window);
      tell(window);
    };
  },
};
