import { test } from "node:test";
import { evidenceOfCapsules } from "../../../../../static/js/kinds/routing/dynamic/sums.js";
import { closeTo } from "../../../fixtures.js";
import { givenBy, scenes } from "./scenes-made.js";

test("a capsule gives its weighted vote along the class's direction", () => {
  const close = closeTo(0.02); // in half precision
  for (const { scene, steps } of scenes()) {
    const { tensors, step, classIndex } = scene;
    close(
      evidenceOfCapsules(tensors, step, classIndex),
      givenBy(steps[step], classIndex),
    );
  }
});
