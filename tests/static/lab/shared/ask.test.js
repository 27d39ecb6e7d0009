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
  const requests = [];
  const ask = (wish) =>
    new Promise((resolve, reject) => {
      requests.push({ wish, resolve, reject });
      wish.signal?.addEventListener("abort", () => reject(new Error("aborted")));
    });
  return { ask, asked: requests };
}

test("the newest wish is asked before the answer before it is shown", async () => {
  const { ask, asked: requests } = asking();
  const answers = [];
  const states = [];
  const newest = newestAnswer(
    services,
    ask,
    (answer, { at }) => answers.push([answer, at, requests.length]),
    (isBehind) => states.push(isBehind),
  );
  for (const at of [1, 2, 3]) newest.ask({ at });
  assert.deepEqual(
    requests.map(({ wish }) => wish.at),
    [1],
  );
  requests[0].resolve("one");
  await settled();
  assert.deepEqual(answers, [["one", 1, 2]]); // two questions by then
  assert.equal(states.at(-1), true); // that is no answer to the newest
  requests[1].resolve("three");
  await settled();
  assert.deepEqual(answers[1], ["three", 3, 2]);
  assert.equal(states.at(-1), false);
});

test("a useless one is ended by the next, one that is worth it goes on", async () => {
  const { ask, asked: requests } = asking();
  const answers = [];
  const alone = newestAlone(
    services,
    ask,
    (answer) => answers.push(answer),
    (before, next) => before.kind !== next.kind,
  );
  alone.ask({ kind: "a", at: 1 });
  alone.ask({ kind: "a", at: 2 });
  assert.ok(!requests[0].wish.signal.aborted);
  alone.ask({ kind: "b", at: 3 });
  assert.ok(requests[0].wish.signal.aborted);
  await settled();
  requests[1].resolve("third");
  await settled();
  assert.deepEqual(answers, ["third"]);
});

test("ended, nothing is shown, and what was to come is forgotten", async () => {
  const { ask, asked: requests } = asking();
  const answers = [];
  const alone = newestAlone(
    services,
    ask,
    (answer) => answers.push(answer),
    () => false,
  );
  alone.ask({ at: 1 });
  alone.ask({ at: 2 });
  alone.end();
  await settled();
  assert.equal(requests.length, 1);
  alone.ask({ at: 3 });
  requests[1].resolve("third");
  await settled();
  assert.deepEqual(answers, ["third"]);
});

test("once the hand rests the newest wish is asked, unless its answer is known", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { ask, asked: requests } = asking();
  const states = [];
  let wish = { pixels: "first", networks: "all" };
  const slow = answerAtRest(services, {
    wish: () => wish,
    ask,
    show: () => states.push({ ...slow.known(), isAsked: slow.isAsked() }),
  });
  const rest = () => {
    slow.ask();
    t.mock.timers.tick(1000);
  };
  slow.ask();
  wish = { ...wish, pixels: "second" };
  rest();
  requests[0].resolve("answer");
  await settled();
  assert.deepEqual(states, [
    { isAsked: true },
    { answer: "answer", wish, isAsked: false },
  ]);
  wish = { ...wish };
  rest();
  assert.equal(requests.length, 1);
  for (const next of [null, { ...wish, networks: "few" }]) {
    wish = next;
    rest();
  }
  assert.deepEqual(
    requests.map(({ wish }) => wish.networks),
    ["all", "few"],
  );
});

test("a question that fails is on its way no more", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const states = [];
  const slow = answerAtRest(
    { guarded: (job) => (wish) => job(wish).catch(() => {}) },
    {
      wish: () => ({ pixels: "first" }),
      ask: () => Promise.reject(new Error("broken")),
      show: () => states.push(slow.isAsked()),
    },
  );
  slow.ask();
  t.mock.timers.tick(1000);
  await settled();
  assert.deepEqual(states, [true, false]);
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
