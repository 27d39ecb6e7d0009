/** Handing a file to the reader. */

/**
 * @param {Blob} content
 * @param {string} name
 */
export function download(content, name) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // Later, because the browser reads it after this task.
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
