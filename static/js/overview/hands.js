/**
 * What pointers and keys do to the picture of the whole network: a class or a part is
 * pointed at; a class is chosen, and what else stands there is opened in its layer's view; a
 * second gesture changes it where it stands. Tab comes to the layers, to each column, to what flows between two and
 * to the classes; arrows walk in a column, and from one to the next.
 * @import { Shown } from "./painter.js"
 * @import { PartAt } from "./picture.js"
 * @import { Opening } from "./units.js"
 * @import { Gesture } from "../kinds/types.js"
 */
import { latinOf } from "../lib/keys.js";
import { hasModifier, stand } from "../ui/controls.js";
import { findElement } from "../ui/dom.js";
import { fill, h } from "../ui/h.js";
import { grow } from "../ui/motion.js";
import { valueTip } from "../ui/value-tip.js";
import { between } from "./flows.js";
import { gesturesAt } from "./gestures.js";
import { offMiddle } from "./layout.js";
import { riverWords } from "./ribbons.js";
import * as units from "./units.js";
import { gifts } from "./words.js";

const LONG_MS = 500; // a finger rests so long
const STILL = 10; // CSS px
const NEAR = 36; // CSS px: so far from the pointer, what changes a ribbon comes along

/** Within a column and from one to the next. */
/** @type {Record<string, { down?: number, across?: number }>} */
const ARROWS = {
  ArrowDown: { down: 1 },
  ArrowUp: { down: -1 },
  ArrowRight: { across: 1 },
  ArrowLeft: { across: -1 },
};

/**
 * @param {HTMLElement} figure
 * @param {object} does
 * @param {() => void} does.draw
 * @param {() => Shown | null} does.shown what is on show
 * @param {() => number} does.step the iteration on show, from 0
 * @param {() => number} does.lead the class whose part is shown
 * @param {(opening: Opening) => void} does.open a layer's view at a part
 * @param {(classIndex: number | null) => void} does.hold a class in focus, or none
 * @param {(gesture: Gesture) => void} [does.operate] change the run on stage
 */
