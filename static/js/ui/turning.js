/** Keys that lead from one page to the next: in presentations, and in the guide. */

/** Keys that do so where nothing else has a use for them. */
const NOWHERE = /** @type {Record<string, number>} */ ({
  ArrowRight: 1,
  ArrowLeft: -1,
});

/** What has a use of its own for keys. */
const USERS = "input, select, textarea, canvas, summary, [role], [tabindex], .stage *";

/**
 * @param {object} does
 * @param {() => boolean} does.isOn
 * @param {(by: number) => void} does.go
 * @param {() => void} does.leave called at Escape
 * @param {Record<string, number>} [anywhere] keys that lead elsewhere wherever one is
 */
export function listenToTurning({ isOn, go, leave }, anywhere = {}) {
  document.addEventListener("keydown", (event) => {
    const { target, key } = event;
    const hasModifier = event.altKey || event.ctrlKey || event.metaKey;
    if (event.defaultPrevented || hasModifier || !isOn() || isCovered()) return;
    const isUsed = target instanceof Element && target.matches(USERS);
    const by = anywhere[key] ?? (isUsed ? undefined : NOWHERE[key]);
    if (by === undefined && key !== "Escape") return;
    event.preventDefault();
    if (by === undefined) leave();
    else go(by);
  });
}

/** Whether a dialog or something else lies over the page, which keys then belong to. */
function isCovered() {
  return document.querySelector("dialog[open], :popover-open") !== null;
}
