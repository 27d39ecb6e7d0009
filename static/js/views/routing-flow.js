/**
 * Ribbons from the capsule types to the digits: how much of what each type found goes
 * where, in the iteration on show.
 * @import { AppState } from "../types.js"
 * @import { ByType } from "../lib/routing.js"
 * @import { Actions } from "../state.js"
 * @import { Store } from "../store.js"
 */

import { capsulePlace } from "../geometry/receptive-field.js";
import { layOutRibbons } from "../geometry/ribbons.js";
import { fixed, percent } from "../lib/number.js";
import { flowByType } from "../lib/routing.js";
import { find, findElement } from "../parts/find.js";
import { setAll, svg } from "../parts/svg.js";
import { tween } from "../parts/tween.js";
import { focusedDigit, sizesOf } from "../state.js";
import { readyTrace, sameCell, shownStep } from "./routing-trace.js";

const PLACE = { left: 46, right: 584, height: 640, gap: 4 };
const TOP = 12;
const NODE_WIDTH = 8;

/**
 * @param {HTMLElement} root
 * @param {Store<AppState>} store
 * @param {Actions} actions
 */
export function mountFlow(root, store, actions) {
  const ribbons = find(root, "[data-ribbons]", SVGGElement);
  const nodes = find(root, "[data-nodes]", SVGGElement);
  const caption = findElement(root, "[data-flow-caption]");
  const readout = findElement(root, "[data-flow-readout]");
  const words = findElement(root, "[data-flow-text]");
  setAll(ribbons, { transform: `translate(0 ${TOP})` });
  setAll(nodes, { transform: `translate(0 ${TOP})` });
  /** @type {{ trace: AppState["trace"], flows: ByType[] }} */
  let known = { trace: null, flows: [] };
  /** @type {ByType | null} */
  let shown = null;

  /** @param {ByType} flow */
  function draw(flow) {
    shown = flow;
    const { types, classes, data } = flow;
    const layout = layOutRibbons(data, { sources: types, targets: classes }, PLACE);
    fit(ribbons, "path", types * classes);
    layout.paths.forEach((path, i) => {
      setAll(/** @type {SVGElement} */ (ribbons.children[i]), { d: path });
    });
    fit(nodes, "g", types + classes);
    layout.sources.forEach((node, type) => {
      placeNode(nodes.children[type], node, PLACE.left - NODE_WIDTH);
    });
    layout.targets.forEach((node, digit) => {
      placeNode(nodes.children[types + digit], node, PLACE.right);
    });
  }
  const move = tween(draw, blend);

  store.watch(["trace", "step", "view"], (state) => {
    const trace = readyTrace(state);
    if (trace === null) return;
    const isNew = known.trace !== trace;
    if (isNew) {
      const { "routing.couplings": couplings, "primary.lengths": lengths } =
        trace.tensors;
      known = { trace, flows: flowByType(couplings, lengths) };
    }
    const flow = known.flows[shownStep(trace, state.step)];
    // Only from iteration to iteration does anything flow; another image is just drawn.
    if (isNew || shown === null) move(flow, flow);
    else move(shown, flow);
    caption.textContent = `coupling × capsule length, iteration ${shownStep(trace, state.step) + 1}`;
  });

  store.watch(["trace", "step", "view", "digit", "capsule", "model"], (state) => {
    const { model } = state;
    const focused = focusedDigit(state);
    const trace = readyTrace(state);
    if (trace === null || model === null || focused === null) return;
    const flow = known.flows[shownStep(trace, state.step)];
    const { type } = capsulePlace(sizesOf(model), state.capsule);
    mark(ribbons, flow, focused, type);
    label(nodes, flow, model.class_names, focused, type);
    words.textContent = sentence(flow, focused, model.class_names);
  });

  /** @param {Event} event */
  function under({ target }) {
    if (shown === null || !(target instanceof Element)) return null;
    const { types, classes } = shown;
    const ribbon = [...ribbons.children].indexOf(target);
    if (ribbon >= 0)
      return { type: Math.floor(ribbon / classes), digit: ribbon % classes };
    const node = [...nodes.children].findIndex((child) => child.contains(target));
    if (node < 0) return null;
    return node < types
      ? { type: node, digit: null }
      : { type: null, digit: node - types };
  }
  const picture = /** @type {SVGSVGElement} */ (ribbons.ownerSVGElement);
  picture.addEventListener("pointerover", (event) => {
    const found = under(event);
    readout.textContent = found && shown ? describe(shown, found, store.get()) : "";
  });
  picture.addEventListener("pointerleave", () => {
    readout.textContent = "";
  });
  picture.addEventListener("click", (event) => {
    const found = under(event);
    const { model } = store.get();
    if (found === null || model === null) return;
    if (found.digit !== null) actions.focusDigit(found.digit);
    if (found.type !== null)
      actions.chooseCapsule(sameCell(model, store.get().capsule, found.type));
  });
}