export function listen(figure, { draw, shown, step, lead, open, hold, operate }) {
  /** @type {number | null} */
  let hovered = null;
  /** @type {PartAt | null} */
  let part = null;
  /** What keys have come to. @type {Element | null} */
  let reached = null;
  /** What gestures are about. @type {Mark | null} */
  let mark = null;
  const tip = valueTip(figure, {
    place: () => (reached ?? figure).getBoundingClientRect(),
    words: () => wordsNow(reached) ?? "",
  });

  /** @param {{ hovered?: number | null, part?: PartAt | null }} now */
  function point({ hovered: classNow = null, part: partNow = null }) {
    const isSame = partNow?.level === part?.level && partNow?.tile === part?.tile;
    if (classNow === hovered && isSame) return;
    [hovered, part] = [classNow, partNow];
    draw();
  }

  /** @param {Element | null} at */
  function wordsNow(at) {
    const state = shown();
    return state && at && wordsAt(state, step(), at);
  }

  // Gestures.

  const tools = findElement(figure, "[data-gestures]");
  let timer = 0; // while a finger rests
  let isLong = false; // its click opens nothing

  function gestures() {
    const state = shown();
    if (state === null || mark === null || operate === undefined) return [];
    return gesturesAt(state, mark.at, { step: step() });
  }

  /** @param {Gesture | undefined} gesture @returns {boolean} whether there is one */
  function make(gesture) {
    if (gesture === undefined) return false;
    operate?.(gesture);
    tip.end(); // its numbers were those of the run before
    return true;
  }

  /**
   * @param {Element | null} at null: nothing
   * @param {{ x: number, y: number } | null} place of the pointer; null: beside the mark
   */
  function aim(at, place) {
    const name = at && nameOf(at);
    const isSame = name?.join() === mark?.at.join();
    const { x = 0, y = 0 } = mark?.place ?? {};
    const isNear = !place || Math.hypot(place.x - x, place.y - y) < NEAR;
    if (isSame && isNear) return;
    mark = name ? { at: name, place } : null;
    showTools();
  }

  /** Beside what is pointed at, so that the pointer comes to it over nothing else. */
  function showTools() {
    const found = gestures();
    tools.hidden = found.length === 0;
    // A class or a ribbon says which keys change it, as its buttons do.
    reached?.setAttribute("aria-keyshortcuts", found.map(({ key }) => key).join(" "));
    if (mark === null || found.length === 0) return;
    fill(
      tools,
      found.map(({ words, title, key, gesture, isOn }) =>
        h(
          "button",
          {
            type: "button",
            tabindex: -1,
            title: `${title} (${key})`,
            "aria-keyshortcuts": key,
            "aria-pressed": String(isOn),
            onclick: () => make(gesture),
          },
          words,
        ),
      ),
    );
    const box = figure.querySelector(selectorOf(mark.at))?.getBoundingClientRect();
    if (box) placeTools(mark, box);
  }

  /** Of a ribbon by the pointer, of a class to its right, of a tile to its left. @param {Mark} of @param {DOMRect} box */
  function placeTools({ at: [kind], place }, box) {
    const frame = figure.getBoundingClientRect();
    const { x, y } = place ?? middleOf(box);
    const isRiver = kind === "river";
    const left = isRiver ? x - frame.left + 8 : box.right - frame.left;
    const isAtLeft = kind === "tile";
    tools.style.left = isAtLeft ? "auto" : `${left}px`;
    tools.style.right = isAtLeft ? `${frame.right - box.left}px` : "auto";
    const middle = isRiver ? y + 16 : box.top + box.height / 2;
    tools.style.top = `${middle - frame.top}px`;
  }

  /** @param {Node} at */
  const isTool = (at) => tools.contains(at);

  document.addEventListener("keydown", (event) => {
    if (hasModifier(event) || mark === null || figure.offsetParent === null) return;
    if (isTyping(event.target)) return;
    const found = gestures().find(({ key }) => key.toLowerCase() === latinOf(event));
    if (found && make(found.gesture)) event.preventDefault();
  });
  figure.addEventListener("pointerdown", (event) => {
    isLong = false;
    const at = under(event);
    if (event.pointerType === "mouse" || isTool(at)) return;
    aim(null, null);
    const [x, y] = [event.clientX, event.clientY];
    timer = setTimeout(() => {
      aim(at, { x, y });
      isLong = make(gestures().at(0)?.gesture);
    }, LONG_MS);
    const end = (/** @type {PointerEvent} */ now) => {
      const isStill = Math.hypot(now.clientX - x, now.clientY - y) < STILL;
      if (now.type === "pointermove" && isStill) return;
      clearTimeout(timer);
      for (const name of ENDS)
        figure.removeEventListener(name, /** @type {any} */ (end));
    };
    for (const name of ENDS) figure.addEventListener(name, /** @type {any} */ (end));
  });
  figure.addEventListener("contextmenu", (event) => {
    if (isLong) event.preventDefault();
  });

  // Pointers and keys.

  figure.addEventListener("pointermove", (event) => {
    const at = under(event);
    if (isTool(at)) return tip.end();
    if (event.pointerType === "mouse") {
      point(pointedAt(at));
      aim(at, { x: event.clientX, y: event.clientY });
    }
    const words = wordsNow(at);
    if (words) tip.point(event, words);
    else tip.end();
  });
  figure.addEventListener("pointerleave", () => {
    point({});
    if (reached === null) aim(null, null);
  });
  figure.addEventListener("focusin", ({ target }) => {
    const at = /** @type {Element} */ (target);
    if (!at.matches(":focus-visible")) return;
    reached = at;
    point(pointedAt(at));
    aim(at, null);
    tip.walk();
  });
  figure.addEventListener("focusout", leave);

  /** Keys have left what they had come to. */
  function leave() {
    reached = null;
    point({});
    aim(null, null);
    tip.end();
  }

  figure.addEventListener("click", (event) => {
    const at = under(event);
    if (!isTool(at) && !isLong) act(at);
  });
  figure.addEventListener("keydown", (event) => {
    const at = /** @type {Element} */ (event.target);
    if (hasModifier(event) || !(at instanceof SVGElement)) return;
    const arrow = ARROWS[event.key];
    if (event.key === "Enter" || event.key === " ") act(at);
    else if (arrow) walk(at, arrow);
    else if (event.key === "Escape" && shown()?.held === null && reached) leave();
    else return;
    event.preventDefault();
  });

  /** @param {Element} at */
  function act(at) {
    const state = shown();
    const [classIndex] = markIn(at, "class");
    if (state && classIndex !== undefined)
      return hold(state.held === classIndex ? null : classIndex);
    const opening = state && openingAt(state, at, { step: step(), lead: lead() });
    if (opening === null) return;
    const box = (at.closest("[data-layer]") ?? at).getBoundingClientRect();
    open(opening);
    const view = document.querySelector(`[data-view="${opening.id}"]`);
    if (view) grow(box, view);
  }

  /**
   * @param {Element} at @param {{ down?: number, across?: number }} by to the next below, or
   *   to that of the next column which Tab comes to; layers stand side by side
   */
  function walk(at, { down = 0, across = 0 }) {
    const own = at.closest("[role=group]");
    const isColumn = own?.matches("[data-column]");
    if (own && isColumn && across !== 0) {
      const columns = [...figure.querySelectorAll("[data-column]")];
      focus(columns[columns.indexOf(own) + across]?.querySelector('[tabindex="0"]'));
      return;
    }
    const all = [...(own?.querySelectorAll("[tabindex]") ?? [])];
    focus(all[(all.indexOf(at) + down + across + all.length) % all.length]);
  }

  return {
    hovered: () => hovered,
    part: () => part,
    /**
     * Draw anew. What had the focus keeps it, wherever it stands then; a ribbon that has
     * become too thin to stand anywhere leaves it to the part that it came from.
     * @template Drawn
     * @param {() => Drawn} paint @returns {Drawn}
     */
    keepFocus(paint) {
      const before = document.activeElement;
      const names = before && figure.contains(before) ? namesOf(before) : [];
      const drawn = paint();
      const now = names.map((name) => figure.querySelector(name)).find(Boolean);
      if (now && now !== document.activeElement) stand(now);
      return drawn;
    },
    /** Tell anew what keys have come to: its numbers may have changed. */
    tell: () => {
      showTools();
      if (reached?.isConnected && part !== null) tip.walk();
    },
  };
}

