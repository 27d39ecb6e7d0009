import assert from "node:assert/strict";
import { test } from "node:test";

import { ellipseOf, spreadInPlane } from "../../../static/js/geometry/ellipse.js";
import { weightedBins } from "../../../static/js/geometry/histogram.js";

const near = (found, wanted) =>
  assert.ok(Math.abs(found - wanted) < 1e-9, `${found}, not ${wanted}`);

test("along the axes an ellipse is as long as the deviations", () => {
  const spread = spreadInPlane([3, 2, 7], [1, 0, 0], [0, 1, 0]);
  const { long, short, angle } = ellipseOf(spread);
  near(long, 3);
  near(short, 2);
  near(angle, 0);
});

test("an upright ellipse stands at a right angle", () => {
  near(Math.abs(ellipseOf({ xx: 1, xy: 0, yy: 4 }).angle), Math.PI / 2);
});

test("seen askew, the plane's covariance is that of rotated axes", () => {
  const s = Math.SQRT1_2;
  const { xx, xy, yy } = spreadInPlane([3, 1], [s, s], [-s, s]);
  near(xx, 5);
  near(yy, 5);
  near(xy, -4);
  const { long, short, angle } = ellipseOf({ xx, xy, yy });
  near(long, 3);
  near(short, 1);
  near(angle, -Math.PI / 4);
});

test("bins sum weights; what lies beyond is in the last", () => {
  const bins = weightedBins([0, 0.9, 1, 5, 2], [1, 2, 4, 8, 16], { bins: 2, high: 2 });
  assert.deepEqual([...bins], [3, 28]);
});
