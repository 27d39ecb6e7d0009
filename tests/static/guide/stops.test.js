import assert from "node:assert/strict";
import { test } from "node:test";
import {
  createProgress,
  doneOf,
  linkOf,
  nameOf,
  readStop,
  ringOf,
  stopNamed,
  stopsOf,
  writeStop,
} from "../../../static/js/guide/stops.js";

const step = (id) => ({ id, title: id, text: [], link: `view=${id}`, ring: "body" });
const CHAPTERS = [
  { id: "01-first", steps: [step("a"), step("b")] },
  { id: "02-second", steps: [step("a")] },
];
const STOPS = stopsOf(CHAPTERS);

test("each chapter's steps come before its debate and its question", () => {
  assert.deepEqual(STOPS.map(nameOf), [
    "01-first/a",
    "01-first/b",
    "01-first/argued",
    "01-first/quiz",
    "02-second/a",
    "02-second/argued",
    "02-second/quiz",
    "02-second/end",
  ]);
});

test("a stop after the steps stands in the state of the last one", () => {
  const none = { predicted: {} };
  assert.equal(linkOf(STOPS[0], none), "view=a");
  assert.equal(linkOf(STOPS[3], none), "view=b");
});

test("a prediction shows its outcome once it is made", () => {
  const asks = { ...step("a"), predict: { reveals: "view=outcome" } };
  const stop = { ...STOPS[0], step: asks };
  assert.equal(linkOf(stop, { predicted: { "02-second/a": "Nine" } }), "view=a");
  assert.equal(linkOf(stop, { predicted: { "01-first/a": "" } }), "view=outcome");
  const here = { ...stop, step: { ...asks, predict: { reveals: null } } };
  assert.equal(linkOf(here, { predicted: { "01-first/a": "Nine" } }), "view=a");
});

test("what would give an answer away is ringed once it is given", () => {
  const asks = { ...step("a"), rings: "it", predict: { ring: "main", rings: "this" } };
  const stop = { ...STOPS[0], step: asks };
  const done = { predicted: { "01-first/a": "Nine" } };
  assert.deepEqual(ringOf(stop, { predicted: {} }), { ring: "main", rings: "this" });
  assert.deepEqual(ringOf(stop, done), { ring: "body", rings: "it" });
  assert.deepEqual(ringOf(STOPS[2], done), { ring: null, rings: "" });
});

test("a name that a chapter lacks leads to the chapter's beginning", () => {
  assert.equal(stopNamed(STOPS, "01-first/b"), STOPS[1]);
  assert.equal(stopNamed(STOPS, "02-second/gone"), STOPS[4]);
  assert.equal(stopNamed(STOPS, "03-none/a"), null);
  assert.equal(stopNamed(STOPS, null), null);
});

test("the address keeps whatever else it says", () => {
  assert.equal(writeStop("?present=2", "01-first/a"), "?present=2&guide=01-first/a");
  assert.equal(readStop("?present=2&guide=01-first/a"), "01-first/a");
  assert.equal(writeStop("?present=2&guide=01-first/a", null), "?present=2");
  assert.equal(writeStop("?guide=01-first/a", null), "");
  assert.equal(readStop(""), null);
});

const CHAPTER = { id: "01-first", steps: [{ id: "a" }, { id: "b" }] };

/** @param {string | null} [text] what is kept already */
function storage(text = null) {
  return {
    text,
    getItem() {
      return this.text;
    },
    setItem(_key, value) {
      this.text = value;
    },
  };
}

test("what was seen and solved is there at the next visit", () => {
  const kept = storage();
  const progress = createProgress(kept);
  progress.see("01-first/a");
  progress.see("01-first/b");
  progress.see("01-first/a");
  progress.solve("01-first/quiz");
  progress.try("capsnet/conv1");
  progress.try("capsnet/conv1");
  progress.predict("01-first/a", "Nine");
  progress.predict("01-first/a", "Four");
  progress.predict("01-first/b", "");
  progress.predict("01-first/b", null);
  assert.deepEqual(createProgress(kept).get(), {
    seen: ["01-first/a", "01-first/b"],
    done: ["01-first/quiz"],
    predicted: { "01-first/a": "Four" },
    at: "01-first/a",
    isDismissed: true,
    tried: ["capsnet/conv1"],
  });
});

for (const text of [
  "{",
  '{"tried": 1}',
  '{"predicted": {"a/b": 1}}',
  '{"seen": [2], "done": [], "at": null}',
])
  test(`what is not ours is nothing: ${text}`, () => {
    assert.deepEqual(createProgress(storage(text)).get(), {
      seen: [],
      done: [],
      predicted: {},
      at: null,
      isDismissed: false,
      tried: [],
    });
  });

test("a browser that keeps nothing forgets with the page", () => {
  const progress = createProgress({
    getItem: () => null,
    setItem() {
      throw new Error("full");
    },
  });
  progress.dismiss();
  assert.equal(progress.get().isDismissed, true);
});

test("a chapter is done once all is seen and the question answered", () => {
  const kept = { seen: [], done: [], at: null, isDismissed: false };
  assert.equal(doneOf(CHAPTER, kept).words, "");
  const half = { ...kept, seen: ["01-first/a", "01-first/quiz", "02-b/b"] };
  assert.deepEqual(doneOf(CHAPTER, half), { words: "1 of 2 steps", isDone: false });
  const answered = { ...half, done: ["01-first/quiz"] };
  assert.equal(doneOf(CHAPTER, answered).words, "1 of 2 steps, question answered");
  const all = { ...answered, seen: ["01-first/a", "01-first/b"] };
  assert.deepEqual(doneOf(CHAPTER, all), { words: "done", isDone: true });
});

test("two tabs keep what the reader saw and did in both", () => {
  const values = new Map();
  const storage = {
    getItem: (/** @type {string} */ key) => values.get(key) ?? null,
    setItem: (/** @type {string} */ key, /** @type {string} */ text) =>
      void values.set(key, text),
  };
  const [first, second] = [createProgress(storage), createProgress(storage)];
  first.see("01-first/a");
  first.predict("01-first/a", "Nine");
  second.see("01-first/b");
  second.predict("01-first/b", "Four");
  first.solve("01-first/quiz");
  first.predict("01-first/a", null);
  second.try("input");
  const { seen, done, tried, predicted } = createProgress(storage).get();
  assert.deepEqual(seen, ["01-first/a", "01-first/b"]);
  assert.deepEqual([done, tried], [["01-first/quiz"], ["input"]]);
  assert.deepEqual(predicted, { "01-first/b": "Four" });
});
