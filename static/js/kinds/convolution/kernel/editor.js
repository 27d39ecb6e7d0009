/**
 * What changes a kernel of one's own: its weights as cells to type into, to walk through and
 * to paint; presets, size, turning and scaling, its bias.
 * @import { Scale } from "../../../lib/color.js"
 * @import { OwnKernel } from "../types.js"
 */
import { clamp, reach } from "../../../lib/arithmetic.js";
import { color, cssColor, diverging, readableOn } from "../../../lib/color.js";
import { compact } from "../../../lib/decimals.js";
import { memoize } from "../../../lib/memoize.js";
import {
  arrowOf,
  hasModifier,
  listenToChoices,
  listenToDrag,
  pressChoice,
} from "../../../ui/controls.js";
import { find, findElement, make } from "../../../ui/dom.js";
import { showLegend } from "../../../ui/pictures.js";
import {
  flipped,
  kept,
  mirrored,
  negated,
  normalized,
  PRESETS,
  preset,
  presetOf,
  readWeight,
  resized,
  turned,
  WEIGHT_LIMIT,
  weightText,
} from "./kernels.js";

const STEP = 0.1;

/** Where Enter leads: to the cell below. */
const DOWN = /** @type {const} */ ([1, 0]);

/**
 * @param {HTMLElement} root
 * @param {(kernel: OwnKernel, kind: string) => void} change kind: see `Undo`
 */
export function mountEditor(root, change) {
  const grid = findElement(root, "[data-cells]");
  const legend = findElement(root, "[data-editor-legend]");
  /** @type {HTMLInputElement[]} */
  let cells = [];
  /** @type {OwnKernel} */
  let kernel = { size: 0, weights: [], bias: 0 };
  let current = 0;

  /** @param {number} i @param {number} weight @param {string} [kind] */
  function set(i, weight, kind = `cell ${i}`) {
    const within = clamp(weight, -WEIGHT_LIMIT, WEIGHT_LIMIT);
    if (within !== kernel.weights[i])
      change({ ...kernel, weights: kernel.weights.with(i, within) }, kind);
  }

  /** @param {number} i */
  function goTo(i) {
    cells[current].tabIndex = -1;
    current = i;
    cells[current].tabIndex = 0;
  }

  /** @param {KeyboardEvent} event @param {number} i */
  function onKey(event, i) {
    if (hasModifier(event)) return;
    const { key, shiftKey } = event;
    const direction = key === "Enter" ? DOWN : arrowOf(event);
    const steps = { PageUp: 1, PageDown: -1 }[key];
    if (direction) cells[steppedTo(i, direction, kernel.size)].focus();
    else if (steps) nudge(steps * (shiftKey ? 10 : 1));
    else if (key === "Escape") cells[i].value = weightText(kernel.weights[i]);
    else return;
    event.preventDefault();
  }

  /** @param {number} steps */
  function nudge(steps) {
    const weight = kernel.weights[current] + steps * STEP;
    set(current, Number(weight.toFixed(3)));
    cells[current].value = weightText(kernel.weights[current]);
  }

  const layOut = memoize((/** @type {number} */ size) => {
    current = (size * size - 1) / 2;
    cells = Array.from({ length: size * size }, (_, i) =>
      makeCell(`row ${Math.floor(i / size)}, column ${i % size}`, i === current, {
        weight: () => kernel.weights[i],
        set: (weight) => set(i, weight),
        enter: () => goTo(i),
        press: (event) => onKey(event, i),
      }),
    );
    grid.style.setProperty("--size", String(size));
    grid.setAttribute("aria-rowcount", String(size));
    grid.replaceChildren(...rowsOf(cells, size));
  });

  return {
    grid,
    nudge,

    /**
     * Set one cell by its place, as painting does.
     * @param {number} row @param {number} column @param {number} weight @param {string} kind
     */
    paint: (row, column, weight, kind) => set(row * kernel.size + column, weight, kind),

    /** @param {OwnKernel} shown */
    show(shown) {
      kernel = shown;
      layOut(shown.size);
      const scale = diverging(reach(shown.weights) || 1);
      shown.weights.forEach((weight, i) => {
        showWeight(cells[i], weight, scale);
      });
      showLegend(legend, scale, { unit: "weight", decimals: 3 });
    },
  };
}

/** @param {number} i @param {readonly [down: number, right: number]} direction @param {number} size */
function steppedTo(i, [down, right], size) {
  const within = (/** @type {number} */ at) => clamp(at, 0, size - 1);
  return within(Math.floor(i / size) + down) * size + within((i % size) + right);
}

/**
 * A weight to type: short while it is read, in full while it is edited.
 * @param {string} name
 * @param {boolean} isCurrent whether Tab leads to it
 * @param {object} does
 * @param {() => number} does.weight
 * @param {(weight: number) => void} does.set
 * @param {() => void} does.enter
 * @param {(event: KeyboardEvent) => void} does.press
 */
function makeCell(name, isCurrent, { weight: weightNow, set, enter, press }) {
  const cell = make("input", {
    ...{ type: "text", inputmode: "decimal", autocomplete: "off", "aria-label": name },
  });
  cell.tabIndex = isCurrent ? 0 : -1;
  cell.addEventListener("focus", () => {
    enter();
    cell.value = weightText(weightNow());
    cell.select();
  });
  cell.addEventListener("keydown", press);
  cell.addEventListener("input", () => {
    const weight = readWeight(cell.value);
    cell.setAttribute("aria-invalid", String(weight === null));
    if (weight !== null) set(weight);
  });
  cell.addEventListener("blur", () => {
    cell.removeAttribute("aria-invalid");
    cell.value = cellText(weightNow());
  });
  return cell;
}

