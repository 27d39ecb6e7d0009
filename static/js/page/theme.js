/**
 * Puts the reader's light or dark onto the page before it is drawn, so it never flashes,
 * and whether it begins with the Overview, whose strip is low, so that nothing moves.
 * A classic script for that reason; the switch is in header.js.
 */
const view = new URLSearchParams(location.hash.slice(1)).get("view");
document.documentElement.classList.toggle(
  "shows-overview",
  view === null || view === "overview",
);
try {
  const kept = localStorage.getItem("theme");
  if (kept === "light" || kept === "dark")
    document.documentElement.dataset.theme = kept;
} catch {
  // The browser refuses to keep anything: the page follows the system's light or dark.
}
