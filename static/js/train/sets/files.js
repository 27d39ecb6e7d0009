/** Files and folders that are chosen or dropped, as one file to send. */
import { ApiError } from "../../core/connection.js";
import { AN_ADDRESS, addressIn } from "../../lib/address.js";
import { zipped } from "../../lib/zip.js";

const HIDDEN = /(^|\/)(\.|__MACOSX(\/|$))/;

/** @typedef {{ name: string, file: Blob }} Named */

/** @param {FileList | readonly File[]} files a folder's, with their paths @returns {Named[]} */
export function filesIn(files) {
  return [...files]
    .map((file) => ({ name: file.webkitRelativePath || file.name, file }))
    .filter(({ name }) => !HIDDEN.test(name));
}

/**
 * What was dropped on the page: files, and all files of folders.
 * @param {DataTransfer} dropped
 * @returns {Promise<Named[]>}
 * @throws {ApiError} an address was dropped in place of a file
 */
export async function droppedIn(dropped) {
  const isAddress = dropped.files.length === 0 && addressIn(dropped) !== null;
  const entries = [...dropped.items].map((item) => item.webkitGetAsEntry());
  /** @type {Named[]} */
  const files = [];
  for (const entry of entries) if (entry !== null) await gather(entry, files);
  if (files.length === 0 && isAddress) throw new ApiError(AN_ADDRESS);
  return files.filter(({ name }) => !HIDDEN.test(name));
}

/** @param {FileSystemEntry} entry @param {Named[]} files */
async function gather(entry, files) {
  const name = entry.fullPath.replace(/^\//, "");
  if (HIDDEN.test(name)) return;
  if (entry instanceof FileSystemFileEntry || entry.isFile) {
    const fileEntry = /** @type {FileSystemFileEntry} */ (entry);
    /** @type {File} */
    const file = await new Promise((resolve, reject) =>
      fileEntry.file(resolve, reject),
    );
    files.push({ name, file });
    return;
  }
  const reader = /** @type {FileSystemDirectoryEntry} */ (entry).createReader();
  for (;;) {
    // A folder is read a hundred entries at a time.
    /** @type {FileSystemEntry[]} */
    const some = await new Promise((resolve, reject) =>
      reader.readEntries(resolve, reject),
    );
    if (some.length === 0) return;
    for (const child of some) await gather(child, files);
  }
}

/**
 * One file to send: the only one itself, if it is no picture, or else a zip file of all.
 * @param {readonly Named[]} files @param {(done: number) => void} tell
 * @returns {Promise<Named>}
 */
export async function asOne(files, tell) {
  const [only] = files;
  if (files.length === 1 && !only.name.includes("/")) return only;
  const folder = only.name.split("/")[0];
  return { name: `${folder}.zip`, file: await zipped(files, tell) };
}
