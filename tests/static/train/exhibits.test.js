import assert from "node:assert/strict";
import { test } from "node:test";
import { wilsonInterval } from "../../../static/js/lib/statistics.js";
import {
  EXHIBITS,
  exhibitOf,
  OUTCOMES,
  outcomeOf,
  outcomeWords,
  recipesOf,
} from "../../../static/js/train/exhibits.js";
import { rightOf } from "../../../static/js/train/history.js";
import { noteWords } from "../../../static/js/train/note.js";
import { hasMistakes } from "../../../static/js/train/pairs.js";
import { mindWords, namesBeside, runTitle } from "../../../static/js/train/words.js";
import { numbersIn, says } from "../fixtures.js";
import { historyOf, madeEvents, RECIPES, RUN } from "./made.js";

const withSetting = (mistake, more = {}) => ({
  ...RUN,
  settings: { ...RUN.settings, mistake, ...more },
});
const RIGHT = withSetting("none");

/** A run that has ended with so many of 2 000 test digits misread. */
function ended(wrong, { state = "done", step = 40, total = 40 } = {}) {
  const at = { step, images: 64 * step, seconds: step };
  const told = [
    { event: "state", step: 0, images: 0, seconds: 0, state: "running", total },
    {
      ...{ event: "snapshot", ...at, bytes: 1, gained: [], lost: [] },
      ...{ error: wrong / 2000, tested: 2000 },
    },
    { event: "state", ...at, state },
  ];
  return historyOf(told);
}

test("an outcome is told by intervals that do not overlap, with its figures", () => {
  const seen = new Set();
  for (const without of [0, 20, 41, 200, 1800])
    for (const having of [0, 19, 41, 60, 90, 240, 1800, 2000]) {
      const [right, wrong] = [ended(without), ended(having)];
      const outcome = outcomeOf(right, wrong);
      seen.add(outcome);
      const [a, b] = [without, having].map((count) => wilsonInterval(count, 2000));
      const expected = a[1] < b[0] ? "worse" : b[1] < a[0] ? "better" : "alike";
      assert.equal(outcome, expected);
      for (const guess of [null, ...Object.keys(OUTCOMES)]) {
        const words = outcomeWords(right, wrong, guess);
        assert.deepEqual(numbersIn(words), [having, 2000, without, 95], words);
        assert.equal(/So it is/.test(words), guess === outcome, words);
        assert.equal(/It is otherwise/.test(words), ![null, outcome].includes(guess));
        assert.equal(/do not overlap/.test(words), outcome !== "alike", words);
      }
    }
  assert.deepEqual(seen, new Set(["worse", "better", "alike"]));
});

test("a run that breaks off says after which step, whatever the other does", () => {
  for (const right of [historyOf([]), ended(41), ended(41, { step: 20 })]) {
    const wrong = ended(1800, { state: "failed", step: 1 });
    assert.equal(outcomeOf(right, wrong), "fails");
    says(outcomeWords(right, wrong, "fails"), "So it is.…broke off after step 1.");
  }
});

test("nothing is said before both have come to their last step, or if one never will", () => {
  const wait = "Both runs have to finish before anything can be said.";
  const early = "A run has ended early, so nothing can be said.";
  const done = ended(41);
  for (const [right, wrong, words] of [
    [historyOf([]), done, wait],
    [done, ended(41, { state: "running", step: 20 }), wait],
    [done, ended(41, { state: "stopped", step: 20 }), early],
    [ended(41, { state: "failed", step: 20 }), done, early],
  ]) {
    assert.equal(outcomeOf(right, wrong), null);
    assert.equal(outcomeWords(right, wrong, null), words);
    assert.equal(
      outcomeWords(right, wrong, "worse"),
      `Your guess: it reads clearly worse. ${words}`,
    );
  }
  for (let seed = 0; seed < 20; seed++) {
    const [right, wrong] = [0, 1].map((i) => historyOf(madeEvents(2 * seed + i)));
    const counts = [wrong, right].map(({ counts }) => 2000 - rightOf(counts.at(-1)));
    assert.deepEqual(numbersIn(outcomeWords(right, wrong, null)), [
      ...[counts[0], 2000, counts[1], 95],
    ]);
  }
});

test("two runs are an exhibit if one makes a mistake and nothing else differs", () => {
  for (const exhibit of EXHIBITS) {
    const wrong = withSetting(exhibit.name);
    assert.deepEqual(exhibitOf(RIGHT, wrong), { exhibit, isFirst: false });
    assert.deepEqual(exhibitOf(wrong, RIGHT), { exhibit, isFirst: true });
    assert.equal(exhibitOf(RIGHT, withSetting(exhibit.name, { seed: 5 })), null);
    assert.deepEqual(namesBeside(wrong, RIGHT), [
      "the run with the mistake",
      "the run without the mistake",
    ]);
    assert.equal(
      /not defined alike/.test(mindWords(RIGHT, wrong, "images", [])),
      exhibit.name === "unsquared",
    );
    assert.equal(
      runTitle({ architecture: "capsnet", recipe: { mistake: exhibit.name } }),
      `CapsNet, ${exhibit.title}`,
    );
  }
  assert.equal(exhibitOf(RIGHT, RIGHT), null);
  assert.equal(exhibitOf(withSetting("axis"), withSetting("view")), null);
  assert.equal(exhibitOf(RUN, { ...RUN, architecture: "cnn" }), null);
});

test("both runs of an exhibit share all but the mistake", () => {
  for (const exhibit of EXHIBITS) {
    const [without, { mistake, ...having }] = recipesOf(exhibit);
    assert.match(exhibit.title, /^[a-z]/); // a menu begins it with a capital
    assert.deepEqual(without, having);
    assert.equal(mistake, exhibit.name);
  }
  assert.equal(hasMistakes(RECIPES), false);
});

test("a network that makes a mistake says so, and no other", () => {
  const words = (config, described) => noteWords({ card: { config, described } });
  const found = (setting, text) => ({ sentences: [{ layer: "a", setting, text }] });
  assert.match(
    words({}, found("axis", "Its softmax runs over the capsules.")),
    /^Its softmax runs over the capsules\. The pictures show what it computes/,
  );
  // The page shows what it computes, words and sums included.
  assert.equal(words({}, found("iterations", "It has 4 iterations.")), "");
  assert.equal(words({}), "");
  assert.equal(words({ mistake: "none" }), "");
  for (const { name, title } of EXHIBITS)
    assert.ok(words({ mistake: name }).includes(`on purpose: ${title}.`));
});
