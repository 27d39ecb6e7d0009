/**
 * What pointers and keys do to the picture of the whole network: a class or a part is
 * pointed at; a class is chosen; a layer is opened where it stands. Tab comes to the layers,
 * to each column and to the classes; arrows walk in a column, and from one to the next.
 * @import { Actions } from "../types.js"
 * @import { Shown } from "./painter.js"
 * @import { PartAt } from "./picture.js"
 */
import { fixed } from "../lib/format.js";
import { hasModifier } from "../ui/controls.js";
import { grow } from "../ui/motion.js";
import { valueTip } from "../ui/value-tip.js";
import { gifts, partName } from "./words.js";

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
 * @param {Pick<Actions, "focusClass" | "openView">} does.actions
 */
export function listen(figure, { draw, shown, step, actions }) {
  /** @type {number | null} */
  let hovered = null;
  /** @type {PartAt | null} */
  let part = null;
  /** What keys have come to. @type {Element | null} */
  let reached = null;
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

  figure.addEventListener("pointermove", (event) => {
    const at = /** @type {Element} */ (event.target);
    if (event.pointerType === "mouse") point(pointedAt(at));
    const words = wordsNow(at);
    if (words) tip.point(event, words);
    else tip.end();
  });
  figure.addEventListener("pointerleave", () => point({}));
  figure.addEventListener("focusin", ({ target }) => {
    const at = /** @type {Element} */ (target);
    if (!at.matches(":focus-visible")) return;
    reached = at;
    point(pointedAt(at));
    tip.walk();
  });
  figure.addEventListener("focusout", leave);

  /** Keys have left what they had come to. */
  function leave() {
    reached = null;
    point({});
    tip.end();
  }

  figure.addEventListener("click", ({ target }) =>
    act(/** @type {Element} */ (target)),
  );
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
    const [classIndex] = markIn(at, "class");
    const layer = at.closest("[data-open]");
    if (classIndex !== undefined)
      actions.focusClass(shown()?.held === classIndex ? null : classIndex);
    else if (layer !== null) openFrom(layer.getAttribute("data-open") ?? "", layer);
    else {
      const [level, tile] = markIn(at, "part");
      const column = shown()?.flows?.levels[level]?.column;
      if (tile !== undefined && column) openFrom(column.id, at);
    }
  }

  /** @param {string} id of a layer @param {Element} from */
  function openFrom(id, from) {
    const box = from.getBoundingClientRect();
    actions.openView(id);
    const view = document.querySelector(`[data-view="${id}"]`);
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
    /** Tell anew what keys have come to: its numbers may have changed. */
    tell: () => {
      if (reached?.isConnected && part !== null) tip.walk();
    },
  };
}

/** @param {Element | null | undefined} at */
function focus(at) {
  if (at instanceof SVGElement) at.focus();
}

/** @param {Element} at */
function pointedAt(at) {
  const [hovered = null] = markIn(at, "class");
  const [level, tile] = markIn(at, "part");
  return { hovered, part: tile === undefined ? null : { level, tile } };
}

/**
 * The numbers in the mark of what is pointed at, such as `data-part="0/13"`.
 * @param {Element} at @param {string} name
 * @returns {number[]} none where it bears no such mark
 */
function markIn(at, name) {
  const mark = at.closest(`[data-${name}]`)?.getAttribute(`data-${name}`);
  return mark == null ? [] : mark.split("/").map(Number);
}

/**
 * What is under the pointer, in words.
 * @param {Shown} shown @param {number} step @param {Element} at
 * @returns {string | null}
 */
function wordsAt({ scene, flows }, step, at) {
  const map = at.closest("[data-map]")?.getAttribute("data-map")?.split("/");
  if (map) return `map ${map[1]}`;
  if (flows === null) return null;
  const [level, from, to] = markIn(at, "river");
  const moment = flows.at(Math.min(step, scene.steps - 1));
  if (to !== undefined) {
    const place = from * moment.outs[level].above + to;
    const [first, now] = [flows.at(0), moment].map(
      ({ outs }) => outs[level].all[place],
    );
    const was = scene.steps > 1 ? `, in iteration 1 ${fixed(first, 2)}` : "";
    const [giver, taker] = [from, to].map((each, above) =>
      partName(flows, level + above, each, scene.names),
    );
    return `${giver} → ${taker}: ${fixed(now, 2)}${was}`;
  }
  const { part } = pointedAt(at);
  return part && gifts(flows, moment, part, scene.names);
}
