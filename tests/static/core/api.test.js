import assert from "node:assert/strict";
import { test } from "node:test";

import {
  complete,
  fetchAttack,
  fetchModels,
  fetchOwnTensors,
  fetchReading,
  fetchSamples,
  fetchTrace,
  fetchTraces,
} from "../../../static/js/core/api.js";
import {
  ApiError,
  askNow,
  onAbsence,
  onHeld,
} from "../../../static/js/core/connection.js";
import { AUTOMATIC } from "../../../static/js/lib/overrides.js";
import {
  float32Bytes,
  grey,
  INTAKE,
  intakeMetadata,
  MODEL,
  safetensorsFile,
  settled,
} from "../fixtures.js";

const BRIEFLY = "api/models?brief=true";
const BINARY = "application/x-safetensors";

/** Answer requests one by one; what was asked is kept. */
function answerWith(t, ...answers) {
  const requests = [];
  t.mock.method(globalThis, "fetch", async (path, request) => {
    requests.push({ path, ...request });
    const answer = answers.shift();
    if (answer === undefined) throw new Error("asked once too often");
    if (answer instanceof Error) throw answer;
    return answer;
  });
  return requests;
}

function jsonAnswer(body, init) {
  return new Response(JSON.stringify(body), init);
}

function busy(retryAfter, status = 503) {
  const headers = retryAfter === undefined ? {} : { "Retry-After": retryAfter };
  const error = { message: "too many at once", field: null };
  return jsonAnswer({ error }, { status, headers });
}

test("samples come with bytes in place of shares of ink", async (t) => {
  answerWith(
    t,
    jsonAnswer({ samples: [{ id: "a4", label: 4, image: [[0, 0.2, 1]] }] }),
  );
  assert.deepEqual(await fetchSamples(), [
    { id: "a4", label: 4, pixels: grey([0, 51, 255], 1) },
  ]);
});

test("several models are completed at once, and stay the same models", async (t) => {
  const [a, b, c] = ["a", "b", "c"].map((id) => ({ id, class_names: ["0"], card: {} }));
  const whole = [a, b, { ...c, card: { of: "another" } }].map((each) => ({
    ...each,
    layers: [],
    card: { mistakes: [each.id] },
  }));
  c.layers = [];
  const requests = answerWith(t, jsonAnswer({ models: whole, refused: [] }));
  await complete([a, b, c]);
  assert.deepEqual([a.card.mistakes, b.card.mistakes], [["a"], ["b"]]);
  assert.deepEqual(c.card, {}); // was whole
  await complete([a, b, c]);
  assert.deepEqual(
    requests.map(({ path }) => path),
    ["api/models"],
  );
});

test("of one model alone its own description is asked for", async (t) => {
  const model = { id: "a b", class_names: ["0"] };
  const requests = answerWith(t, jsonAnswer({ ...model, layers: [] }));
  await complete([model]);
  assert.deepEqual([model.layers, requests[0].path], [[], "api/models/a%20b"]);
});

test("several models are asked about one image at once, and each answer finds its own", async (t) => {
  const file = safetensorsFile(
    [
      ["b.c/scores", "F32", [2], float32Bytes([0, 1])],
      ["a/scores", "F32", [2], float32Bytes([3, 2])],
      ["a/drawn", "F32", [1], float32Bytes([0.5])],
    ],
    { metadata: { "b.c/prediction": "1", "a/prediction": "0" } },
  );
  const requests = answerWith(t, new Response(file));
  const pixels = grey([0, 255, 0, 0]);
  const wanted = [
    { model: { id: "a" }, names: ["scores", "drawn", "scores"] },
    { model: { id: "b.c" }, names: ["scores"] },
  ];
  const common = { pixels, options: {} };
  const tensor = (...data) => ({ shape: [data.length], data: Float32Array.from(data) });
  assert.deepEqual(await fetchTraces(wanted, pixels), [
    {
      model: "a",
      ...common,
      prediction: 0,
      present: [0],
      tensors: { scores: tensor(3, 2), drawn: tensor(0.5) },
    },
    {
      model: "b.c",
      ...common,
      prediction: 1,
      present: [1],
      tensors: { scores: tensor(0, 1) },
    },
  ]);
  assert.equal(requests.length, 1);
  assert.equal(requests[0].path, "api/traces");
  assert.deepEqual(JSON.parse(requests[0].body), {
    image: [
      [0, 1],
      [0, 0],
    ],
    tensors: { a: ["scores", "drawn", "scores"], "b.c": ["scores"] },
  });
});