/**
 * A mark that gestures can be about, and where the pointer is; null: beside it.
 * @typedef {{ at: MarkName, place: { x: number, y: number } | null }} Mark
 */

/**
 * A mark by what it is and its numbers, such as "tile", 0, 13.
 * @typedef {readonly ["tile" | "river" | "class", ...number[]]} MarkName
 */

/** @param {Element} at @returns {MarkName | null} */
function nameOf(at) {
  const tile = markIn(at, "tile");
  if (tile.length > 0) return ["tile", ...tile];
  const river = riverIn(at);
  if (river.length > 0) return ["river", ...river];
  const own = markIn(at, "class");
  return own.length > 0 ? ["class", ...own] : null;
}

const IDENTITY = ["data-way", "data-tile", "data-class", "data-layer", "data-part"];

/**
 * Selectors of what keys have come to, whichever element it is next; and of the part that a
 * ribbon comes from.
 * @param {Element} at
 */
function namesOf(at) {
  const own = IDENTITY.map((name) => {
    const value = at.getAttribute(name);
    return value === null ? `:not([${name}])` : `[${name}="${value}"]`;
  });
  const [level, from] = markIn(at, "way");
  const giver = from === undefined ? [] : [selectorOf(["tile", level, from])];
  return [at.localName + own.join(""), ...giver];
}

/** @param {MarkName} name */
const selectorOf = ([kind, ...numbers]) => `[data-${kind}="${numbers.join("/")}"]`;

/**
 * What is at the pointer; where ribbons cross, the one whose middle is nearest.
 * @param {MouseEvent} event
 */
