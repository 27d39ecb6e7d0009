import assert from "node:assert/strict";
import { test } from "node:test";
import { flowsOf } from "../../../static/js/overview/flows.js";
import { tablesOf } from "../../../static/js/overview/numbers.js";
import { closeTo } from "../fixtures.js";
import { SCENE } from "./scene.js";

const near = closeTo(1e-6);

test("the numbers behind the picture are those of the scene, in every iteration", () => {
  const scene = { ...SCENE, measure: "length", before: null };
  const [classes, flowing, strong] = tablesOf(scene, flowsOf(scene));
  assert.deepEqual(classes.head, [
    ...["class", "length, iteration 1", "length, iteration 2"],
  ]);
  near(
    classes.rows.flatMap(([, ...values]) => values),
    [0.5, 0.9, 0.2, 0.1, 0.3, 0.2],
  );
  assert.deepEqual(
    flowing.rows.slice(0, 4).map(([from, to]) => `${from} → ${to}`),
    ["type 0 → a", "type 0 → b", "type 0 → c", "type 1 → a"],
  );
  near(
    flowing.rows.flatMap(([, , ...values]) => values),
    [0.3, 3, 0.2, -0.5, 0.3, 0.1, 0.3, 0.5, -0.1, 0.3, 0.2, 0.1],
  );
  assert.deepEqual(strong.rows, [
    [0, 1],
    [1, 1],
  ]);
});

test("of a changed run, the scores of the unchanged one stand beside it", () => {
  const scene = { ...SCENE, measure: "length" };
  const [{ head, rows }] = tablesOf({ ...scene, before: scene }, null);
  assert.equal(head.at(-1), "length, unchanged");
  near(
    rows.map((row) => row[3]),
    [0.9, 0.1, 0.2],
  );
});
