/** Names of files to keep. */

/**
 * @param {readonly string[]} parts what the file holds, such as a model and a class
 * @param {string} ending without the dot
 * @returns {string} lower case; letters and digits of any script, joined by hyphens
 */
export function fileName(parts, ending) {
  const words = parts
    .map((part) => part.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-"))
    .map((part) => part.replace(/^-|-$/g, ""))
    .filter((part) => part !== "");
  return `${words.join("-")}.${ending}`;
}
