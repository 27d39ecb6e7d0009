import assert from "node:assert/strict";
import { test } from "node:test";
import {
  answerAtRest,
  newestAlone,
  newestAnswer,
} from "../../../../static/js/lab/shared/ask.js";
import { settled } from "../../fixtures.js";

const services = { guarded: (job) => job };

/** Answers that the test gives, in the order of the questions. */
function asking() {
  const asked = [];
  const ask = (wish) =>
    new Promise((resolve, reject) => {
      asked.push({ wish, resolve, reject });
      wish.signal?.addEventListener("abort", () => reject(new Error("aborted")));
    });
  return { ask, asked };
}

test("the newest wish is asked before the answer before it is shown", async () => {
  const { ask, asked } = asking();
  const seen = [];
  const told = [];
  const newest = newestAnswer(
    services,
    ask,
    (answer, { at }) => seen.push([answer, at, asked.length]),
    (isBehind) => told.push(isBehind),
  );
  for (const at of [1, 2, 3]) newest.ask({ at });
  assert.deepEqual(
    asked.map(({ wish }) => wish.at),
    [1],
  );
  asked[0].resolve("one");
  await settled();
  assert.deepEqual(seen, [["one", 1, 2]]); // two questions by then
  assert.equal(told.at(-1), true); // that is no answer to the newest
  asked[1].resolve("three");
  await settled();
  assert.deepEqual(seen[1], ["three", 3, 2]);
  assert.equal(told.at(-1), false);
});

test("a useless one is ended by the next, one that is worth it goes on", async () => {
  const { ask, asked } = asking();
  const seen = [];
  const alone = newestAlone(
    services,
    ask,
    (answer) => seen.push(answer),
    (before, next) => before.kind !== next.kind,
  );
  alone.ask({ kind: "a", at: 1 });
  alone.ask({ kind: "a", at: 2 });
  assert.ok(!asked[0].wish.signal.aborted);
  alone.ask({ kind: "b", at: 3 });
  assert.ok(asked[0].wish.signal.aborted);
  await settled();
  asked[1].resolve("third");
  await settled();
  assert.deepEqual(seen, ["third"]);
});

test("ended, nothing is shown, and what was to come is forgotten", async () => {
  const { ask, asked } = asking();
  const seen = [];
  const alone = newestAlone(
    services,
    ask,
    (answer) => seen.push(answer),
    () => false,
  );
  alone.ask({ at: 1 });
  alone.ask({ at: 2 });
  alone.end();
  await settled();
  assert.equal(asked.length, 1);
  alone.ask({ at: 3 });
  asked[1].resolve("third");
  await settled();
  assert.deepEqual(seen, ["third"]);
});

test("once the hand rests the newest wish is asked, unless its answer is known", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { ask, asked } = asking();
  const told = [];
  let wish = { pixels: "first", networks: "all" };
  const slow = answerAtRest(services, {
    wish: () => wish,
    ask,
    show: () => told.push({ ...slow.known(), isAsked: slow.isAsked() }),
  });
  const rest = () => {
    slow.ask();
    t.mock.timers.tick(1000);
  };
  slow.ask();
  wish = { ...wish, pixels: "second" };
  rest();
  asked[0].resolve("answer");
  await settled();
  assert.deepEqual(told, [
    { isAsked: true },
    { answer: "answer", wish, isAsked: false },
  ]);
  wish = { ...wish };
  rest();
  assert.equal(asked.length, 1);
  for (const next of [null, { ...wish, networks: "few" }]) {
    wish = next;
    rest();
  }
  assert.deepEqual(
    asked.map(({ wish }) => wish.networks),
    ["all", "few"],
  );
});

test("a question that fails is on its way no more", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const told = [];
  const slow = answerAtRest(
    { guarded: (job) => (wish) => job(wish).catch(() => {}) },
    {
      wish: () => ({ pixels: "first" }),
      ask: () => Promise.reject(new Error("broken")),
      show: () => told.push(slow.isAsked()),
    },
  );
  slow.ask();
  t.mock.timers.tick(1000);
  await settled();
  assert.deepEqual(told, [true, false]);
});

test("a failure that nobody caused is one", async () => {
  const failures = [];
  const alone = newestAlone(
    {
      guarded: (job) => (wish) =>
        job(wish).catch(({ message }) => failures.push(message)),
    },
    () => Promise.reject(new Error("broken")),
    () => assert.fail("there is no answer"),
    () => true,
  );
  alone.ask({});
  await settled();
  assert.deepEqual(failures, ["broken"]);
});
