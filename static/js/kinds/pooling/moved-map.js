/**
 * One map before and after a move, with what pooling makes of it, and what became of each
 * of its windows: all point together.
 * @import { Kind } from "./moves.js"
 * @import { Place, PooledMap } from "./windows.js"
 */
import { reach } from "../../lib/arithmetic.js";
import { sequential } from "../../lib/color.js";
import { fixed } from "../../lib/format.js";
import { find, findElement, svg } from "../../ui/dom.js";
import { mapPicture } from "../../ui/maps.js";
import { showLegend } from "../../ui/pictures.js";
import { KIND_WORDS, KINDS, kindsOf, windowText } from "./moves.js";
import { cornerOf, POOL, windowAround, windowLines, winnerMarks } from "./windows.js";

/** A map before and after, and the kinds of its windows. @typedef {{ maps: readonly PooledMap[], kinds: Uint8Array }} Both */

/**
 * @param {HTMLElement} root filled by `kinds/pooling/moved-map.html`
 * @param {object} hooks
 * @param {(window: Place, pixel?: Place) => void} hooks.choose pixel: of the map below,
 *   where one was chosen
 * @param {(window: Place | null) => void} hooks.hover
 * @param {(words: string) => void} hooks.tell what the window under the pointer, or else
 *   the chosen one, holds before and after
 */
export function mountMovedMap(root, { choose, hover, tell }) {
  const kindsPicture = find(root, "svg.kinds", SVGSVGElement);
  let pixel = { row: 0, column: 0 };
  let window = { row: 0, column: 0 };
  /** @type {Both | null} */
  let both = null;

  /** @param {Place | null} at */
  function point(at) {
    const corner = at && cornerOf(at);
    for (const each of below) each.point(corner);
    for (const each of windows) each.point(at);
    hover(at);
    tellOf(at ?? window);
  }

  /** @param {Place} at */
  function tellOf(at) {
    if (both !== null) tell(windowText(both.maps, at, kindAt(both, at)));
  }
  const below = ["before", "after"].map((when) =>
    mapPicture(findElement(root, `[data-below-${when}]`), {
      block: POOL,
      chosen: () => pixel,
      choose: (at) => choose(windowAround(at), at),
      hover: (at) => point(at && windowAround(at)),
      note: (at) => noteAt(both, windowAround(at)),
    }),
  );
  const windows = ["pooled-before", "pooled-after", "kinds"].map((name) =>
    mapPicture(findElement(root, `[data-${name}]`), {
      chosen: () => window,
      choose: (at) => choose(at),
      hover: point,
      note: (at) => noteAt(both, at),
    }),
  );

  return {
    /** @param {readonly PooledMap[]} maps before and after */
    show(maps) {
      const most = Math.max(...maps.map(({ below: values }) => reach(values)));
      const scale = sequential(0, most || 1);
      maps.forEach((map, i) => {
        below[i].show(map.below, map.side, scale);
        const { dots, rings } = winnerMarks(map);
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

    /** @param {Place} windowNow @param {Place} [pixelNow] the window's first when absent */
    choose(windowNow, pixelNow = cornerOf(windowNow)) {
      pixel = pixelNow;
      window = windowNow;
      for (const each of below) each.choose(pixel);
      for (const each of windows) each.choose(window);
      tellOf(window);
    },
  };
}

/** @param {Both} both @param {Place} at @returns {Kind} */
function kindAt({ maps, kinds }, at) {
  return KINDS[kinds[at.row * maps[0].across + at.column]];
}

/** What a window holds before and after. @param {Both | null} both @param {Place} at */
function noteAt(both, at) {
  if (both === null) return "";
  const [before, after] = both.maps.map(({ pooled, across }) =>
    fixed(pooled[at.row * across + at.column]),
  );
  return `${before} ${KIND_WORDS[kindAt(both, at)].sign || "="} ${after}`;
}

/**
 * What became of each window: a colour and a sign for each kind.
 * @param {SVGSVGElement} picture filled
 * @param {Uint8Array} kinds of the windows, row by row, as places in `KINDS`
 * @param {number} across windows in a row
 */
function drawKinds(picture, kinds, across) {
  picture.setAttribute("viewBox", `0 0 ${across} ${kinds.length / across}`);
  picture.replaceChildren(
    ...Array.from(kinds, (number, i) => {
      const kind = KINDS[number];
      const [x, y] = [i % across, Math.floor(i / across)];
      const group = svg("g", { class: `kind is-${kind}` });
      group.append(
        svg("rect", { x, y, width: 1, height: 1 }),
        svg("text", { x: x + 0.5, y: y + 0.5 }, KIND_WORDS[kind].sign),
      );
      return group;
    }),
  );
}
