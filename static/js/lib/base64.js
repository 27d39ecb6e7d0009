/** Bytes as text that is safe in a link: base64 with - and _, without padding. */

/** @param {readonly number[] | Uint8Array} bytes */
export function toBase64(bytes) {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

/**
 * @param {string} text
 * @returns {Uint8Array | null} null when the text is not base64
 */
export function fromBase64(text) {
  try {
    const characters = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    return Uint8Array.from(characters, (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}
