/**
 * The steps after the picture itself, each with what can be decided there: light and
 * dark, where strokes begin, how wide they are.
 * @import { AppState, Intake, Overrides, Store } from "../types.js"
 */

import { saidOf } from "../core/subject.js";
import { fixed, percent } from "../lib/format.js";
import { findElement } from "../ui/dom.js";
import { fill, h } from "../ui/h.js";
import { button, HIDDEN } from "../ui/inputs.js";

/** What is decided at a step by a slider. */
const SLIDERS = /** @type {const} */ ({
  paper: {
    name: "threshold",
    title: "Ink from",
    decimals: 2,
    limits: { min: "0.02", max: "0.98", step: "0.01" },
  },
  strokes: {
    name: "thickness",
    title: "Width",
    decimals: 1,
    limits: { min: "1", max: "6", step: "0.1" },
  },
});

/**
 * @param {HTMLElement} root the list
 * @param {Store<AppState>} store @param {(more: Partial<Overrides>) => void} correct
 */
export function mountSteps(root, store, correct) {
  store.watch(["intake", "overrides", "view", "model"], (state) => {
    const { intake, overrides, view, model } = state;
    if (intake === null || model === null || view !== "input") return;
    const [, ...steps] = intake.steps; // the picture has a place of its own
    fill(
      root,
      steps.map(({ name, title, note, image }) =>
        h(
          "li",
          { "data-intake-step": name },
          h("img", { src: image, alt: "" }),
          h("strong", {}, saidOf(title, model)),
          h("p", { class: "fine" }, saidOf(note, model)),
          controlOf(name, intake, overrides, correct),
        ),
      ),
    );
  });
}

/**
 * What can be decided at a step; a colour picture has no strokes.
 * @param {string} step @param {Intake} intake @param {Overrides} overrides
 * @param {(more: Partial<Overrides>) => void} correct
 */
function controlOf(step, { settings }, overrides, correct) {
  if (step === "ink") {
    const act = () => correct({ invert: !overrides.invert });
    const pressed = overrides.invert;
    return h("div", { class: "intake-control" }, button("Invert", act, { pressed }));
  }
  if (step !== "paper" && step !== "strokes") return null;
  const { name, title, decimals, limits } = SLIDERS[step];
  const [override, automatic] = [overrides[name], settings[name]];
  if (automatic === null) return null;
  const words = fixed(override ?? automatic, decimals);
  const slider = {
    type: "range",
    id: `intake-${name}`,
    ...limits,
    [`data-${name}`]: "",
    value: override ?? automatic, // from where it starts
    "aria-valuetext": override === null ? `${words}, automatic` : words,
    oninput: (/** @type {any} */ { target }) =>
      correct({ [name]: target.valueAsNumber }),
  };
  return h(
    "div",
    { class: "intake-control" },
    h("label", { class: "intake-label", for: slider.id }, title),
    " ",
    h("output", { ...HIDDEN, class: override !== null && "is-told" }, words),
    h("input", slider),
  );
}

/**
 * The digits that a picture holds, where there are several: the one that is read, and
 * the others to choose.
 * @param {HTMLElement} root @param {Store<AppState>} store
 * @param {(more: Partial<Overrides>) => void} correct
 */
export function mountDigitsFound(root, store, correct) {
  const group = findElement(root, "[data-found]");
  const list = findElement(group, "[data-found-list]");

  store.watch(["intake", "overrides"], ({ intake, overrides }) => {
    const pieces = intake?.found ?? [];
    group.hidden = pieces.length < 2;
    const chosen = overrides.part === null ? intake?.parts : [overrides.part];
    const buttons = pieces.map(({ image, share }, part) => {
      const content = [
        h("img", { src: image, alt: "" }),
        h("span", {}, String(part + 1)),
      ];
      const words = `Read digit ${part + 1} of ${pieces.length}, ${percent(share, 0)} of the ink`;
      const pressed = chosen?.includes(part) ?? false;
      return button(content, () => correct({ part }), { pressed, "aria-label": words });
    });
    fill(list, !group.hidden && buttons);
  });
}
