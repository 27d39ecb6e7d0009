import assert from "node:assert/strict";
import { test } from "node:test";
import {
  addEvent,
  createHistory,
  hasEnded,
  lastUntil,
  nearestPlace,
  rightOf,
} from "../../../static/js/train/history.js";
import { historyOf, madeEvents } from "./made.js";

test("a history has every point, snapshot and count, and where the run is", () => {
  for (let seed = 0; seed < 20; seed++) {
    const events = madeEvents(seed);
    const history = historyOf(events);
    const of = (kind) => events.filter(({ event }) => event === kind);
    assert.deepEqual(history.points, of("progress"));
    assert.deepEqual(
      history.snapshots.map(({ step }) => step),
      of("snapshot").map(({ step }) => step),
    );
    assert.deepEqual(
      history.counts.map(({ step }) => step),
      of("snapshot").flatMap(({ step, error }) => (error === null ? [] : [step])),
    );
    assert.equal(history.total, 40);
    assert.equal(history.examples, 2560);
    assert.deepEqual(history.now, { step: 40, images: 2560, seconds: 2 });
    assert.ok(hasEnded(history));
  }
});

test("the few images that end an epoch are averaged with those before", () => {
  const progress = (images, wrong) => ({
    ...{ event: "progress", step: images / 64, images, seconds: 1 },
    ...{ loss: wrong, accuracy: 1 - wrong, learning_rate: 0.1 },
  });
  const events = [progress(640, 0.5), progress(1280, 0.3), progress(1440, 0)];
  const [first, last, ...more] = historyOf(events).points;
  assert.deepEqual([first, more], [events[0], []]);
  assert.equal(last.images, 1440);
  assert.ok(Math.abs(last.loss - 0.24) < 1e-9);
  assert.ok(Math.abs(last.accuracy - 0.76) < 1e-9);
});

test("a snapshot that is not here was tested all the same", () => {
  const history = createHistory();
  const at = { event: "snapshot", images: 64, seconds: 1, error: 0.5, tested: 10 };
  addEvent(history, { ...at, step: 1, bytes: 0 }, 1);
  addEvent(history, { ...at, step: 2, bytes: 9 }, 2);
  assert.deepEqual(
    history.snapshots.map(({ step }) => step),
    [2],
  );
  assert.deepEqual(
    history.counts.map(({ step }) => step),
    [1, 2],
  );
});

test("an event that comes twice, as after a broken connection, counts once", () => {
  const events = madeEvents(1);
  const history = historyOf(events);
  const before = structuredClone(history);
  assert.equal(addEvent(history, events[8], 9), false);
  assert.deepEqual(history, before);
});

test("a learning rate is held until the schedule has it back", () => {
  const history = historyOf([]);
  const at = { step: 1, images: 64, seconds: 0.1 };
  addEvent(history, { event: "rate", ...at, learning_rate: 0.0005 }, 1);
  assert.equal(history.held, 0.0005);
  addEvent(history, { event: "rate", ...at, learning_rate: null }, 2);
  assert.equal(history.held, null);
});

test("right and misread test digits are all of them", () => {
  for (let wrong = 0; wrong <= 2000; wrong++)
    assert.equal(rightOf({ error: wrong / 2000, tested: 2000 }), 2000 - wrong);
});

test("what is found by step, images or seconds is the last until there, or the nearest", () => {
  const { snapshots } = historyOf(madeEvents(3));
  for (const by of ["step", "images", "seconds"])
    for (let i = 0; i < snapshots.length - 1; i++) {
      const [here, next] = [snapshots[i][by], snapshots[i + 1][by]];
      const near = here + 0.4 * (next - here);
      assert.equal(lastUntil(snapshots, near, by), snapshots[i]);
      assert.equal(nearestPlace(snapshots, near, by), i);
      assert.equal(nearestPlace(snapshots, here + 0.6 * (next - here), by), i + 1);
    }
  assert.equal(lastUntil(snapshots, -1), null);
  assert.equal(nearestPlace([], 3), -1);
});

test("a run that goes on from its checkpoint tells what came after once more", () => {
  const history = createHistory();
  const at = (step) => ({ step, images: 10 * step, seconds: step });
  const progress = { event: "progress", loss: 1, accuracy: 0.5, learning_rate: 0.1 };
  const snapshot = { event: "snapshot", bytes: 9, tested: 5 };
  const events = [
    { event: "state", state: "running", total: 9, ...at(0) },
    { ...progress, ...at(2) },
    { ...snapshot, error: 0.2, ...at(2) },
    { ...progress, ...at(4) },
    { ...snapshot, error: 0.4, ...at(4) },
    { event: "state", state: "failed", ...at(4) },
    { event: "state", state: "waiting", ...at(4) },
    { event: "state", state: "running", total: 9, ...at(3) },
    { ...snapshot, error: 0.6, ...at(4) },
  ];
  events.forEach((event, i) => {
    addEvent(history, event, i + 1);
  });
  assert.equal(history.state, "running");
  assert.deepEqual(
    history.points.map(({ step }) => step),
    [2],
  );
  assert.deepEqual(
    history.counts.map(({ error }) => error),
    [0.2, 0.6],
  );
  assert.deepEqual(
    history.snapshots.map(({ step }) => step),
    [2, 4],
  );
});