test("a trace is asked for with a network's options, and read as safetensors", async (t) => {
  const file = safetensorsFile([["digits.lengths", "F32", [2], float32Bytes([0, 1])]], {
    metadata: { prediction: "1" },
  });
  const requests = answerWith(t, new Response(file));
  const pixels = grey(new Uint8Array(784).with(29, 255));
  const pin = [{ capsule: 3, classIndex: 4, coupling: 0.5 }];
  const options = { iterations: 5, silence: [7, 8], routing: "uniform", pin };
  const trace = await fetchTrace(MODEL, pixels, ["digits.lengths"], options);
  const tensors = { "digits.lengths": { shape: [2], data: Float32Array.of(0, 1) } };
  const answer = { prediction: 1, present: [1], tensors };
  assert.deepEqual(trace, { model: "capsnet", pixels, options, ...answer });
  const [{ path, method, headers, body }] = requests;
  assert.equal(path, "api/models/capsnet/trace");
  assert.equal(method, "POST");
  assert.deepEqual(headers, { Accept: BINARY, "Content-Type": "application/json" });
  const { image, ...rest } = JSON.parse(body);
  assert.deepEqual(rest, { ...options, tensors: ["digits.lengths"] });
  assert.equal(image[1][1], 1);
});

const READING = safetensorsFile(
  [
    ["image", "F32", [1, 2], float32Bytes([0.2, 1])],
    ["lengths", "F32", [1], float32Bytes([0.5])],
  ],
  { metadata: { prediction: "4", ...intakeMetadata() } },
);

const ASKED = {
  ink: "light",
  overrides: AUTOMATIC,
  options: { iterations: 2 },
  names: ["lengths", "votes.4"],
  withSteps: true,
};

test("a drawing comes back as pixels, how it was read, and trace", async (t) => {
  const requests = answerWith(t, new Response(READING));
  const picture = Uint8Array.of(80, 53);
  const { pixels, intake, trace } = await fetchReading(MODEL, picture, ASKED);
  assert.deepEqual(pixels, grey([51, 255], 1));
  assert.deepEqual(intake, INTAKE);
  assert.equal(trace.pixels, pixels);
  assert.deepEqual(Object.keys(trace.tensors), ["lengths"]);
  const { model, options, prediction } = trace;
  assert.deepEqual([model, options, prediction], ["capsnet", { iterations: 2 }, 4]);
  const [{ path, headers, body }] = requests;
  const { pathname, searchParams } = new URL(path, "http://localhost");
  assert.equal(pathname, "/api/models/capsnet/read");
  assert.deepEqual(
    [...searchParams],
    [
      ["ink", "light"],
      ["iterations", "2"],
      ["steps", "true"],
      ["tensors", "lengths"],
      ["tensors", "votes.4"],
    ],
  );
  assert.equal(headers["Content-Type"], "image/x-portable-graymap");
  assert.equal(body, picture);
});

