/** Every experiment's part of a link. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { startOf } from "../../../static/js/core/schema.js";
import { EXPERIMENTS } from "../../../static/js/lab/registry.js";
import { linking } from "../linking.js";

const CHANGED = {
  pose: {
    knob: "shear",
    settings: {
      turn: -180,
      right: 3,
      down: -8,
      scale: 1.2,
      shear: 30,
      ground: 0.4,
      contrast: 0.3,
      noise: 0.2,
      blur: 2,
      stroke: -1,
    },
  },
  attack: {
    eps: 0.07,
    choices: { method: "pgd", target: "3" },
  },
  parts: { cut: "strokes", parts: "..gfC", piece: 15 },
  sides: { knob: "elevation", settings: { azimuth: 0, elevation: 90 } },
  crossing: { knob: "down", settings: { right: -8, down: 3 } },
};

const WRONG = {
  pose: "knob=taste&scale=large&shear=&noise=NaN&blur=Infinity",
  attack: "attack=laser&eps=many&toward=x",
  parts: "cut=7&piece=16",
  crossing: "knob=up&right=far&down=1.x",
  sides: "knob=lamp&azimuth=north&elevation=",
};

for (const { id, schema } of EXPERIMENTS) {
  const { start, written, read } = linking(schema);

  test(`a link keeps every field of ${id}, and says nothing of the start`, () => {
    assert.equal(written(), "");
    assert.deepEqual(read(written(CHANGED[id])), CHANGED[id]);
    assert.deepEqual(Object.keys(CHANGED[id]).sort(), Object.keys(start).sort());
  });

  test(`what a link says wrongly of ${id} is as at the start`, () => {
    assert.deepEqual(read(WRONG[id]), start);
  });
}

test("numbers are kept within their limits", () => {
  const { settings } = linking(EXPERIMENTS[0].schema).read("turn=900&right=-99");
  assert.deepEqual([settings.turn, settings.right], [180, -10]);
});

test("an experiment that does not open where its fields start has links to both", () => {
  const others = EXPERIMENTS.filter(({ opens }) => opens !== undefined);
  assert.ok(others.length > 0);
  for (const { id, schema, opens } of others) {
    const { written, read } = linking(schema);
    const there = written({ ...startOf(schema), ...opens });
    assert.notEqual(there, "", id);
    assert.deepEqual(read(there), { ...startOf(schema), ...opens });
  }
});
