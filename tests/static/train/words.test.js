import assert from "node:assert/strict";
import { test } from "node:test";
import { scoreText } from "../../../static/js/core/scores.js";
import { wilsonInterval } from "../../../static/js/lib/statistics.js";
import { rightOf } from "../../../static/js/train/history.js";
import { milestoneOf } from "../../../static/js/train/index.js";
import { RECIPE as OWN } from "../../../static/js/train/symbols.js";
import {
  aheadWords,
  brief,
  countWords,
  differenceWords,
  digitWords,
  lossWords,
  mindWords,
  namesBeside,
  runTitle,
  secondsWords,
  shareWords,
  stateWords,
} from "../../../static/js/train/words.js";
import { MODEL, numbersIn, says, seededRandom, tensor } from "../fixtures.js";
import { historyOf, madeEvents, RECIPES, RUN } from "./made.js";

const plain = (text) => text.replaceAll("\u202f", "");
const at = { step: 7, images: 448, seconds: 1.25 };

test("a run says what it does in every state", () => {
  const line = (events, run = {}) => stateWords({ ...RUN, ...run }, historyOf(events));
  const state = (name, more = {}) => ({ event: "state", ...at, state: name, ...more });
  const begun = state("running", { total: 40 });
  const waiting = { state: "waiting" };
  says(line([], { ...waiting, place: 1 }), "is the next to train.");
  assert.equal(line([], { ...waiting, place: 2 }), "It waits: 1 run goes before it.");
  assert.equal(line([state("running")]), "It starts.");
  assert.equal(line([begun]), "Trains: step 7 of 40, 448 images in 1.3 s.");
  says(line([begun, state("paused")]), "Paused after step 7: 448 images in 1.3 s.");
  assert.equal(
    line([begun, state("stopped", { message: "the server was stopped" })]),
    "Stopped after step 7: 448 images in 1.3 s. The server was stopped.",
  );
  assert.equal(
    line([begun, state("failed", { message: "the loss is nan after step 7" })]),
    "Failed. The loss is nan after step 7.",
  );
  assert.equal(line([begun, state("done")]), "Done: 7 steps, 448 images in 1.3 s.");
  assert.equal(
    line([state("running", { total: 7, message: "measuring the trained network" })]),
    "Trained. Measuring the trained network.",
  );
});

test("a screen reader hears of states and quarters, not of every step", () => {
  const milestones = new Set();
  const events = madeEvents(4, { steps: 400 });
  for (let length = 1; length <= events.length; length += 7)
    milestones.add(
      milestoneOf({ run: RUN, history: historyOf(events.slice(0, length)) }),
    );
  milestones.add(milestoneOf({ run: RUN, history: historyOf(events) }));
  assert.ok(milestones.size >= 5 && milestones.size <= 7, String(milestones.size));
});

test("counts of test digits add up in every sentence", () => {
  for (let seed = 0; seed < 30; seed++) {
    const { counts } = historyOf(madeEvents(seed));
    counts.forEach((count, i) => {
      const words = countWords(counts.slice(0, i + 1), 10);
      const numbers = numbersIn(words);
      const right = rightOf(count);
      if (count.images === 0) assert.deepEqual(numbers, [right, 2000, 200]);
      else {
        const shares = [Number((100 * count.error).toFixed(1))];
        assert.deepEqual(numbers, [count.images, right, 2000, 2000 - right, ...shares]);
      }
    });
  }
  assert.match(countWords([], 10), /not been counted/);
  const [before] = historyOf(madeEvents(0)).counts;
  assert.doesNotMatch(countWords([before], undefined), /guessing/);
});

test("the loss has fallen or risen as the first and the last point say", () => {
  const words = (...losses) => lossWords(losses.map((loss) => ({ loss })));
  assert.equal(words(), "");
  says(words(0.5, 0.7, 0.031), "fallen from 0.50 to 0.031");
  says(words(0.5, 0.1, 1.2), "risen from 0.50 to 1.2");
  assert.equal(words(0.5, 0.5001), "The loss on training images is 0.50.");
});

test("small and large numbers are told by two digits", () => {
  const texts = [0, 0.00041, 0.031, 0.5, 1.23, 45.6].map(brief);
  assert.deepEqual(texts, ["0", "0.00041", "0.031", "0.50", "1.2", "46"]);
  assert.equal(secondsWords(3.14), "3.1 s");
  assert.equal(secondsWords(59.6), "60 s");
  assert.equal(secondsWords(179.7), "3 min 0 s");
  assert.equal(secondsWords(3599.6), "1 h 0 min");
  assert.equal(secondsWords(9000), "2 h 30 min");
});

test("what is read in a digit is the longest, with the runner-up and the label", () => {
  const random = seededRandom(5);
  for (let i = 0; i < 200; i++) {
    const scores = Array.from({ length: 10 }, random);
    const order = scores.map((_, j) => j).sort((a, b) => scores[b] - scores[a]);
    const [best, next] = order;
    const label = [null, best, next][i % 3];
    const words = digitWords(scores, MODEL, label);
    says(
      words,
      `The network that learns reads ${best}: length ${scoreText(scores[best], "length")}`,
    );
    assert.ok(
      words.includes(`runner-up ${next} at ${scoreText(scores[next], "length")}`),
    );
    assert.equal(words.includes("The label agrees."), label === best);
    assert.equal(words.includes(`The label says ${next}.`), label === next);
  }
});

