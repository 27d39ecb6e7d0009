import assert from "node:assert/strict";
import { test } from "node:test";
import { nearLine, pointWords } from "../../../static/js/atlas/words.js";
import { made } from "./made.js";

test("an atlas has the score of the class read, and the maps that came", () => {
  const { atlas, tensors, classes } = made(1);
  assert.deepEqual(Object.keys(atlas.positions), ["capsules", "scores"]);
  for (let i = 0; i < atlas.count; i++)
    assert.equal(
      atlas.best[i],
      tensors.scores.data[i * classes + tensors.predictions.data[i]],
    );
  assert.deepEqual([...atlas.others[0].misread], [[3, [2]]]);
});

test("a test image is told with its label, what is read, how sure, and how like", () => {
  for (const hasErrors of [true, false]) {
    const { atlas } = made(2, { hasErrors });
    for (let i = 0; i < atlas.count; i++) {
      const words = pointWords(atlas, i);
      const [label, read] = [atlas.labels[i], atlas.predictions[i]];
      const tells =
        label === read ? "read correctly" : `misread as ${atlas.names[read]}`;
      assert.ok(
        words.startsWith(`Test image ${i}: label ${atlas.names[label]}, ${tells} with`),
      );
      assert.ok(words.includes(`of ${atlas.best[i].toFixed(3)}`));
      assert.equal(words.includes("reconstruction"), hasErrors);
    }
  }
});

test("what is nearest is told of an image alone, and once it is found", () => {
  const { atlas } = made(1);
  const nearest = [{ index: 1, labels: [2], distance: 0.5 }];
  const line = (hasImage, nearest) => nearLine({ atlas, nearest, hasImage });
  assert.match(line(false, []), /^Draw or choose an image/);
  assert.match(line(true, []), /^Looking for/);
  assert.match(line(true, nearest), /^The 1 test image nearest to it in/);
});
