/** Starts the worker that runs the networks, and keeps what it has loaded. */
import { siteHere } from "./files.js";
import { keepLoaded, trusted } from "./keeping.js";

const MAIN = /\/js\/site\/worker\/main\.js$/;

/** @param {ReturnType<typeof import("./files.js").filesOf>} files @param {string} model to begin with */
export async function startWorker(files, model) {
  const names = [...(await files.entries()).keys()];
  const name = names.find((candidate) => MAIN.test(candidate)) ?? "";
  const worker = new Worker(trusted(await files.addressOf(name)), { type: "module" });
  worker.addEventListener("message", ({ data: { loaded } }) => {
    if (loaded) keepLoaded([...loadedHere(), ...loaded]);
  });
  worker.postMessage({ site: siteHere(), model });
  return worker;
}

/** The addresses of what this page has loaded. */
const loadedHere = () =>
  performance.getEntriesByType("resource").map(({ name }) => name);
