import assert from "node:assert/strict";
import { test } from "node:test";
import { createIntake, problemOf } from "../../../static/js/bench/intake.js";
import { createServices } from "../../../static/js/core/live.js";
import { addressIn, problemOfDrop } from "../../../static/js/lib/address.js";
import { AUTOMATIC } from "../../../static/js/lib/overrides.js";
import {
  float32Bytes,
  grey,
  INTAKE,
  intakeMetadata,
  safetensorsFile,
  settled,
} from "../fixtures.js";
import { made } from "../networks/capsnet/made.js";

const SAMPLE = { kind: "sample", id: "a4", label: 4, title: "a four" };
const UNFINISHED = {
  picture: () => Uint8Array.of(80, 53),
  isFinished: false,
  isWanted: () => true,
};
const FINISHED = { ...UNFINISHED, isFinished: true };

/** The intake of a page that shows a sample, and a server that answers by hand. */
function begin(t) {
  const asked = [];
  const waiting = [];
  t.mock.method(globalThis, "fetch", async (path) => {
    const search = new URL(path, "http://localhost").searchParams;
    asked.push(search);
    return new Promise((resolve) => waiting.push(resolve));
  });
  const { store, actions } = made({ source: SAMPLE });
  const busy = [];
  const services = createServices(store, (isBusy) => busy.push(isBusy));
  return {
    store,
    actions,
    intake: createIntake(store, actions, services),
    busy,
    asked,
    waiting,
    async answer(body, status = 200) {
      const isFile = body instanceof ArrayBuffer;
      waiting.shift()(new Response(isFile ? body : JSON.stringify(body), { status }));
      for (let turn = 0; turn < 3; turn++) await settled();
    },
  };
}

/** What the server makes of a picture: one pixel, and the network's 4. */
function reading(ink) {
  return safetensorsFile([["image", "F32", [1, 1], float32Bytes([ink])]], {
    metadata: { prediction: "4", ...intakeMetadata() },
  });
}

const REFUSED = { error: { message: "there is no ink", field: "file" } };

test("a drawing replaces the image on show, with its steps and its trace", async (t) => {
  const { store, intake, answer } = begin(t);
  intake.readDrawing(FINISHED);
  await answer(reading(1));
  const { pixels, source, intake: told, trace } = store.get();
  assert.deepEqual(pixels, grey([255]));
  assert.deepEqual(source, { kind: "drawing" });
  assert.deepEqual(told, INTAKE);
  assert.equal(trace.pixels, pixels);
  assert.equal(trace.prediction, 4);
});

test("a first drawing is being read until its answer is there, or a refusal", async (t) => {
  const { store, actions, intake, answer } = begin(t);
  for (const [body, status] of [
    [reading(1), 200],
    [REFUSED, 422],
  ]) {
    actions.showImage(null, SAMPLE);
    intake.readDrawing(FINISHED);
    assert.equal(store.get().isReading, true);
    await answer(body, status);
    assert.equal(store.get().isReading, false);
  }
});

test("two digits are asked for where the network reads two, else one", async (t) => {
  const { store, intake, asked, answer } = begin(t);
  intake.readDrawing(FINISHED);
  await answer(reading(1));
  const { model } = store.get();
  const present = { at_most: 2, threshold: 0.5 };
  store.set({ model: { ...model, input_shape: [1, 36, 36], present } });
  intake.readDrawing(FINISHED);
  await answer(reading(1));
  const asking = asked.map((search) => search.get("at_most"));
  assert.deepEqual(asking, [null, "2"]);
});

for (const [what, view, drawing, steps] of [
  ["in the view that tells them", "input", UNFINISHED, "true"],
  ["elsewhere when the pen is up", "routing", FINISHED, "true"],
  ["not elsewhere before that", "routing", UNFINISHED, "false"],
]) {
  test(`steps are asked for ${what}`, (t) => {
    const { actions, asked, intake } = begin(t);
    actions.openView(view);
    intake.readDrawing(drawing);
    assert.equal(asked[0].get("steps"), steps);
  });
}

test("the picture is taken when it is sent, however many moves were made", async (t) => {
  const { intake, answer } = begin(t);
  let taken = 0;
  const picture = () => Uint8Array.of(taken++);
  for (let move = 0; move < 5; move++) intake.readDrawing({ ...UNFINISHED, picture });
  assert.equal(taken, 1);
  await answer(reading(1));
  assert.equal(taken, 2);
});

