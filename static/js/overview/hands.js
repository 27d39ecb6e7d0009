/**
 * What pointers and keys do to the picture of the whole network: a class is pointed at, or
 * chosen; a part is pointed at; a layer is opened where it stands.
 * @import { Actions } from "../types.js"
 * @import { Flows, Moment } from "./flows.js"
 * @import { Shown } from "./index.js"
 */
import { ranked } from "../lib/arithmetic.js";
import { fixed } from "../lib/format.js";
import { grow } from "../ui/motion.js";
import { valueTip } from "../ui/value-tip.js";
import { nameOfPart } from "./words.js";

const TOLD = 3; // classes at a part

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
  /** @type {number | null} */
  let part = null;
  const tip = valueTip(figure, {
    place: () => figure.getBoundingClientRect(),
    words: () => "",
  });

  /** @param {{ hovered: number | null, part: number | null }} now */
  function point(now) {
    if (now.hovered === hovered && now.part === part) return;
    ({ hovered, part } = now);
    draw();
  }

  figure.addEventListener("pointermove", (event) => {
    const at = /** @type {Element} */ (event.target);
    const classIndex = markIn(at, "class")[0] ?? null;
    const [level, tile = null] = markIn(at, "part");
    if (event.pointerType === "mouse")
      point({ hovered: classIndex, part: level === 0 ? tile : null });
    const state = shown();
    const words = state && wordsAt(state, step(), at);
    if (words) tip.point(event, words);
    else tip.end();
  });
  figure.addEventListener("pointerleave", () => point({ hovered: null, part: null }));
  figure.addEventListener("focusin", ({ target }) => {
    const at = /** @type {Element} */ (target);
    const [classIndex = null] = markIn(at, "class");
    if (at.matches(":focus-visible")) point({ hovered: classIndex, part: null });
  });
  figure.addEventListener("focusout", () => point({ hovered: null, part: null }));

  figure.addEventListener("click", ({ target }) =>
    act(/** @type {Element} */ (target)),
  );
  figure.addEventListener("keydown", (event) => {
    const at = /** @type {Element} */ (event.target);
    if (event.key === "Enter" || event.key === " ") act(at);
    else if (!moveFocus(at, { ArrowDown: 1, ArrowUp: -1 }[event.key])) return;
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

  /** @param {Element} at @param {number | undefined} by @returns {boolean} whether it moved */
  function moveFocus(at, by) {
    const rows = figure.querySelectorAll("[data-class]");
    const [from] = markIn(at, "class");
    if (by === undefined || from === undefined) return false;
    const next = rows[(from + by + rows.length) % rows.length];
    if (next instanceof SVGElement) next.focus();
    return true;
  }

  return { hovered: () => hovered, part: () => part };
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
  const nameOf = (/** @type {number} */ onLevel, /** @type {number} */ index) => {
    const above = flows.levels[onLevel];
    return above ? nameOfPart(above.column, above.groups[index]) : scene.names[index];
  };
  if (to !== undefined) {
    const place = from * moment.outs[level].above + to;
    const [first, now] = [flows.at(0), moment].map(
      ({ outs }) => outs[level].all[place],
    );
    const was = scene.steps > 1 ? `, in iteration 1 ${fixed(first, 2)}` : "";
    return `${nameOf(level, from)} → ${nameOf(level + 1, to)}: ${fixed(now, 2)}${was}`;
  }
  const [onLevel, tile] = markIn(at, "part");
  if (tile === undefined) return null;
  const gifts = giftsOf(moment.outs[onLevel], tile);
  const most = ranked(gifts)
    .slice(0, TOLD)
    .map((each) => `${nameOf(onLevel + 1, each)} ${fixed(gifts[each], 2)}`);
  return `${nameOf(onLevel, tile)} → ${most.join(", ")}`;
}

/** @param {Moment["outs"][number]} out @param {number} tile */
const giftsOf = ({ all, above }, tile) =>
  all.subarray(tile * above, (tile + 1) * above);