test("what is changed in routing is sent in as few words as say it", async (t) => {
  const requests = answerWith(t, new Response(READING), new Response(READING));
  const held = [7, 5, 6, 9].map((capsule) => ({ capsule, digit: 4, coupling: 0.5 }));
  const options = {
    iterations: 5,
    silence: [40, 2, 0, 1],
    routing: "uniform",
    pin: [...held, { capsule: 8, digit: 3, coupling: 1 }],
  };
  await fetchReading(MODEL, new Blob(["?"]), { ...ASKED, options });
  const nothing = { ...options, silence: [], pin: [] };
  await fetchReading(MODEL, new Blob(["?"]), { ...ASKED, options: nothing });
  const [all, few] = requests.map(({ path }) => new URL(path, "http://localhost"));
  assert.equal(all.searchParams.get("iterations"), "5");
  assert.equal(all.searchParams.get("silence"), "0-2,40");
  assert.equal(all.searchParams.get("routing"), "uniform");
  assert.equal(all.searchParams.get("pin"), "5-7:4:0.5,9:4:0.5,8:3:1");
  assert.equal(few.searchParams.has("silence"), false);
  assert.equal(few.searchParams.has("pin"), false);
});

test("a refusal tells what, where and which", async (t) => {
  const error = { message: "the image is empty", field: "image" };
  answerWith(t, jsonAnswer({ error }, { status: 422 }));
  await assert.rejects(fetchModels(), (thrown) => {
    assert.ok(thrown instanceof ApiError);
    const { message, field, status } = thrown;
    assert.deepEqual({ message, field, status }, { ...error, status: 422 });
    return true;
  });
});

for (const [what, body] of [
  ["a page of HTML", "<!doctype html>"],
  ["nothing", ""],
  ["other JSON", '{"error":null}'],
]) {
  test(`a refusal that says ${what} still has words`, async (t) => {
    answerWith(t, new Response(body, { status: 502 }));
    await assert.rejects(fetchModels(), {
      name: "ApiError",
      message: "The server answered 502.",
      status: 502,
      field: null,
    });
  });
}

for (const status of [503, 429]) {
  test(`a server that answers ${status} is asked again`, async (t) => {
    const answers = [busy("0", status), busy("0", status), jsonAnswer({ models: [] })];
    const requests = answerWith(t, ...answers);
    assert.deepEqual(await fetchModels(), { models: [], refused: [] });
    assert.equal(requests.length, 3);
  });
}

for (const [header, waitMs] of [
  ["2", 2000],
  [undefined, 1000],
]) {
  test(`with a Retry-After of ${header} the next request waits ${waitMs} ms`, async (t) => {
    const waits = [];
    t.mock.method(globalThis, "setTimeout", (go, milliseconds) => {
      waits.push(milliseconds);
      queueMicrotask(go);
    });
    answerWith(t, busy(header), jsonAnswer({ models: [] }));
    await fetchModels();
    assert.deepEqual(waits, [waitMs]);
  });
}

for (const header of ["3600", "Wed, 21 Oct 2099 07:28:00 GMT"]) {
  test(`nobody is left waiting for a Retry-After of ${header}`, async (t) => {
    const requests = answerWith(t, busy(header));
    await assert.rejects(fetchModels(), { message: "too many at once", status: 503 });
    assert.equal(requests.length, 1);
  });
}

/** What is told of requests held back, in order. */
function heldCounts(t) {
  const counts = [];
  onHeld((count) => counts.push(count));
  t.after(() => onHeld(() => {}));
  return counts;
}

test("a busy server is asked four times and no more, and then holds nothing back", async (t) => {
  const counts = heldCounts(t);
  const requests = answerWith(t, busy("0"), busy("0"), busy("0"), busy("0"));
  await assert.rejects(fetchModels(), { message: "too many at once", status: 503 });
  assert.equal(requests.length, 4);
  assert.deepEqual(counts, [1, 0]);
});

/** Answer that nobody is there, until the page's questions are let through. */
function awayUntil(t, isBack, answer) {
  const asked = [];
  t.mock.method(globalThis, "fetch", async (path) => {
    asked.push(path);
    if (!isBack(asked)) throw new TypeError("fetch failed");
    return path === "api/health" ? new Response("{}") : answer();
  });
  return asked;
}