test("the run that misreads fewer at the same place is ahead, and chance is admitted", () => {
  for (let seed = 0; seed < 60; seed++)
    for (const over of ["images", "seconds"]) {
      const run = {
        name: "the CNN",
        counts: historyOf(madeEvents(seed, { steps: 30 })).counts,
      };
      const other = {
        name: "the CapsNet",
        counts: historyOf(madeEvents(seed + 99)).counts,
      };
      const until = Math.min(run.counts.at(-1)[over], other.counts.at(-1)[over]);
      const [a, b] = [run, other].map(({ counts }) =>
        counts.filter((count) => count[over] <= until).at(-1),
      );
      const words = aheadWords(run, other, over);
      if (a.error === b.error) assert.ok(words.startsWith("Neither is ahead"));
      else
        assert.ok(
          words.startsWith(
            a.error < b.error ? "The CNN is ahead" : "The CapsNet is ahead",
          ),
        );
      if (a.error === b.error) continue;
      const [low, high] = [a, b].sort((x, y) => x.error - y.error);
      const wrong = (count) => count.tested - rightOf(count);
      assert.ok(plain(words).includes(`misreads ${wrong(low)} of 2000`));
      assert.ok(plain(words).includes(` ${wrong(high)} after`));
      if (over === "seconds") assert.ok(words.includes(secondsWords(low.seconds)));
      const isClear =
        wilsonInterval(wrong(low), 2000)[1] < wilsonInterval(wrong(high), 2000)[0];
      assert.equal(words.includes("do not overlap"), isClear);
    }
  const count = (tested, error) => ({ images: 64, seconds: 1, tested, error });
  says(
    aheadWords(
      { name: "the first run", counts: [count(10, 0.5)] },
      { name: "the second run", counts: [count(20, 0.1)] },
      ...["images", "kept example"],
    ),
    "second run is ahead: it misreads 2 of 20 kept examples…first run 5 of 10 kept examples",
  );
  assert.equal(
    aheadWords(
      { name: "the CNN", counts: [] },
      { name: "the CapsNet", counts: [] },
      "images",
    ),
    "",
  );
});

test("two runs are told by what differs, and losses that are not alike are not compared", () => {
  const { settings } = RECIPES.architectures[0];
  const other = { ...RUN, settings: { ...RUN.settings, routing_iterations: 1 } };
  assert.equal(differenceWords(RUN, other), ""); // their names say it
  assert.deepEqual(namesBeside(RUN, other), [
    "the run with routing iterations 3",
    "the run with routing iterations 1",
  ]);
  const apart = { ...other, settings: { ...other.settings, epochs: 1, seed: 2 } };
  assert.deepEqual(namesBeside(RUN, apart), ["the first run", "the second run"]);
  says(differenceWords(RUN, apart), "3 and 1; routing iterations 3 and 1; seed 0 and");
  assert.deepEqual(namesBeside(RUN, RUN), ["the first run", "the second run"]);
  assert.equal(differenceWords(RUN, RUN), "Both runs have the same settings.");
  assert.doesNotMatch(mindWords(RUN, other, "images", settings), /losses/);
  assert.match(mindWords(RUN, other, "seconds", settings), /share the processor/);
  const [with_, without] = [0.0005, 0].map((reconstruction_weight) => ({
    ...RUN,
    settings: { ...RUN.settings, reconstruction_weight },
  }));
  assert.match(mindWords(with_, without, "images", settings), /not defined alike/);
  const cnn = { ...RUN, architecture: "cnn" };
  assert.match(mindWords(RUN, cnn, "images", settings), /not defined alike/);
  assert.equal(differenceWords(RUN, cnn), "");
  assert.deepEqual(namesBeside(RUN, cnn), ["the CapsNet", "the CNN"]);
});

test("a run is called by its architecture and by what was asked of it", () => {
  const title = (recipe) => runTitle({ architecture: "capsnet", recipe });
  assert.equal(title({}), "CapsNet");
  assert.equal(
    title({ architecture: "capsnet", threads: 1, routing_iterations: 1, seed: 2 }),
    "CapsNet, routing iterations 1, seed 2",
  );
  assert.equal(title({ examples: 0 }), "CapsNet, all training images");
  const recipe = { ...OWN, symbols: "3f2a9c01" };
  assert.equal(title(recipe), "CapsNet, own symbols");
  assert.equal(title({ ...recipe, epochs: 9 }), "CapsNet, own symbols, epochs 9");
  assert.equal(
    title({ start: "3f2a9c01@640", learning_rate: 0.001 }),
    "CapsNet, learning rate 0.001, forked after step 640",
  );
});

test("routing is told by its last iteration and the class that is read", () => {
  // Two iterations, three capsules, two classes.
  const first = [0.5, 0.5, 0.5, 0.5, 0.5, 0.5];
  const last = [0.4, 0.6, 0.1, 0.9, 0.4, 0.6];
  const routed = tensor([2, 3, 2], [...first, ...last]);
  const once = tensor([3, 2], last);
  const sentence = (isOnce) =>
    shareWords({ name: "coupling", isOnce }, isOnce ? once : routed, 1, ["cat", "dog"]);
  says(sentence(false), "mean coupling to dog is 0.70…0.90…0.50");
  says(sentence(true), "to dog is 0.70…0.90…0.50");
  assert.ok(sentence(true).startsWith("In routing, the mean"));
});