/** @param {HTMLInputElement[]} cells @param {number} size of a row */
function rowsOf(cells, size) {
  return Array.from({ length: size }, (_, i) => {
    const own = cells.slice(i * size, (i + 1) * size);
    const row = make("div", { role: "row" });
    row.append(...own.map((cell) => make("div", { role: "gridcell" }, cell)));
    return row;
  });
}

/** @param {HTMLInputElement} cell @param {number} weight @param {Scale} scale */
function showWeight(cell, weight, scale) {
  cell.style.backgroundColor = cssColor(scale, weight);
  cell.style.color = readableOn(color(scale, weight));
  if (!isBeingTyped(cell, weight)) cell.value = cellText(weight);
}

/**
 * Whether what stands in a cell means its weight, so that it must be left to the reader.
 * @param {HTMLInputElement} cell @param {number} weight
 */
function isBeingTyped(cell, weight) {
  if (document.activeElement !== cell) return false;
  const typed = readWeight(cell.value);
  return (
    typed === null || kept({ size: 1, weights: [typed], bias: 0 }).weights[0] === weight
  );
}

/** @param {number} weight short: cells are small */
function cellText(weight) {
  return compact(weight, 3)
    .replace(/(\.\d*?)0+$/, "$1")
    .replace(/\.$/, "");
}

/**
 * @param {HTMLElement} choices buttons whose value is a weight, or "type"
 * @param {HTMLElement} grid of equal cells, as many across as down
 * @param {(row: number, column: number, weight: number, kind: string) => void} paint
 */
export function mountBrush(choices, grid, paint) {
  /** @type {number | null} null: the pointer types */
  let weight = null;
  let strokes = 0;

  listenToChoices(choices, (value) => {
    weight = value === "type" ? null : Number(value);
    grid.classList.toggle("is-painted", weight !== null);
  });

  /** @param {PointerEvent} event */
  function paintUnder({ clientX, clientY }) {
    const { left, top, width, height } = grid.getBoundingClientRect();
    const size = Number(grid.getAttribute("aria-rowcount"));
    const column = Math.floor(((clientX - left) / width) * size);
    const row = Math.floor(((clientY - top) / height) * size);
    const isInside = [row, column].every((at) => at >= 0 && at < size);
    if (weight !== null && isInside) paint(row, column, weight, `stroke ${strokes}`);
  }

  listenToDrag(grid, (event) => {
    if (weight === null) return null;
    strokes++;
    paintUnder(event);
    return paintUnder;
  });
  // A cell that is painted is not typed into.
  grid.addEventListener("mousedown", (event) => {
    if (weight !== null) event.preventDefault();
  });
}

/** @type {Readonly<Record<string, (kernel: OwnKernel) => OwnKernel>>} */
const TRANSFORMS = {
  turn: turned,
  mirror: mirrored,
  flip: flipped,
  negate: negated,
  normalize: normalized,
  clear: ({ size }) => resized({ size: 1, weights: [0], bias: 0 }, size),
};

/**
 * @param {HTMLElement} root
 * @param {(kernel: OwnKernel, kind?: string) => void} change kind: see `Undo`
 */
export function mountTools(root, change) {
  const presets = findElement(root, "[data-presets]");
  const sizes = findElement(root, "[data-sizes]");
  const bias = find(root, "[data-bias-slider]", HTMLInputElement);
  const biasNumber = find(root, "[data-bias-number]", HTMLInputElement);
  /** @type {OwnKernel} */
  let kernel = preset("identity", 3);

  presets.append(...PRESETS.map(presetButton));
  listenToChoices(presets, (id) => change(preset(id, kernel.size)));
  listenToChoices(sizes, (value) => {
    const size = Number(value);
    const id = presetOf({ ...kernel, bias: 0 });
    // A preset is made for each size; anything else keeps its weights.
    change(
      id === null ? resized(kernel, size) : { ...preset(id, size), bias: kernel.bias },
    );
  });
  for (const button of root.querySelectorAll("[data-transform]")) {
    const transform = TRANSFORMS[button.getAttribute("data-transform") ?? ""];
    button.addEventListener("click", () => change(transform(kernel)));
  }
  for (const input of [bias, biasNumber]) {
    input.addEventListener("input", () => {
      const value = input.valueAsNumber;
      if (Math.abs(value) <= WEIGHT_LIMIT) change({ ...kernel, bias: value }, "bias");
    });
  }
  biasNumber.addEventListener("change", () => {
    biasNumber.value = biasText(kernel.bias);
  });

  return {
    /** @param {OwnKernel} shown */
    show(shown) {
      kernel = shown;
      pressChoice(sizes, String(kernel.size));
      pressChoice(presets, presetOf({ ...kernel, bias: 0 }));
      bias.value = String(kernel.bias);
      if (document.activeElement !== biasNumber)
        biasNumber.value = biasText(kernel.bias);
    },
  };
}

/** @param {number} bias */
function biasText(bias) {
  return String(Number(bias.toFixed(3)));
}

/** @param {{ id: string, title: string }} preset */
function presetButton({ id, title }) {
  return make("button", { "data-value": id }, title);
}
