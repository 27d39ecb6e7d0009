/**
 * Puts the reader's light or dark onto the page before it is drawn, so it never flashes,
 * whether it begins with the Overview, whose strip is low, and whether the guide is offered
 * above it, so that nothing moves.
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
  // As guide/door.js has it, too.
  const isBare = location.hash === "" && location.search === "";
  const { isDismissed } = JSON.parse(localStorage.getItem("guide") ?? "{}");
  document.documentElement.classList.toggle("is-new", isBare && isDismissed !== true);
} catch {
  // The browser refuses to keep anything: the page follows the system's light or dark.
}
