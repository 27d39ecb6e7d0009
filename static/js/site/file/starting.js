/**
 * The worker of a site that is one HTML file. In place of `starting.js`: what stands in the
 * page has no address to start a worker from, but one that is made of its bytes.
 */
import { SiteError } from "../failing.js";
import { filesOf, scriptAddress, serve } from "./contents.js";
import { trusted } from "./trusted.js";

/** @param {ReturnType<typeof filesOf>} files @param {string} model to begin with */
export async function startWorker(files, model) {
  const worker = workerAt(trusted(scriptAddress(await files.load("worker.js"))));
  const { port1, port2 } = new MessageChannel();
  serve(port1);
  worker.postMessage({ site: { port: port2 }, model }, [port2]);
  return worker;
}

/** @param {string} address */
function workerAt(address) {
  try {
    return new Worker(address);
  } catch (error) {
    const { message: detail } = /** @type {Error} */ (error);
    throw new SiteError("confined", { detail });
  }
}
