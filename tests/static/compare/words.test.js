import assert from "node:assert/strict";
import { test } from "node:test";

import { comparedWords } from "../../../static/js/compare/words.js";
import { scoreText } from "../../../static/js/core/scores.js";
import { MODEL, says, seededRandom, writtenOut } from "../fixtures.js";

const NAMED = { ...MODEL, class_names: ["0", "1", "2"] };

test("where two classes are named, neither counts as lost", () => {
  const two = { ...NAMED, present: { at_most: 2, threshold: 0.5 } };
  says(
    comparedWords([0.96, 0.94, 0.2], [0.9, 0.95, 0.2], two),
    "1 and 0…0.900…0.950. No",
  );
  says(
    comparedWords([0.96, 0.94, 0.2], [0.9, 0.3, 0.2], two),
    "0 and 1…it reads 0…to 0.300",
  );
  says(
    comparedWords([0.1, 0.2, 0.3], [0.9, 0.1, 0.2], two),
    "sees none of its classes; in the one shown it reads 0.",
  );
  says(
    comparedWords([0.1, 0.2, 0.3], [0.4, 0.1, 0.2], two),
    "In both images the network sees none of its classes. In length, 2 goes…and 0 goes",
  );
});

test("what is said of the classes holds for any scores", () => {
  const random = seededRandom(1);
  for (let i = 0; i < 500; i++) {
    const [kept, current] = [0, 1].map(() => Float32Array.from({ length: 3 }, random));
    const words = writtenOut(comparedWords(kept, current, NAMED));
    const [before, after] = [kept, current].map((scores) => {
      const most = Math.max(...scores);
      return [scores.indexOf(most), most >= 0.5];
    });
    const isSame = before[1] === after[1] && (before[0] === after[0] || !before[1]);
    assert.equal(words.includes("In both images"), isSame);
    for (const [, name, from, to] of words.matchAll(
      /(\d) goes from (\d\.\d+) to (\d\.\d+)/g,
    )) {
      assert.equal(from, writtenOut(scoreText(kept[name], "length")));
      assert.equal(to, writtenOut(scoreText(current[name], "length")));
    }
    const [, most] = /Class (\d) differs most/.exec(words) ?? [];
    if (most !== undefined)
      for (let j = 0; j < 3; j++)
        assert.ok(
          Math.abs(current[j] - kept[j]) <= Math.abs(current[most] - kept[most]),
        );
  }
});