/**
 * Between two flows of the same sizes.
 * @param {ByType} from
 * @param {ByType} to
 * @param {number} share 0..1
 * @returns {ByType}
 */
function blend(from, to, share) {
  const data = to.data.map((value, i) => from.data[i] + share * (value - from.data[i]));
  return { ...to, data };
}

/**
 * @param {SVGGElement} group
 * @param {"path" | "g"} kind
 * @param {number} count
 */
function fit(group, kind, count) {
  if (group.children.length === count) return;
  group.replaceChildren(
    ...Array.from({ length: count }, () => {
      const element = svg(kind);
      if (kind === "g")
        element.append(svg("rect", { width: NODE_WIDTH, rx: 2 }), svg("text"));
      return element;
    }),
  );
}

/**
 * @param {Element} group
 * @param {import("../geometry/ribbons.js").Node} node
 * @param {number} x
 */
function placeNode(group, { y, height }, x) {
  const [bar, text] = /** @type {SVGElement[]} */ ([...group.children]);
  setAll(bar, { x, y, height: Math.max(1, height) });
  const isLeft = x < PLACE.left;
  setAll(text, { x: isLeft ? x - 6 : x + NODE_WIDTH + 8, y: y + height / 2 });
}

/**
 * @param {SVGGElement} ribbons
 * @param {ByType} flow
 * @param {number} focused
 * @param {number} chosenType
 */
function mark(ribbons, { classes }, focused, chosenType) {
  [...ribbons.children].forEach((ribbon, i) => {
    const isFocused = i % classes === focused;
    const isChosen = Math.floor(i / classes) === chosenType;
    ribbon.setAttribute(
      "class",
      `ribbon${isFocused ? " is-focused" : ""}${isChosen ? " is-chosen" : ""}`,
    );
  });
}

/**
 * @param {SVGGElement} nodes
 * @param {ByType} flow
 * @param {string[]} names
 * @param {number} focused
 * @param {number} chosenType
 */
function label(nodes, { types }, names, focused, chosenType) {
  [...nodes.children].forEach((group, i) => {
    const isDigit = i >= types;
    const isSet = isDigit ? i - types === focused : i === chosenType;
    group.setAttribute(
      "class",
      `node ${isDigit ? "is-digit" : "is-type"}${isSet ? " is-focused" : ""}`,
    );
    const [, text] = group.children;
    text.textContent = isDigit ? names[i - types] : String(i);
  });
}

/**
 * @param {ByType} flow
 * @param {number} digit
 * @param {string[]} names
 */
function sentence({ types, classes, data }, digit, names) {
  let total = 0;
  let mine = 0;
  let strongest = 0;
  for (let type = 0; type < types; type++) {
    for (let j = 0; j < classes; j++) total += data[type * classes + j];
    mine += data[type * classes + digit];
    if (data[type * classes + digit] > data[strongest * classes + digit])
      strongest = type;
  }
  return `${percent(mine / total, 1)} of all capsule length goes to ${names[digit]}; type ${strongest} sends it the most. Left: capsule types. Right: digits. Choose either.`;
}

/**
 * @param {ByType} flow
 * @param {{ type: number | null, digit: number | null }} found
 * @param {Readonly<AppState>} state
 */
function describe({ types, classes, data }, { type, digit }, { model }) {
  const names = model?.class_names ?? [];
  let amount = 0;
  for (let t = 0; t < types; t++) {
    for (let j = 0; j < classes; j++) {
      if ((type ?? t) === t && (digit ?? j) === j) amount += data[t * classes + j];
    }
  }
  const from = type === null ? "all types" : `type ${type}`;
  const to = digit === null ? "all digits" : names[digit];
  return `${from} → ${to}: ${fixed(amount, 3)}`;
}