test("a drawing that is no longer wanted is not shown, and the next not asked for", async (t) => {
  const { store, intake, answer, waiting } = begin(t);
  let isWanted = true;
  intake.readDrawing({ ...UNFINISHED, isWanted: () => isWanted });
  intake.readDrawing({ ...FINISHED, isWanted: () => isWanted });
  isWanted = false;
  await answer(reading(1));
  assert.equal(store.get().source, SAMPLE);
  assert.equal(waiting.length, 0);
});

test("an upload does not replace an image that was chosen while it was read", async (t) => {
  const { store, actions, intake, answer, busy } = begin(t);
  intake.readUpload(new File(["P5"], "four.pgm"));
  const other = { ...SAMPLE, id: "b7" };
  actions.showImage(grey([7]), other);
  await answer(reading(1));
  assert.equal(store.get().source, other);
  assert.equal(busy.at(-1), false);
});

test("a dot that is no digit yet is a problem only when the pen is up", async (t) => {
  const { store, intake, answer } = begin(t);
  intake.readDrawing(UNFINISHED);
  await answer(REFUSED, 422);
  assert.equal(store.get().problem, null);
  intake.readDrawing(FINISHED);
  await answer(REFUSED, 422);
  assert.equal(store.get().problem, "there is no ink");
});

test("a server's trouble is told at once", async (t) => {
  const { store, intake, answer } = begin(t);
  intake.readDrawing(UNFINISHED);
  await answer({ error: { message: "it broke", field: null } }, 500);
  assert.equal(store.get().problem, "it broke");
});

test("an upload is shown under its name, in the view that is open", async (t) => {
  const { store, actions, intake, answer, busy } = begin(t);
  actions.openView("routing");
  intake.readUpload(new File(["P5"], "four.pgm"));
  assert.equal(busy.at(-1), true);
  await answer(reading(1));
  assert.deepEqual(store.get().source, { kind: "upload", name: "four.pgm" });
  assert.equal(store.get().view, "routing");
  assert.equal(busy.at(-1), false);
});

test("an upload that is refused leaves the image and says why", async (t) => {
  const { store, intake, answer, busy } = begin(t);
  intake.readUpload(new File(["?"], "four.txt"));
  await answer(REFUSED, 422);
  assert.equal(store.get().source, SAMPLE);
  assert.equal(store.get().problem, "there is no ink");
  assert.equal(busy.at(-1), false);
});

test("an upload before there is a network is told to come again", (t) => {
  const { store, intake, waiting } = begin(t);
  store.set({ model: null });
  intake.readUpload(new File(["P5"], "four.pgm"));
  assert.match(store.get().problem, /in a moment/);
  assert.equal(waiting.length, 0);
});

/** A page that shows an upload of which all was found automatically. */
async function withUpload(t) {
  const page = begin(t);
  page.intake.readUpload(new File(["P5"], "four.pgm"));
  await page.answer(reading(1));
  return page;
}

test("of many corrections the last is read, and each adds to those before", async (t) => {
  const { store, intake, asked, answer } = await withUpload(t);
  for (const threshold of [0.1, 0.2, 0.3]) intake.correct({ threshold });
  intake.correct({ invert: true });
  await answer(reading(0.2));
  await answer(reading(1));
  assert.deepEqual(
    asked.map((search) => [search.get("threshold"), search.get("invert")]),
    [
      [null, null],
      ["0.1", null],
      ["0.3", "true"],
    ],
  );
  assert.deepEqual(store.get().pixels, grey([255]));
});

test("a digit that is no longer there is taken back", async (t) => {
  const { store, intake, asked, answer } = await withUpload(t);
  intake.correct({ part: 2 });
  await answer({ error: { message: "part must be 0..1", field: "part" } }, 422);
  assert.equal(store.get().overrides.part, null);
  assert.equal(store.get().problem, null);
  assert.equal(asked[2].has("part"), false);
});

test("an image that came in the network's form cannot be corrected", async (t) => {
  const { store, actions, intake, waiting } = await withUpload(t);
  actions.showImage(grey([7]), SAMPLE);
  intake.correct({ rotate: 90 });
  assert.equal(store.get().overrides, AUTOMATIC);
  assert.equal(waiting.length, 0);
});

test("a drawing is corrected as a drawing", async (t) => {
  const { store, intake, asked, answer } = begin(t);
  intake.readDrawing(UNFINISHED);
  await answer(reading(1));
  intake.correct({ thickness: 3 });
  assert.equal(asked[1].get("ink"), "light");
  assert.equal(asked[1].get("thickness"), "3");
  assert.equal(asked[1].get("steps"), "true");
  await answer(reading(0.2));
  assert.deepEqual(store.get().source, { kind: "drawing" });
});

