import assert from "node:assert/strict";
import { test } from "node:test";
import { mountStop } from "../../../../static/js/lab/attack/controls.js";

/** A stop with its button, and a store that somebody can leave. */
function made() {
  const heard = [];
  const checks = [];
  let click = () => {};
  let isOpen = true;
  const button = {
    textContent: "",
    hidden: true,
    addEventListener: (_name, job) => {
      click = job;
    },
  };
  const stop = mountStop(button, {
    end: () => heard.push("end"),
    begin: () => {
      heard.push("begin");
      stop.start(true);
    },
  });
  stop.whenLeft({
    get: () => (isOpen ? {} : null),
    subscribe: (check) => checks.push(check),
  });
  const go = (open) => {
    isOpen = open;
    for (const check of checks) check();
  };
  const looks = () => (button.hidden ? null : button.textContent);
  return { stop, heard, go, looks, click: () => click() };
}

function job() {
  let finish;
  const done = new Promise((resolve) => {
    finish = resolve;
  });
  return { done, finish };
}

test("the button is there while something slow is under way", async () => {
  const { stop, looks } = made();
  stop.start(false);
  const quick = job();
  const first = stop.whileUnderWay(quick.done);
  assert.equal(looks(), null);
  quick.finish("answer");
  assert.equal(await first, "answer");

  stop.start(true);
  assert.equal(looks(), null);
  const [one, other] = [job(), job()];
  const both = [one, other].map(({ done }) => stop.whileUnderWay(done));
  assert.equal(looks(), "Stop");
  one.finish();
  await both[0];
  assert.equal(looks(), "Stop");
  other.finish();
  await both[1];
  assert.equal(looks(), null);
});

test("it goes when a job fails, too", async () => {
  const { stop, looks } = made();
  stop.start(true);
  await assert.rejects(stop.whileUnderWay(Promise.reject(new Error("broken"))));
  assert.equal(looks(), null);
});

test("stopped, it stays and begins again", () => {
  const { stop, heard, looks, click } = made();
  stop.start(true);
  void stop.whileUnderWay(job().done);
  click();
  assert.deepEqual(heard, ["end"]);
  assert.equal(looks(), "Attack");
  assert.ok(stop.isStopped());
  click();
  assert.deepEqual(heard, ["end", "begin"]);
  assert.equal(looks(), "Stop");
  assert.ok(!stop.isStopped());
});

test("who leaves stops it, and who comes back begins it again, once", () => {
  const { stop, heard, go } = made();
  stop.start(true);
  go(false);
  go(true);
  assert.deepEqual(heard, []); // nothing was under way
  void stop.whileUnderWay(job().done);
  go(true);
  go(false);
  go(false);
  assert.deepEqual(heard, ["end"]);
  go(true);
  go(true);
  assert.deepEqual(heard, ["end", "begin"]);
});

test("what somebody stopped stays so when they come back", () => {
  const { stop, heard, go, click } = made();
  stop.start(true);
  void stop.whileUnderWay(job().done);
  click();
  go(false);
  go(true);
  assert.deepEqual(heard, ["end"]);
});
