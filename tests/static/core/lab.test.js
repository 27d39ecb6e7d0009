import assert from "node:assert/strict";
import { test } from "node:test";
import { fromHash, toHash } from "../../../static/js/core/link.js";
import { whole } from "../../../static/js/core/schema.js";
import {
  comparableModels,
  experimentSlice,
  initialState,
  shownView,
  switchedOn,
} from "../../../static/js/core/state.js";
import { MODEL, OTHER_MODEL } from "../fixtures.js";

const TURN = { id: "turn", schema: { degrees: whole({ link: "degrees", most: 180 }) } };
const BEND = { ...TURN, id: "bend" };
const experiments = [TURN, BEND];
const lab = { experiment: "bend", off: ["a", "b"], slices: { bend: { degrees: 7 } } };

/** A page with these experiments, in the Lab unless it says otherwise. */
const STATE = { ...initialState(), mode: "lab", lab, experiments };

test("a link keeps the experiment, what is switched off, and the experiment's slice", () => {
  const models = [{ id: "a" }, { id: "b" }];
  const hash = toHash({ ...STATE, models });
  assert.match(hash, /&mode=lab&experiment=bend&off=a%2Fb&degrees=7$/);
  const { mode, lab: found } = fromHash(hash, {
    ...initialState(),
    experiments,
    models,
  });
  assert.deepEqual({ mode, lab: found }, { mode: "lab", lab });
});

test("what a link says wrongly is as at the start, and others' slices are kept", () => {
  const said = fromHash("mode=lab&experiment=none&off=gone", STATE);
  assert.deepEqual(said.lab, {
    experiment: "turn",
    off: [],
    slices: { ...lab.slices, turn: { degrees: 0 } },
  });
});

test("one that opens elsewhere than its fields start can be brought back by a link", () => {
  const opening = { ...TURN, opens: { degrees: 40 } };
  const known = { ...STATE, experiments: [opening] };
  assert.deepEqual(experimentSlice({ lab: { slices: {} } }, opening), { degrees: 40 });
  const sliceIn = (link) => fromHash(link, known).lab.slices.turn;
  assert.deepEqual(sliceIn("mode=lab&experiment=turn"), { degrees: 40 });
  assert.deepEqual(sliceIn("mode=lab&experiment=turn&degrees=7"), { degrees: 7 });
  assert.deepEqual(sliceIn("mode=lab&experiment=turn&degrees=0"), { degrees: 0 });
  for (const degrees of [0, 7, 40]) {
    const slices = { turn: { degrees } };
    const link = toHash({ ...known, lab: { ...lab, experiment: "turn", slices } });
    assert.deepEqual(sliceIn(link), { degrees }, link);
  }
});

test("the Lab stands in place of the view that was open", () => {
  assert.equal(shownView({ mode: "lab", view: "conv1" }), "lab");
  assert.equal(shownView({ mode: "explore", view: "conv1" }), "conv1");
});

test("models take part that read such images into the same classes, unless switched off", () => {
  const small = { ...MODEL, id: "small", input_shape: [1, 14, 14] };
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