test("with another stroke all is found anew", async (t) => {
  const { store, intake, asked, answer } = begin(t);
  intake.readDrawing(FINISHED);
  await answer(reading(1));
  intake.correct({ thickness: 3 });
  await answer(reading(1));
  intake.readDrawing(FINISHED);
  assert.equal(store.get().overrides, AUTOMATIC);
  assert.equal(asked[2].has("thickness"), false);
});

test("an upload that fails leaves what was decided about the picture on show", async (t) => {
  const { store, intake, asked, answer } = await withUpload(t);
  intake.correct({ rotate: 90 });
  await answer(reading(1));
  intake.readUpload(new File(["?"], "notes.txt"));
  assert.equal(asked[2].has("rotate"), false);
  await answer(REFUSED, 415);
  assert.equal(store.get().overrides.rotate, 90);
});

test("a finished drawing without ink leaves nothing to explain", async (t) => {
  const { store, intake, answer } = begin(t);
  intake.readDrawing(FINISHED);
  await answer(reading(1));
  intake.readDrawing(FINISHED);
  await answer(REFUSED, 422);
  assert.equal(store.get().pixels, null);
  assert.equal(store.get().trace, null);
  assert.equal(store.get().problem, "there is no ink");
});

test("an upload that is shown again can be corrected again", async (t) => {
  const { store, actions, intake, asked, answer } = await withUpload(t);
  intake.correct({ rotate: 90 });
  await answer(reading(0.2));
  const { pixels, source, intake: told, overrides } = store.get();
  intake.readDrawing(FINISHED);
  await answer(reading(1));
  actions.showImage(pixels, source, told, null, overrides);
  assert.equal(store.get().overrides.rotate, 90);
  intake.correct({ threshold: 0.3 });
  assert.equal(asked.at(-1).get("rotate"), "90");
  assert.equal(asked.at(-1).get("ink"), "auto");
});

test("the page hears when a finished picture is on show, and not before", async (t) => {
  const { store, actions, answer } = begin(t);
  let settled = 0;
  const intake = createIntake(store, actions, createServices(store), () => settled++);
  intake.readDrawing(UNFINISHED);
  await answer(reading(1));
  assert.equal(settled, 0);
  intake.readDrawing(FINISHED);
  await answer(reading(1));
  assert.equal(settled, 1);
});

const MOST = 20 * 2 ** 20;

test("an empty file and one too large are named, in MB", () => {
  assert.equal(problemOf({ name: "a.png", size: MOST }, MOST), null);
  assert.match(problemOf({ name: "a.png", size: 0 }, MOST), /“a.png” is empty/);
  const just = problemOf({ name: "a.png", size: MOST + 1 }, MOST);
  assert.match(just, /has 20\.1 MB; .* at most 20 MB/);
  assert.match(problemOf({ name: "b", size: 64 * 2 ** 20 }, MOST), /has 64 MB/);
});

test("an address that is dropped or pasted in place of a file is noticed", () => {
  const given = (kinds) => ({ getData: (kind) => kinds[kind] ?? "" });
  const picture = "https://example.org/cat.jpg";
  const found = (kinds) => addressIn(given(kinds), "http://127.0.0.1:5000");
  assert.equal(found({ "text/uri-list": picture }), picture);
  assert.equal(found({ "text/plain": ` ${picture}\n` }), picture);
  assert.equal(
    found({ "text/plain": "data:image/png;base64,AA" }),
    "data:image/png;base64,AA",
  );
  assert.equal(found({ "text/plain": "a word" }), null);
  assert.equal(found({ "text/plain": `see ${picture}` }), null);
  assert.equal(found({ "text/uri-list": "http://127.0.0.1:5000/#digit=a4" }), null);
  assert.equal(addressIn(null), null);
  const html = (source) =>
    found({ "text/html": `<meta><a><img alt="x" src="${source}"></a>` });
  assert.equal(html("https://x.org/1.png"), "https://x.org/1.png");
  assert.equal(html("http://127.0.0.1:5000/1.png"), null);
  assert.equal(found({ "text/html": "<p>words</p>" }), null);
  const said = (kinds) => problemOfDrop(given(kinds), "http://127.0.0.1:5000");
  assert.match(said({ "text/html": "<p>words</p>" }), /no picture in what was dropped/);
  assert.match(said({ "text/uri-list": picture }), /does not open/);
  assert.equal(
    said({ "text/uri-list": "http://127.0.0.1:5000/", "text/html": "<a>" }),
    null,
  );
});
