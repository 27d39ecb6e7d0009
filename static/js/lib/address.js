/** The address of a picture that comes in place of its file, by a drop or a paste. */

export const AN_ADDRESS =
  "That is the address of a picture, which the explorer does not open. Save the picture, and drop or choose its file.";

const NO_PICTURE =
  "There is no picture in what was dropped. Drop or choose the file of one.";

/** What a drop may bring that is a file, or comes in place of one. */
export const DROPPED = ["Files", "text/uri-list", "text/html"];

/**
 * The address that was dropped or pasted in place of a file, as by dragging a picture out
 * of another page; null where there is none. Links of this page are none.
 * @param {Pick<DataTransfer, "getData"> | null} transfer
 * @param {string | undefined} [origin] the page's origin
 */
export function addressIn(transfer, origin = globalThis.location?.origin) {
  for (const kind of ["text/uri-list", "text/plain"]) {
    const text = transfer?.getData(kind).trim() ?? "";
    const isOwn = origin !== undefined && text.startsWith(origin);
    if (/^(https?:\/\/|data:image\/)\S+$/i.test(text) && !isOwn) return text;
  }
  const picture = /<img\b[^>]*?\ssrc\s*=\s*["']?([^"'\s>]+)/i;
  const source = picture.exec(transfer?.getData("text/html") ?? "")?.[1];
  const isOwn = origin !== undefined && source?.startsWith(origin);
  return source === undefined || isOwn ? null : source;
}

/**
 * What to say of a drop without a file: of an address, or of words of a page; null of
 * links and pictures of this page.
 * @param {Pick<DataTransfer, "getData"> | null} transfer
 * @param {string | undefined} [origin] the page's origin
 */
export function problemOfDrop(transfer, origin = globalThis.location?.origin) {
  if (addressIn(transfer, origin) !== null) return AN_ADDRESS;
  const isPiece = transfer?.getData("text/html") && !transfer.getData("text/uri-list");
  return isPiece ? NO_PICTURE : null;
}
