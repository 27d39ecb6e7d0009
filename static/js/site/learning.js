/**
 * The page's end of networks that are trained and kept here: what the server's routes say of
 * runs, and of models that were kept.
 * @import { Model, RunEvent } from "../types.js"
 */
import { allKept, forget } from "./storage.js";

const RUNS = /^api\/runs(?:\/([0-9a-f]{8})(?:\/(keep))?)?$/;
const MODEL = /^api\/models\/([^/]+)$/;
const FILE = /^api\/models\/([^/]+)\/file$/;
const KEEPS = "keeps-networks"; // in the browser: whether there are any to look for

/** What happened in each run of this page. @type {Map<string, RunEvent[]>} */
const events = new Map();
/** @type {Set<(run: string, event: RunEvent, number: number) => void>} */
const listeners = new Set();

/** @param {{ run: string, number: number, event: RunEvent }} news from the worker */
export function addTold({ run, number, event }) {
  eventsOf(run)[number - 1] = event;
  for (const listener of listeners) listener(run, event, number);
}

/** @param {string} run */
function eventsOf(run) {
  const all = events.get(run) ?? [];
  events.set(run, all);
  return all;
}

/**
 * Hear what happens in a run of this page.
 * @param {string} run @param {number} after
 * @param {(event: RunEvent, number: number) => void} listener
 * @returns {(() => void) | null} hear no more; null where it is no run of this page
 */
export function hearOwn(run, after, listener) {
  if (!events.has(run)) return null;
  for (const [at, event] of eventsOf(run).entries())
    if (at >= after) listener(event, at + 1);
  /** @type {(of: string, event: RunEvent, number: number) => void} */
  const relay = (of, event, number) => of === run && listener(event, number);
  listeners.add(relay);
  return () => void listeners.delete(relay);
}

/**
 * What the worker is to be asked, if a request is about what was trained here.
 * @param {string} address @param {string} method @param {any} body
 * @returns {object | null}
 */
export function questionOfRuns(address, method, body) {
  const file = FILE.exec(address);
  if (file) return { what: "file", id: decodeURIComponent(file[1]) };
  const [whole, id = "", part = ""] = RUNS.exec(address) ?? [];
  const isOwn = id === "" ? method === "POST" || events.size > 0 : events.has(id);
  if (whole === undefined || !isOwn) return null;
  if (part === "keep") remember(true);
  return { what: "runs", body: { method, id, part, body } };
}

/** Note that a run has begun: its events may come later. @param {string} run */
export const begunRun = (run) => void eventsOf(run);

/** The networks that this browser keeps. @returns {Promise<Model[]>} */
export async function keptModels() {
  if (!remembers()) return [];
  return (await allKept()).map(({ model }) => model);
}

/** Remove one. @param {string} address @returns {Promise<string | null>} its id; null where none is meant */
export async function remove(address) {
  const [, name] = MODEL.exec(address) ?? [];
  if (name === undefined) return null;
  const id = decodeURIComponent(name);
  await forget(id);
  return id;
}

/** @param {boolean} is */
function remember(is) {
  try {
    localStorage.setItem(KEEPS, String(is));
  } catch {
    // The browser keeps nothing, which the worker says.
  }
}

function remembers() {
  try {
    return localStorage.getItem(KEEPS) !== null;
  } catch {
    return false;
  }
}
