import assert from "node:assert/strict";
import { test } from "node:test";

import { flowsOf } from "../../../static/js/overview/flows.js";
import { layOut } from "../../../static/js/overview/layout.js";
import { legend } from "../../../static/js/overview/legend.js";
import { COLUMN, DEEP, SCENE } from "./scene.js";

const SIZE = { width: 1050, height: 690 };

/** What the legend says, mark by mark. */
function told(scene) {
  const flows = flowsOf(scene);
  return legend(scene, flows, layOut(scene, flows, SIZE), [])
    .flat()
    .filter(Boolean)
    .map(({ content }) => content.at(-1).content.flatMap(textOf).join(""));
}

/** @returns {string[]} */
const textOf = (each) => (typeof each === "string" ? [each] : each.content.map(textOf));

test("columns of other values have colours of their own, alike ones share theirs", () => {
  const [low, mid] = DEEP.columns;
  const poses = { ...mid, value: "number of a pose", most: 0.75, isSigned: true };
  const colours = told({ ...DEEP, columns: [low, poses] }).slice(1, 3);
  assert.deepEqual(colours, ["length, 0 to 1", "number of a pose, −0.75 to +0.75"]);
  assert.equal(told(DEEP).filter((each) => each.startsWith("length")).length, 1);
});

test("where nothing is known to flow, it tells of the tiles alone", () => {
  const maps = [3, 5].map((most) => ({
    ...COLUMN,
    id: `${most}`,
    most,
    isSigned: true,
  }));
  const scene = { ...SCENE, columns: maps, rivers: [] };
  assert.deepEqual(told(scene), ["length, below zero to above"]);
});

test("pictures at parts are told of as far as they are shown", () => {
  assert.deepEqual(told(SCENE).slice(-1), ["saw what its strongest capsule sees"]);
  const blind = { ...SCENE, columns: [{ ...COLUMN, window: null }] };
  assert.deepEqual(told(blind).slice(-1), ["what one capsule sees"]);
});
