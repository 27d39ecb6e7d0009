/**
 * Puts the reader's light or dark onto the page before it is drawn, so it never flashes.
 * A classic script for that reason; the switch is in header.js.
 */
try {
  const kept = localStorage.getItem("theme");
  if (kept === "light" || kept === "dark")
    document.documentElement.dataset.theme = kept;
} catch {
  // The browser refuses to keep anything: the page follows the system's light or dark.
}