function under({ target, clientX, clientY }) {
  const top = /** @type {Element} */ (target);
  if (!top.matches(RIBBON)) return top;
  const place = new DOMPoint(clientX, clientY);
  const figure = top.closest("[data-figure]");
  let nearest = { ribbon: top, off: Number.POSITIVE_INFINITY };
  for (const ribbon of document.elementsFromPoint(clientX, clientY)) {
    if (!(ribbon instanceof SVGGraphicsElement) || !ribbon.matches(RIBBON)) continue;
    const at = place.matrixTransform(ribbon.getScreenCTM()?.inverse());
    const off = offMiddle(ribbon.getAttribute("d") ?? "", at);
    if (figure?.contains(ribbon) && off < nearest.off) nearest = { ribbon, off };
  }
  return nearest.ribbon;
}

/** What flows, and what keys reach of it. */
const RIBBON = "[data-river], [data-way]";

/** @param {DOMRect} box */
const middleOf = ({ left, right, top, bottom }) => ({
  x: (left + right) / 2,
  y: (top + bottom) / 2,
});

/** What ends a finger's rest. */
const ENDS = ["pointerup", "pointercancel", "pointermove"];

/** @param {EventTarget | null} target */
const isTyping = (target) =>
  target instanceof HTMLElement && target.matches("input, select, textarea");

/** @param {Element | null | undefined} at */
function focus(at) {
  if (at instanceof SVGElement) at.focus();
}

/** @param {Element} at */
function pointedAt(at) {
  const [hovered = null] = markIn(at, "class");
  const [level, tile] = markIn(at, "tile");
  return { hovered, part: tile === undefined ? null : { level, tile } };
}

/**
 * What opens with what stands there.
 * @param {Shown} state @param {Element} at @param {units.Now} now
 * @returns {Opening | null}
 */
function openingAt(state, at, now) {
  if (state.scene.isEmpty) return null;
  const [level, from, to] = riverIn(at);
  if (to !== undefined) return units.ofRiver(state, [level, from, to], now);
  const [of, by, said] = markIn(at, "says");
  if (said !== undefined) return units.ofRiver(state, [of, by, said], now);
  const { part } = pointedAt(at);
  if (part) return units.ofPart(state, part, now);
  const mark = at.closest("[data-layer]");
  const id = mark?.getAttribute("data-layer");
  const map = mark?.getAttribute("data-part");
  if (!id) return null;
  return map ? units.ofMap(state, id, Number(map)) : { id, units: [] };
}

/**
 * The numbers in the mark of what is pointed at, such as `data-tile="0/13"`.
 * @param {Element} at @param {string} name
 */
function markIn(at, name) {
  const mark = at.closest(`[data-${name}]`)?.getAttribute(`data-${name}`);
  return mark ? mark.split("/").map(Number) : [];
}

/** What pictures at a part show. @param {Element} at */
const piecesAt = (at) => at.closest("[data-pieces]")?.getAttribute("data-pieces") ?? "";

/** The same of a ribbon, or of what keys reach in its place. @param {Element} at */
const riverIn = (at) => [...markIn(at, "river"), ...markIn(at, "way")];

/**
 * What stands at the pointer, or where keys have come to: numbers of a ribbon, of a part, or
 * the name of a map.
 * @param {Shown} shown @param {number} step @param {Element} at
 * @returns {string | null}
 */
function wordsAt({ scene, flows }, step, at) {
  const moment = flows && between(flows, Math.min(step, scene.steps - 1));
  const [level, from, to] = riverIn(at);
  if (to !== undefined) return riverWords({ scene, flows, moment }, [level, from, to]);
  const { part } = pointedAt(at);
  if (part && flows && moment)
    return [gifts(flows, moment, part, scene.names), piecesAt(at)]
      .filter(Boolean)
      .join("; ");
  const mark = at.closest("[data-layer][data-part]");
  const column = scene.columns.find(
    ({ id }) => id === mark?.getAttribute("data-layer"),
  );
  return column && mark ? `${column.one} ${mark.getAttribute("data-part")}` : null;
}
