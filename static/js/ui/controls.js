/** Buttons, tabs and keys that several parts of the page share. */
import { findElement, unfold } from "./dom.js";

/**
 * Whether a modifier is held, with which a key belongs to the browser.
 * @param {KeyboardEvent} event
 */
export function hasModifier({ altKey, ctrlKey, metaKey }) {
  return altKey || ctrlKey || metaKey;
}

/** @type {Record<string, readonly [down: number, right: number]>} */
const ARROWS = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
};

/**
 * Which way an arrow key points.
 * @param {KeyboardEvent} event
 * @returns {readonly [down: number, right: number] | null} null for any other key, and
 *   with keys held that make it the browser's
 */
export function arrowOf(event) {
  if (hasModifier(event)) return null;
  return ARROWS[event.key] ?? null;
}

/**
 * Follow a pointer that is pressed on an element until it is lifted, wherever it goes.
 * @param {HTMLElement | SVGElement} target
 * @param {(event: PointerEvent) => ((event: PointerEvent) => void) | null} begin returns
 *   what is called as the pointer moves; null where it is not followed
 */
export function listenToDrag(target, begin) {
  const element = /** @type {HTMLElement} */ (target);
  /** One pointer at a time. @type {{ id: number, follow: (event: PointerEvent) => void } | null} */
  let drag = null;
  element.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || drag !== null) return;
    const follow = begin(event);
    if (follow === null) return;
    drag = { id: event.pointerId, follow };
    element.setPointerCapture(event.pointerId);
  });
  element.addEventListener("pointermove", (event) => {
    if (drag?.id === event.pointerId) drag.follow(event);
  });
  element.addEventListener("lostpointercapture", (event) => {
    if (drag?.id === event.pointerId) drag = null;
  });
}

/** Keys that turn pages where nothing else uses them. */
const NOWHERE = /** @type {Record<string, number>} */ ({
  ArrowRight: 1,
  ArrowLeft: -1,
});

/** Elements that use keys themselves. */
const USERS = "input, select, textarea, canvas, summary, [role], [tabindex], .stage *";

/**
 * Listen to the keys that lead from one page to the next: in presentations, and in the
 * guide.
 * @param {object} does
 * @param {() => boolean} does.isOn
 * @param {(by: number) => void} does.go
 * @param {() => void} does.leave called at Escape
 * @param {Record<string, number>} [anywhere] keys that lead elsewhere wherever one is
 */
export function listenToTurning({ isOn, go, leave }, anywhere = {}) {
  document.addEventListener("keydown", (event) => {
    const { target, key } = event;
    if (event.defaultPrevented || hasModifier(event)) return;
    if (!isOn() || isCovered()) return;
    const isUsed = target instanceof Element && target.matches(USERS);
    const by = anywhere[key] ?? (isUsed ? undefined : NOWHERE[key]);
    if (by === undefined && key !== "Escape") return;
    event.preventDefault();
    if (by === undefined) leave();
    else go(by);
  });
}

/** Whether a dialog or popover covers the page; keys then belong to it. */
function isCovered() {
  return document.querySelector("dialog[open], :popover-open") !== null;
}

/**
 * The tab that a key leads to.
 * @param {string} key @param {number} from @param {number} last
 * @returns {number | null} null: the key leads nowhere
 */
export function nextTab(key, from, last) {
  if (key === "ArrowRight") return from === last ? 0 : from + 1;
  if (key === "ArrowLeft") return from === 0 ? last : from - 1;
  if (key === "Home") return 0;
  return key === "End" ? last : null;
}

/**
 * Make a group of buttons one stop of Tab: arrow keys walk along its rows, and from row to row.
 * @param {HTMLElement} group
 * @returns {() => void} to be called when its buttons are others, or another is pressed
 */
