/**
 * Links as they were read and written once. `state` holds what differs from the start;
 * `written`, the link that is written of that state. What is in capitals stands for a packed
 * image.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { fromHash, modelIn, toHash } from "../../../static/js/core/link.js";
import { startOf } from "../../../static/js/core/schema.js";
import { initialState } from "../../../static/js/core/state.js";
import { networkOf } from "../../../static/js/kinds/described.js";
import { EXPERIMENTS } from "../../../static/js/lab/registry.js";
import { unpack } from "../../../static/js/lib/pixels.js";
import { LAYERS } from "../networks/layers.js";

const file = new URL("golden-links.jsonl", import.meta.url);
const lines = readFileSync(file, "utf8").trim().split("\n").map(JSON.parse);
const links = lines.filter(({ link }) => link !== undefined);

/** Tensors are recorded as their shapes, by name. */
const listOf = (shapes) =>
  Object.entries(shapes).map(([name, shape]) => ({ name, shape }));
const models = lines.flatMap(({ model }) =>
  model
    ? {
        ...model,
        layers: LAYERS[model.architecture],
        tensors: listOf(model.tensors),
        weights: listOf(model.weights),
      }
    : [],
);
const images = Object.fromEntries(
  lines.flatMap(({ id, image }) => (image ? [[id, image]] : [])),
);
const samples = Object.entries(images).map(([id, image]) => {
  return { id: id.toLowerCase(), label: 0, title: id, pixels: unpack(image) };
});
const start = { ...initialState(), models, samples, experiments: EXPERIMENTS };

const isSame = (a, b) => JSON.stringify(a) === JSON.stringify(b);

/** What differs from the start, such as edits without what is 0. */
function differing(state, start) {
  const found = Object.entries(state).filter(
    ([key, value]) => !isSame(value, start[key]),
  );
  return JSON.parse(JSON.stringify(Object.fromEntries(found)));
}

/** The id of the image on show, and where it comes from if that is a data set. */
function imageWords({ pixels, source }) {
  const found = samples.find((each) => isSame(each.pixels, pixels));
  const of = source.kind === "dataset" ? `/${source.index}/${source.label}` : "";
  return pixels === null ? null : found.id + of;
}

/** A state as it is recorded. */
function recordOf(said, network) {
  const { model, view, mode, lab, classIndex, kept, slices } = said;
  const open = mode === "lab" && EXPERIMENTS.find(({ id }) => id === lab.experiment);
  return {
    view,
    ...(open && {
      experiment: open.id,
      off: lab.off,
      lab: differing(lab.slices[open.id], startOf(open.schema)),
    }),
    ...(classIndex !== null && { digit: classIndex }),
    ...("pixels" in said && { image: imageWords(said) }),
    ...(kept !== null && { kept: imageWords(kept) }),
    own: differing(slices[model.id], startOf(network.schema(model))),
  };
}

const full = (text) =>
  Object.entries(images).reduce(
    (link, [id, image]) => link.replaceAll(id, image),
    text,
  );

/** What a link says; in which order does not matter. */
const sorted = (text) => text.split("&").toSorted();

for (const { link, unread = [], state, written } of links)
  test(`a link is read as it was: ${link.slice(0, 150)}`, async () => {
    const model = modelIn(full(link), models);
    const known = { ...start, model, network: networkOf(model) };
    const said = fromHash(full(link), known);
    assert.deepEqual(recordOf(said, known.network), state);
    assert.deepEqual(said.unread.toSorted(), unread.toSorted());
    assert.deepEqual(sorted(toHash({ ...start, ...said })), sorted(full(written)));
  });
