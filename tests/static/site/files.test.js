import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";

import { SiteError } from "../../../static/js/site/failing.js";
import { filesOf } from "../../../static/js/site/files.js";

const TOP = "https://host/course/site/";
const SITE = { top: TOP, index: "files.0.json", version: "now" };
const BODY = "{}".padEnd(20);
const NAME = "api/models.json";
const ADDRESS = `${TOP}api/models.1.json`;
const INDEX = { files: { [NAME]: ["api/models.1.json", 20] }, pages: ["index.html"] };

/** What the host answers, by address: a text, a status, or no answer. */
let host = {};
let requests = [];
const { fetch } = globalThis;
const { navigator } = globalThis;

beforeEach(() => {
  host = {
    [`${TOP}files.0.json`]: JSON.stringify(INDEX),
    [`${TOP}version.json`]: '{"version": "now"}',
    [ADDRESS]: BODY,
  };
  requests = [];
  globalThis.fetch = async (address, { cache, signal } = {}) => {
    requests.push([String(address), cache]);
    signal?.throwIfAborted();
    const answer = String(address) in host ? host[String(address)] : 404;
    if (answer === null) throw new TypeError("Failed to fetch");
    return typeof answer === "number"
      ? new Response("none", { status: answer })
      : new Response(answer);
  };
});

afterEach(() => {
  globalThis.fetch = fetch;
  Object.defineProperty(globalThis, "navigator", {
    value: navigator,
    configurable: true,
  });
});

const offline = () =>
  Object.defineProperty(globalThis, "navigator", {
    value: { onLine: false },
    configurable: true,
  });

/** @type {Record<string, [object | (() => void), string]>} */
const CASES = {
  missing: [{ [ADDRESS]: 404 }, "is missing on this site (its host answers 404)"],
  republished: [
    { [ADDRESS]: 404, [`${TOP}version.json`]: '{"version": "newer"}' },
    "was published again after this page was opened",
  ],
  refused: [{ [ADDRESS]: 403 }, "was refused (403), by the host or by a filter"],
  busy: [{ [ADDRESS]: 503 }, "cannot send “api/models.json” just now (503)"],
  unreachable: [
    { [ADDRESS]: null, [`${TOP}version.json`]: null },
    "the host of this site cannot be reached",
  ],
  blocked: [{ [ADDRESS]: null }, "an extension of this browser or a filter"],
  offline: [offline, "This device is offline, and “api/models.json” has not been kept"],
  page: [{ [ADDRESS]: "<!DOCTYPE html><title>Home</title>" }, "A web page came in"],
  pointer: [
    { [ADDRESS]: "version https://git-lfs.github.com/spec/v1\noid sha256:0" },
    'run "git lfs pull" before uploading',
  ],
  cut: [{ [ADDRESS]: BODY.slice(0, 7) }, "must have 20 bytes, got 7, twice"],
  damaged: [{ [ADDRESS]: "{".padEnd(20) }, "is damaged: it cannot be read"],
};

for (const [kind, [change, words]] of Object.entries(CASES))
  test(`${kind}: the file, what happened and what to do, and no server`, async () => {
    const files = filesOf(SITE);
    await files.entries();
    if (typeof change === "function") change();
    Object.assign(host, typeof change === "function" ? { [ADDRESS]: null } : change);
    await assert.rejects(files.json(NAME), (error) => {
      assert.ok(error instanceof SiteError);
      assert.equal(error.kind, kind);
      assert.ok(error.message.includes(words), error.message);
      assert.ok(error.message.includes(NAME), error.message);
      assert.doesNotMatch(error.message, /server/);
      return true;
    });
  });

test("a name that the site does not have needs one's own machine", async () => {
  for (const name of ["api/runs.json", "constructor", "__proto__", "toString"])
    await assert.rejects(filesOf(SITE).load(name), { kind: "absent", status: 404 });
});

test("an index that is gone is told as any file, and asked for again", async () => {
  host[`${TOP}files.0.json`] = 404;
  const files = filesOf(SITE);
  await assert.rejects(files.json(NAME), { kind: "missing" });
  host[`${TOP}files.0.json`] = JSON.stringify(INDEX);
  assert.deepEqual(await files.json(NAME), {});
});

test("what a browser has kept cut short is asked for once more, from the host", async () => {
  const files = filesOf(SITE);
  await files.entries();
  const { fetch: whole } = globalThis;
  globalThis.fetch = (address, request) => {
    host[ADDRESS] = request?.cache === "reload" ? BODY : BODY.slice(0, 3);
    return whole(address, request);
  };
  assert.equal((await files.load(NAME)).length, 20);
  assert.deepEqual(requests.slice(-2), [
    [ADDRESS, "force-cache"],
    [ADDRESS, "reload"],
  ]);
});

test("what comes is told part by part, and is the whole file", async () => {
  const parts = [];
  const bytes = await filesOf(SITE).load(NAME, { onPart: (part) => parts.push(part) });
  assert.equal(new TextDecoder().decode(bytes), BODY);
  assert.deepEqual(parts[0], { loaded: 0, total: 20 });
  assert.deepEqual(parts.at(-1), { loaded: 20, total: 20 });
});

test("whoever no longer wants an answer hears so, and no failure", async () => {
  const files = filesOf(SITE);
  await files.entries();
  const control = new AbortController();
  control.abort();
  await assert.rejects(files.load(NAME, { signal: control.signal }), {
    name: "AbortError",
  });
});

test("of a script's files, the one that is not there is named", async () => {
  const files = filesOf(SITE);
  assert.equal(await files.whyNot(() => true), null);
  host[ADDRESS] = 404;
  assert.match((await files.whyNot((name) => name === NAME))?.message ?? "", /missing/);
  assert.equal(await files.whyNot(() => false), null);
});