export function oneStop(group) {
  const buttons = () => [...group.querySelectorAll("button")];
  /** @param {EventTarget | null | undefined} at */
  const stopAt = (at) => {
    for (const button of buttons()) button.tabIndex = button === at ? 0 : -1;
  };
  group.addEventListener("keydown", (event) => {
    const [arrow, all] = [arrowOf(event), buttons()];
    const from = all.indexOf(/** @type {HTMLButtonElement} */ (event.target));
    if (arrow === null || from < 0) return;
    event.preventDefault();
    const across = all.filter(({ offsetTop }) => offsetTop === all[0].offsetTop).length;
    all[from + arrow[1] + arrow[0] * across]?.focus();
  });
  group.addEventListener("focusin", ({ target }) => stopAt(target));
  return () => {
    const all = buttons();
    stopAt(
      all.find((button) => button.getAttribute("aria-pressed") === "true") ?? all[0],
    );
  };
}

/** Events by which a reader looks elsewhere. */
const MOVES = ["wheel", "touchmove", "pointerdown", "keydown"];

/**
 * Scroll to an element, and keep it in place while others change their size, until the reader
 * moves the page.
 * @param {Element} element
 * @param {readonly Element[]} changing what changes its size
 * @param {boolean} [isLoose] whether scrolling by other means lets go of it, too: a search, or
 *   what reads the page aloud, scrolls without any of those events
 */
export function stayAt(element, changing, isLoose = false) {
  const top = () => element.getBoundingClientRect().top;
  let kept = Number.NaN;
  const sizes = new ResizeObserver(() => {
    element.scrollIntoView();
    kept = top();
  });
  for (const panel of changing) sizes.observe(panel);
  const stop = () => {
    sizes.disconnect();
    for (const name of MOVES) removeEventListener(name, stop, true);
    removeEventListener("scroll", stopElsewhere);
  };
  const stopElsewhere = () => {
    if (Math.abs(top() - kept) > 1) stop();
  };
  if (isLoose) addEventListener("scroll", stopElsewhere, { passive: true });
  for (const name of MOVES)
    addEventListener(name, stop, { capture: true, passive: true });
}

/** Scroll to what was opened where it begins far down, as it does on phones. */
export function showBelow() {
  const stage = document.getElementById("stage");
  if (stage && stage.getBoundingClientRect().top > innerHeight / 2)
    stage.scrollIntoView();
}

/**
 * What buttons of the template do.
 * @param {ParentNode} root
 * @param {Readonly<Record<string, (event: MouseEvent) => unknown>>} does by what marks them
 *   beside `data-`
 */
export function listenToClicks(root, does) {
  for (const [name, act] of Object.entries(does))
    findElement(root, `[data-${name}]`).addEventListener("click", act);
}

/**
 * Listen to buttons side by side, of which one is pressed.
 * @param {HTMLElement} group holds buttons with a data-value; the template presses one
 * @param {(value: string) => void} choose
 */
export function listenToChoices(group, choose) {
  for (const button of group.querySelectorAll("button")) {
    button.addEventListener("click", () => {
      const value = button.dataset.value ?? "";
      pressChoice(group, value);
      choose(value);
    });
  }
}

/**
 * Press the button of a value that was chosen elsewhere, such as by a link.
 * @param {HTMLElement} group
 * @param {string | null} value null: none is
 */
export function pressChoice(group, value) {
  for (const button of group.querySelectorAll("button")) {
    const pressed = String(button.dataset.value === value);
    if (button.getAttribute("aria-pressed") !== pressed)
      button.setAttribute("aria-pressed", pressed);
  }
}

/**
 * Put the focus on an element, even one that Tab does not come to; nothing scrolls.
 * @param {Element | null | undefined} element
 */
export function stand(element) {
  if (!(element instanceof HTMLElement || element instanceof SVGElement)) return;
  if (element.tabIndex < 0 && !element.hasAttribute("tabindex")) element.tabIndex = -1;
  element.focus({ preventScroll: true });
}

const RINGED_MS = 1600;

/**
 * Bring an element into sight, ring it for a moment, and put the focus there.
 * @param {Element | null | undefined} element
 */
export function lead(element) {
  if (!(element instanceof HTMLElement)) return;
  unfold(element);
  const isTall = element.offsetHeight > innerHeight / 2;
  element.scrollIntoView({ block: isTall ? "start" : "center" });
  stand(element);
  element.classList.add("is-led-to");
  setTimeout(() => element.classList.remove("is-led-to"), RINGED_MS);
}
