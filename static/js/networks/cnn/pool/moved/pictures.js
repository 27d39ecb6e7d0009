/**
 * The chosen map before and after the move, and what became of each of its windows: all
 * point together.
 * @import { Place, PooledMap } from "../windows.js"
 */

import { reach } from "../../../../lib/arithmetic.js";
import { sequential } from "../../../../lib/color.js";
import { fixed } from "../../../../lib/format.js";
import { find, findElement } from "../../../../ui/dom.js";
import { mapPicture } from "../../../../ui/maps.js";
import { showLegend } from "../../../../ui/pictures.js";
import { POOL } from "../../places.js";
import { windowLines, winnerMarks } from "../marks.js";
import { cornerOf, windowAround } from "../pictures.js";
import { KINDS, kindsOf } from "./comparison.js";
import { drawKinds, KIND_WORDS } from "./kinds.js";

/** @typedef {typeof KINDS[number]} Kind */

/**
 * @param {HTMLElement} root
 * @param {object} hooks
 * @param {(pixel: Place) => void} hooks.choosePixel of the map below
 * @param {(window: Place) => void} hooks.chooseWindow
 * @param {(window: Place | null) => void} hooks.hover
 */
export function mountPictures(root, { choosePixel, chooseWindow, hover }) {
  const kindsPicture = find(root, "svg.kinds", SVGSVGElement);
  let pixel = { row: 0, column: 0 };
  let window = { row: 0, column: 0 };
  /** @type {{ maps: readonly PooledMap[], kinds: Uint8Array } | null} */
  let both = null;

  /** @param {Place} at @returns {Kind} */
  function kindOf(at) {
    if (both === null) return "zero";
    return KINDS[both.kinds[at.row * both.maps[0].across + at.column]];
  }

  /** @param {Place} at */
  function note(at) {
    const [before, after] = (both?.maps ?? []).map(({ pooled, across }) =>
      fixed(pooled[at.row * across + at.column]),
    );
    return `${before} ${KIND_WORDS[kindOf(at)].sign || "="} ${after}`;
  }

  /** @param {Place | null} at */
  function point(at) {
    const corner = at && cornerOf(at);
    for (const each of below) each.point(corner);
    for (const each of windows) each.point(at);
    hover(at);
  }
  const below = ["before", "after"].map((when) =>
    mapPicture(findElement(root, `[data-below-${when}]`), {
      block: POOL,
      chosen: () => pixel,
      choose: choosePixel,
      hover: (at) => point(at && windowAround(at)),
      note: (at) => note(windowAround(at)),
    }),
  );
  const windows = ["pooled-before", "pooled-after", "kinds"].map((name) =>
    mapPicture(findElement(root, `[data-${name}]`), {
      chosen: () => window,
      choose: chooseWindow,
      hover: point,
      note,
    }),
  );

  return {
    kindOf,

    /** @param {readonly PooledMap[]} maps before and after */
    show(maps) {
      const most = Math.max(...maps.map(({ below: values }) => reach(values)));
      const scale = sequential(0, most || 1);
      maps.forEach((map, i) => {
        const { dots, rings } = winnerMarks(map);
        below[i].show(map.below, map.side, scale);
        below[i].mark("lines", windowLines(map));
        below[i].mark("dots", dots);
        below[i].mark("rings", rings);
        windows[i].show(map.pooled, map.across, scale);
      });
      const kinds = kindsOf(maps[0], maps[1]);
      both = { maps, kinds };
      const { across } = maps[0];
      // The kinds are drawn beneath: what is not a number is transparent.
      windows[2].show(new Float32Array(kinds.length).fill(Number.NaN), across, scale);
      drawKinds(kindsPicture, kinds, across);
      for (const part of ["below", "pooled"])
        showLegend(findElement(root, `[data-moved-${part}-legend]`), scale, {
          unit: "activation",
        });
    },

    /** @param {Place} pixelNow @param {Place} windowNow */
    choose(pixelNow, windowNow) {
      pixel = pixelNow;
      window = windowNow;
      for (const each of below) each.choose(pixel);
      for (const each of windows) each.choose(window);
    },
  };
}
