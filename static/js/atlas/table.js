/**
 * What map and pictures show, as a table: for reading aloud, and for keys alone.
 * @import { Atlas } from "../lib/tested.js"
 */
import { fixed, listed } from "../lib/format.js";
import { VIEWS } from "../lib/selections.js";
import { labelsOf, readingsOf } from "../lib/tested.js";

import { find, findElement, make } from "../ui/dom.js";

/**
 * @param {HTMLElement} root @param {(image: number) => void} choose
 */
export function mountTable(root, choose) {
  const folder = find(root, "details[data-table]", HTMLDetailsElement);
  const place = findElement(folder, "[data-rows]");
  /** @type {Parameters<typeof tableOf> | null} */
  let wanted = null;

  const draw = () => {
    if (folder.open && wanted !== null) place.replaceChildren(tableOf(...wanted));
  };
  folder.addEventListener("toggle", draw);
  place.addEventListener("click", ({ target }) => {
    const button = target instanceof Element ? target.closest("button") : null;
    if (button) choose(Number(button.dataset.image));
  });

  return {
    /**
     * @param {Atlas} atlas @param {readonly number[]} images
     * @param {ArrayLike<number>} places on the map
     */
    show(atlas, images, places) {
      wanted = [atlas, images, places];
      draw();
    },
  };
}

/**
 * What is told of each image.
 * @param {Atlas} atlas @param {ArrayLike<number>} places
 * @returns {[name: string, cell: (image: number) => string][]}
 */
export function columnsOf(atlas, places) {
  const { each, names, best, errors, measure, views } = atlas;
  const named = (/** @type {number[]} */ classes) =>
    listed(classes.map((one) => names[one]));
  return [
    [each > 1 ? "labels" : "label", (i) => named(labelsOf(atlas, i))],
    ["read as", (i) => named(readingsOf(atlas, i))],
    [measure, (i) => fixed(best[i])],
    ...(errors === null
      ? []
      : /** @type {[string, (image: number) => string][]} */ ([
          ["error of reconstruction", (i) => fixed(errors[i], 4)],
        ])),
    ...(views === null
      ? []
      : VIEWS.map(
          (name, k) =>
            /** @type {[string, (image: number) => string]} */ ([
              name,
              (image) => String(views[VIEWS.length * image + k]),
            ]),
        )),
    ["across on the map", (i) => fixed(places[2 * i], 2)],
    ["up", (i) => fixed(places[2 * i + 1], 2)],
  ];
}

/**
 * @param {Atlas} atlas @param {readonly number[]} images
 * @param {ArrayLike<number>} places
 */
function tableOf(atlas, images, places) {
  const columns = columnsOf(atlas, places);
  const table = make("table", "values");
  const head = table.createTHead().insertRow();
  head.append(
    ...["test image", ...columns.map(([name]) => name)].map((name) =>
      make("th", { scope: "col" }, name),
    ),
  );
  const body = table.createTBody();
  for (const image of images) {
    const line = body.insertRow();
    const first = make("th", { scope: "row" });
    first.append(
      make("button", { type: "button", "data-image": String(image) }, String(image)),
    );
    line.append(first);
    for (const [, cell] of columns) line.insertCell().textContent = cell(image);
  }
  return table;
}
