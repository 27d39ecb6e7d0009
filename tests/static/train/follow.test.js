import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { createFollower } from "../../../static/js/train/follow.js";
import { settled } from "../fixtures.js";
import { madeEvents, RUN } from "./made.js";

/** A server with runs whose events come when told to. */
function server(runs) {
  const open = new Map();
  const requests = [];
  let changes = 0;
  const failures = [];
  const follower = createFollower(
    {
      fetchRuns: async () => runs,
      followRun(id, after, listener) {
        requests.push([id, after]);
        open.set(id, listener);
        return () => open.delete(id);
      },
    },
    { changed: () => changes++, failed: (error) => failures.push(error) },
  );
  return { follower, open, asked: requests, failures, changes: () => changes };
}

test("runs are heard of while somebody looks, and taken up where they were left", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const { follower, open, asked: requests } = server([RUN]);
  follower.follow([RUN.id]);
  assert.equal(open.size, 0);
  follower.turn(true);
  await settled();
  assert.deepEqual(follower.runs(), [RUN]);
  const events = madeEvents(1);
  for (let i = 0; i < 9; i++) open.get(RUN.id)(events[i], i + 1);
  follower.turn(false);
  assert.equal(open.size, 0);
  follower.turn(true);
  assert.deepEqual(requests, [
    [RUN.id, 0],
    [RUN.id, 9],
  ]);
  events.forEach((event, i) => {
    open.get(RUN.id)?.(event, i + 1);
  });
  assert.equal(follower.historyOf(RUN.id).state, "done");
  assert.equal(open.size, 0); // a run that has ended says nothing more
  follower.turn(false);
  follower.turn(true);
  assert.equal(requests.length, 2);
  follower.turn(false);
  await settled();
  mock.timers.reset();
});

test("only the runs on show are heard of", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const { follower, open } = server([RUN]);
  follower.turn(true);
  follower.follow(["a", "b"]);
  assert.deepEqual([...open.keys()], ["a", "b"]);
  follower.follow(["b"]);
  assert.deepEqual([...open.keys()], ["b"]);
  follower.forget("b");
  assert.equal(open.size, 0);
  follower.turn(false);
  await settled();
  mock.timers.reset();
});

test("runs that others start are found, and failures are told", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const runs = [RUN];
  const { follower, failures } = server(runs);
  follower.turn(true);
  await settled();
  runs.unshift({ ...RUN, id: "other" });
  mock.timers.tick(4000);
  await settled();
  assert.equal(follower.runs()[0].id, "other");
  assert.deepEqual(failures, []);
  follower.turn(false);
  await settled();
  mock.timers.reset();
});

test("a run that had ended and goes on is heard of again, from where it was left", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  const { follower, open, asked: requests } = server([RUN]);
  follower.follow([RUN.id]);
  follower.turn(true);
  await settled();
  const events = madeEvents(1);
  events.forEach((event, i) => {
    open.get(RUN.id)?.(event, i + 1);
  });
  assert.equal(open.size, 0);
  await settled(); // the list has the run as running
  assert.deepEqual(requests.at(-1), [RUN.id, events.length]);
  assert.equal(open.size, 1);
  follower.turn(false);
  mock.timers.reset();
});
