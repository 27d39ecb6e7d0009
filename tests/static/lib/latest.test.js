import assert from "node:assert/strict";
import { test } from "node:test";

import { latest } from "../../../static/js/lib/latest.js";
import { settled } from "../fixtures.js";

/** A job that a test finishes by hand. */
function handMade() {
  const started = [];
  let finish;
  let fail;
  const wish = latest((what) => {
    started.push(what);
    return new Promise((resolve, reject) => {
      finish = resolve;
      fail = reject;
    });
  });
  return {
    wish,
    started,
    finish: () => {
      finish();
      return settled();
    },
    fail: (error) => {
      fail(error);
      return settled();
    },
  };
}

/** What nobody caught while `act` went on. */
async function unhandledIn(act) {
  const errors = [];
  const others = process.listeners("unhandledRejection");
  process.removeAllListeners("unhandledRejection");
  process.on("unhandledRejection", (error) => errors.push(error.message));
  await act();
  await settled();
  process.removeAllListeners("unhandledRejection");
  for (const other of others) process.on("unhandledRejection", other);
  return errors;
}

test("the first wish runs at once", () => {
  const { wish, started } = handMade();
  wish("a");
  assert.deepEqual(started, ["a"]);
});

test("of the wishes made while a job runs only the last one runs, after it", async () => {
  const { wish, started, finish } = handMade();
  wish("a");
  wish("b");
  wish("c");
  wish("d");
  await settled();
  assert.deepEqual(started, ["a"]);
  await finish();
  assert.deepEqual(started, ["a", "d"]);
  await finish();
  assert.deepEqual(started, ["a", "d"]);
});

test("a wish after all is done runs at once", async () => {
  const { wish, started, finish } = handMade();
  wish("a");
  await finish();
  wish("b");
  assert.deepEqual(started, ["a", "b"]);
});

test("never more than one job runs, and the last wish is always granted", async () => {
  let running = 0;
  let most = 0;
  const done = [];
  const wish = latest(async (what) => {
    most = Math.max(most, ++running);
    for (let turns = what % 3; turns > 0; turns--) await settled();
    running--;
    done.push(what);
  });
  for (let what = 0; what < 50; what++) {
    wish(what);
    if (what % 4 === 0) await settled();
  }
  while (running > 0) await settled();
  assert.equal(most, 1);
  assert.equal(done.at(-1), 49);
  assert.deepEqual(
    done,
    done.toSorted((a, b) => a - b),
  );
  assert.ok(done.length < 50, "some wish was replaced");
});

test("a wish that the job itself makes runs after it", async () => {
  const started = [];
  const wish = latest(async (what) => {
    started.push(what);
    if (what < 3) wish(what + 1);
    started.push(`${what} done`);
  });
  wish(1);
  await settled();
  assert.deepEqual(started, [1, "1 done", 2, "2 done", 3, "3 done"]);
});

test("a job that fails is reported and does not block later ones", async () => {
  const { wish, started, fail } = handMade();
  const unhandled = await unhandledIn(async () => {
    wish("a");
    await fail(new Error("broken"));
  });
  assert.deepEqual(unhandled, ["broken"]);
  wish("b");
  assert.deepEqual(started, ["a", "b"]);
});

test("what was wished for while a job failed runs once, and in its turn", async () => {
  const { wish, started, finish, fail } = handMade();
  const unhandled = await unhandledIn(async () => {
    wish("a");
    wish("b");
    wish("c");
    await fail(new Error("broken"));
  });
  assert.deepEqual(unhandled, ["broken"]);
  assert.deepEqual(started, ["a", "c"]);
  wish("d");
  await finish();
  await finish();
  assert.deepEqual(started, ["a", "c", "d"]);
});

test("a job that throws before it has begun to wait does not block later ones", async () => {
  const started = [];
  const wish = latest((what) => {
    started.push(what);
    if (what === "a") throw new Error("broken");
    return Promise.resolve();
  });
  const unhandled = await unhandledIn(() => {
    wish("a");
    wish("b");
  });
  assert.deepEqual(unhandled, ["broken"]);
  assert.deepEqual(started, ["a", "b"]);
});

test("once answered, a job shows while the next one runs", async () => {
  const happened = [];
  const wish = latest(async (what, answered) => {
    happened.push(`asks ${what}`);
    await settled();
    answered();
    happened.push(`shows ${what}`);
  });
  wish("a");
  wish("b");
  await settled();
  await settled();
  assert.deepEqual(happened.slice(0, 3), ["asks a", "asks b", "shows a"]);
  await settled();
  assert.deepEqual(happened.slice(3), ["shows b"]);
});

test("a job that fails once it is answered lets the next one run just once", async () => {
  const started = [];
  const unhandled = await unhandledIn(async () => {
    const wish = latest(async (what, answered) => {
      started.push(what);
      await settled();
      answered();
      if (what === "a") throw new Error("broken");
    });
    wish("a");
    wish("b");
    await settled();
    await settled();
    wish("c");
    await settled();
    await settled();
  });
  assert.deepEqual(unhandled, ["broken"]);
  assert.deepEqual(started, ["a", "b", "c"]);
});