test("a request is sent again once the server is back", async (t) => {
  const told = [];
  onAbsence((isAway) => told.push(isAway));
  t.after(() => onAbsence(() => {}));
  let isBack = false;
  const asked = awayUntil(
    t,
    () => isBack,
    () => jsonAnswer({ models: [] }),
  );
  const models = fetchModels();
  const samples = fetchSamples().catch(() => "no samples in this answer");
  while (!told.includes(true)) await settled();
  askNow(); // still away
  await settled();
  isBack = true;
  askNow();
  assert.deepEqual(await models, { models: [], refused: [] });
  await samples;
  assert.deepEqual(told, [true, false]);
  // One question for both, however long they wait.
  assert.ok(asked.filter((path) => path === "api/health").length <= 2);
  assert.equal(asked.filter((path) => path === BRIEFLY).length, 2);
});

test("a connection that breaks off again and again is told about", async (t) => {
  const asked = awayUntil(
    t,
    (all) => all.at(-1) === "api/health",
    () => null,
  );
  const failure = assert.rejects(fetchModels(), {
    name: "ApiError",
    message: "The connection to the server broke off 3 times.",
    status: 0,
  });
  while (asked.filter((path) => path === BRIEFLY).length < 3) {
    askNow();
    await settled();
  }
  await failure;
});

test("a server that takes too long is told about", async (t) => {
  answerWith(t, new DOMException("timed out", "TimeoutError"));
  await assert.rejects(fetchModels(), {
    name: "ApiError",
    message: "The server has not answered for 30 seconds.",
  });
});

test("every request gives up after half a minute", async (t) => {
  const asked = [];
  t.mock.method(AbortSignal, "timeout", (milliseconds) => {
    asked.push(milliseconds);
    return new AbortController().signal;
  });
  const requests = answerWith(t, jsonAnswer({ models: [] }));
  await fetchModels();
  assert.deepEqual(asked, [30_000]);
  assert.ok(requests[0].signal instanceof AbortSignal);
});

test("an attack is waited for longer, and ends when nobody waits for it", async (t) => {
  const asked = [];
  t.mock.method(AbortSignal, "timeout", (milliseconds) => {
    asked.push(milliseconds);
    return new AbortController().signal;
  });
  const sent = [];
  t.mock.method(globalThis, "fetch", (_path, { signal }) => {
    sent.push(signal);
    return new Promise((_done, fail) => {
      signal.addEventListener("abort", () => fail(signal.reason));
    });
  });
  const end = new AbortController();
  const answer = fetchAttack({ id: "net" }, {}, end.signal);
  end.abort();
  await assert.rejects(answer, { name: "AbortError" });
  assert.deepEqual(asked, [65_000]);
  assert.equal(sent.length, 1); // not sent again, as after a connection that broke off
});

/** An answer whose body breaks off with an error. */
function brokenOff(error) {
  return new Response(
    new ReadableStream({
      start(controller) {
        controller.enqueue(new Uint8Array(4));
        controller.error(error);
      },
    }),
  );
}

for (const [what, ask, answer, message] of [
  ["that is no JSON", fetchModels, () => new Response("<html>"), /cannot be read/],
  [
    "that is no safetensors file",
    () => fetchOwnTensors(MODEL, "kernels"),
    () => new Response("<!doctype html>"),
    /cannot be read/,
  ],
  [
    "that breaks off",
    () => fetchOwnTensors(MODEL, "kernels"),
    () => brokenOff(new TypeError("terminated")),
    /cannot be read/,
  ],
  [
    "whose rest takes too long",
    () => fetchOwnTensors(MODEL, "kernels"),
    () => brokenOff(new DOMException("timed out", "TimeoutError")),
    /for 30 seconds/,
  ],
]) {
  test(`an answer ${what} is told about`, async (t) => {
    answerWith(t, answer());
    await assert.rejects(ask(), { name: "ApiError", message });
  });
}
