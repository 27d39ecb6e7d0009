import assert from "node:assert/strict";
import { test } from "node:test";

import {
  comparableModels,
  openExperiment,
  readLab,
  shownView,
  switchedOn,
  writeLab,
} from "../../../static/js/core/lab.js";
import { MODEL, OTHER_MODEL } from "../fixtures.js";

const TURN = {
  id: "turn",
  slice: { degrees: 0 },
  link: {
    write: (link, { degrees }) => link.set("degrees", String(degrees)),
    read: (link) =>
      link.has("degrees") ? { degrees: Number(link.get("degrees")) } : {},
  },
};
const BEND = { ...TURN, id: "bend" };
const experiments = [TURN, BEND];
const lab = { experiment: "bend", off: ["a", "b"], slices: { bend: { degrees: 7 } } };

test("a link keeps the experiment, what is switched off, and the experiment's slice", () => {
  const link = new URLSearchParams();
  writeLab(link, { mode: "lab", lab, experiments });
  assert.equal(link.toString(), "mode=lab&experiment=bend&off=a%2Fb&degrees=7");
  const models = [{ id: "a" }, { id: "b" }];
  assert.deepEqual(readLab(link, { experiments, models }), { mode: "lab", lab });
});

test("outside the Lab a link says nothing of it", () => {
  const link = new URLSearchParams();
  writeLab(link, { mode: "explore", lab, experiments });
  assert.equal(link.toString(), "");
  assert.deepEqual(readLab(link, { experiments }), { mode: "explore" });
});

test("what a link says wrongly is as at the start, and others' slices are kept", () => {
  const link = new URLSearchParams("mode=lab&experiment=none&off=gone");
  assert.deepEqual(readLab(link, { experiments, models: [], lab }), {
    mode: "lab",
    lab: {
      experiment: "turn",
      off: [],
      slices: { ...lab.slices, turn: { degrees: 0 } },
    },
  });
});

test("the first experiment is open until another is chosen", () => {
  assert.equal(openExperiment({ lab: { ...lab, experiment: "" }, experiments }), TURN);
  assert.equal(openExperiment({ lab, experiments }), BEND);
  assert.equal(openExperiment({ lab, experiments: [] }), null);
});

test("the Lab stands in place of the view that was open", () => {
  assert.equal(shownView({ mode: "lab", view: "conv1" }), "lab");
  assert.equal(shownView({ mode: "explore", view: "conv1" }), "conv1");
});

test("models take part that read such images into the same classes, unless switched off", () => {
  const small = { ...MODEL, id: "small", input_shape: [14, 14] };
  const garments = { ...MODEL, id: "garments", class_names: ["shirt", "shoe"] };
  const models = [MODEL, small, garments, OTHER_MODEL];
  const alike = comparableModels({ models, model: MODEL });
  assert.deepEqual(
    alike.map(({ id }) => id),
    [MODEL.id, OTHER_MODEL.id],
  );
  const on = switchedOn({ models, model: MODEL, lab: { ...lab, off: [MODEL.id] } });
  assert.deepEqual(
    on.map(({ id }) => id),
    [OTHER_MODEL.id],
  );
});
