import { test } from "node:test";
import { sumsInWords } from "../../../../../static/js/kinds/routing/dynamic/given.js";
import {
  evidenceByPlace,
  evidenceOfCapsules,
} from "../../../../../static/js/kinds/routing/dynamic/sums.js";
import { closeTo, says } from "../../../fixtures.js";
import { givenBy, scenes } from "./scenes-made.js";

test("a capsule gives its weighted vote along the class's direction, a place all of its own", () => {
  const close = closeTo(0.02); // in half precision
  for (const { scene, steps } of scenes()) {
    const { tensors, step, classIndex, grid } = scene;
    const given = givenBy(steps[step], classIndex);
    close(evidenceOfCapsules(tensors, step, classIndex), given);
    const cells = grid.rows * grid.columns;
    const places = Array.from({ length: cells }, (_, place) =>
      given.filter((_, i) => i % cells === place).reduce((sum, each) => sum + each),
    );
    const from = classIndex * cells;
    close(evidenceByPlace(tensors, step).subarray(from, from + cells), places);
  }
});

test("what places give and take is summed, and only told where there is some", () => {
  const told = (given, isRival) => sumsInWords(given, 2, isRival);
  says(told([0.5, -0.25, 1.5, 0], false), "2.00 in all; row 1, column 0…1.50.…0.25");
  says(told([0.5, 0, 0, 0], true), "0.50 in all; row 0, column 0 gives most, 0.50.");
  says(told([0, -0.5, -1, 0], true), "take from the difference take 1.50");
  says(told([0, 0], false), "No place gives or takes anything.");
});
