/**
 * What all panels of the Atlas are drawn from.
 * @import { Picture } from "../ui/test-images.js"
 * @import { Atlas } from "../lib/tested.js"
 * @import { Atlases, OnShow } from "./atlases.js"
 * @import { Anchor } from "./map.js"
 * @import { Pin } from "./pins.js"
 */
import { memoizeByObject } from "../lib/memoize.js";
import { selected } from "../lib/selections.js";
import { groupsOf } from "../lib/tested.js";
import { densest, SCORES_MAP, scoreCorners } from "./places.js";

/** What the view itself keeps beside the state. */
export const START = {
  /** Pictures of the wall. */
  most: 60,
  /** Of the image on the bench. */
  nearest:
    /** @type {{ index: number, labels: readonly number[], distance: number }[]} */ ([]),
  /** Why there are no pictures; "" where there are. */
  missing: "",
};

/**
 * @typedef {object} Made what comes later than the state
 * @property {(images: readonly number[]) => (Picture | null)[]} pictures of test images
 * @property {readonly Pin[]} pinned sample digits, where test images have no pictures
 */

/** @typedef {NonNullable<ReturnType<typeof sceneOf>>} Scene */

/**
 * @param {OnShow} state @param {Atlases} atlases
 * @param {typeof START} page @param {Made} pictures
 */
export function sceneOf(state, atlases, page, pictures) {
  const atlas = atlases.atlas();
  if (atlas === null) return null;
  const { model, pixels } = state;
  const point = state.point !== null && state.point < atlas.count ? state.point : null;
  const [{ id, places }, images] = [atlases.map(), atlases.images()];
  const selection = atlases.selection();
  const isScored = id === SCORES_MAP;
  return {
    ...page,
    ...pictures,
    model,
    atlas,
    point,
    images,
    selection,
    places,
    hasImage: pixels !== null,
    map: id,
    maps: Object.entries(model.card.atlas?.maps ?? {}),
    some: images.slice(0, page.most),
    labels: selection.kind === "label" ? selection.classes : [],
    moments: atlases.momentsBeside(model),
    wrong: wrongOf(atlas),
    shown: {
      frame: isScored ? id : `${model.id}/${id}`,
      places,
      labels: atlas.labels,
      names: atlas.names,
      point,
      wrong: wrongOf(atlas),
      anchors: isScored ? cornersOf(atlas) : anchorsOf({ atlas, places }),
      chosen: images,
      isAll: images.length === atlas.count,
      nearest: page.nearest.map(({ index }) => index),
      pinned: pictures.pinned.map(({ index }) => index),
    },
  };
}

const wrongOf = memoizeByObject(
  (/** @type {Atlas} */ atlas) => atlas,
  (atlas) => selected(atlas, { kind: "misread" }),
);

/** @typedef {{ atlas: Atlas, places: ArrayLike<number> }} Placed */

const anchorsOf = memoizeByObject(
  (/** @type {Placed} */ { places }) => places,
  ({ atlas, places }) => {
    const { names, of } = groupsOf(atlas);
    return densest(places, of, names.length).flatMap((spot, group) =>
      spot === null ? [] : [{ name: names[group], spot }],
    );
  },
);

/** Where classes are named on the map of scores. @param {Atlas} atlas @returns {Anchor[]} */
const cornersOf = ({ names }) =>
  scoreCorners(names.length).map((spot, label) => ({
    name: names[label],
    spot,
  }));
