/**
 * Networks that were kept in this browser, each with its weights.
 * @import { Model } from "../types.js"
 */

/** @typedef {{ model: Model, file: ArrayBuffer }} StoredNetwork */

const STORE = "networks";

/** @returns {Promise<IDBDatabase>} */
function open() {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open("capsnet-explorer", 1);
    request.onupgradeneeded = () =>
      request.result.createObjectStore(STORE, { keyPath: "model.id" });
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/**
 * @template Found
 * @param {IDBTransactionMode} mode
 * @param {(store: IDBObjectStore) => IDBRequest<Found>} ask
 * @returns {Promise<Found>}
 */
async function transact(mode, ask) {
  const database = await open();
  try {
    const transaction = database.transaction(STORE, mode);
    const request = ask(transaction.objectStore(STORE));
    return await new Promise((resolve, reject) => {
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = () => reject(transaction.error);
    });
  } finally {
    database.close();
  }
}

/** @param {StoredNetwork} network @throws {DOMException} the browser keeps nothing, or has no room */
export const keep = (network) => transact("readwrite", (store) => store.put(network));

/** @param {string} id */
export const forget = (id) => transact("readwrite", (store) => store.delete(id));

/** @param {string} id @returns {Promise<StoredNetwork | undefined>} */
export const keptAs = (id) =>
  transact("readonly", (store) => store.get(id)).catch(() => undefined);

/** @returns {Promise<StoredNetwork[]>} none where the browser keeps nothing */
export const allKept = () =>
  transact("readonly", (store) => store.getAll()).catch(() => []);
