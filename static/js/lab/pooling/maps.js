/**
 * One map of a pooling layer before and after the move, drawn by its network.
 * @import { LabStore, LayerUnits } from "../../types.js"
 * @import { Both } from "./index.js"
 * @import { PoolingSlice } from "./experiment.js"
 */
import { differenceOf, largestOf, reach } from "../../lib/arithmetic.js";
import { find, findElement, setText } from "../../ui/dom.js";

/**
 * @param {HTMLElement} root
 * @param {LabStore<PoolingSlice>} store
 */
export function mountMaps(root, store) {
  const title = findElement(root, "[data-maps-title]");
  const choice = find(root, "[data-layer]", HTMLSelectElement);
  const number = find(root, "[data-shown]", HTMLInputElement);
  const most = find(root, "[data-most]", HTMLButtonElement);
  const holder = findElement(root, "[data-picture]");
  const readout = findElement(root, "#lab-pooling-readout");
  /** @type {{ form: Both["form"], draw: ReturnType<NonNullable<NonNullable<Both["form"]>["mountPicture"]>> } | null} */
  let mounted = null;

  choice.addEventListener("change", () =>
    store.set({ layer: choice.value, shown: null, window: null }),
  );
  number.addEventListener("input", () => {
    if (number.checkValidity() && number.value !== "")
      store.set({ shown: number.valueAsNumber });
  });
  most.addEventListener("click", () => store.set({ shown: null, window: null }));

  /** @param {Both} both */
  function drawerFor({ form, before }) {
    if (mounted !== null && mounted.form === form) return mounted.draw;
    const template = document.querySelector(
      `template[data-moving="${before.model.architecture}"]`,
    );
    if (!(template instanceof HTMLTemplateElement) || !form?.mountPicture) return null;
    holder.replaceChildren(document.importNode(template.content, true));
    const draw = form.mountPicture(holder, {
      hover: (words) => setText(readout, words),
      choose: (window) => store.set({ window }),
    });
    mounted = { form, draw };
    return draw;
  }

  return {
    /**
     * @param {readonly Both[]} all
     * @param {readonly { before: LayerUnits, after: LayerUnits }[][]} layers of each
     */
    show(all, layers) {
      const state = store.get();
      const at = all.findIndex(({ form }) => form?.mountPicture !== undefined);
      root.hidden = at < 0;
      if (state === null || at < 0) return;
      const pooling = layers[at].filter(({ before }) => before.pools);
      const one = pooling.find(({ before }) => before.id === state.layer) ?? pooling[0];
      const draw = drawerFor(all[at]);
      if (one === undefined || draw === null) return;
      const maps = one.before.maps ?? 1;
      const map =
        state.shown !== null && state.shown < maps
          ? state.shown
          : mostChanged(one.before.data, one.after.data, maps);
      fillChoice(
        choice,
        pooling.map(({ before }) => before),
        one.before.id,
      );
      number.max = String(maps - 1);
      if (number !== document.activeElement || number.value === "")
        number.value = String(map);
      most.setAttribute("aria-pressed", String(state.shown === null));
      setText(
        title,
        `Map ${map} of ${one.before.title} in ${all[at].before.model.title}, before and after`,
      );
      const [before, after] = [all[at].before, all[at].after].map(
        ({ trace }) => /** @type {any} */ (trace), // it was asked for what the form needs
      );
      const windows = [one.before, one.after].map(({ data }) => {
        const size = data.length / maps;
        return data.subarray(map * size, (map + 1) * size);
      });
      const window =
        state.window !== null && state.window < windows[0].length
          ? state.window
          : mostChanged(windows[0], windows[1], windows[0].length);
      draw(before, after, one.before.id, map, window);
    },
  };
}

/**
 * @param {HTMLSelectElement} choice
 * @param {readonly LayerUnits[]} layers
 * @param {string} chosen
 */
function fillChoice(choice, layers, chosen) {
  if (choice.options.length !== layers.length)
    choice.replaceChildren(...layers.map(({ id, title }) => new Option(title, id)));
  choice.value = chosen;
}

/**
 * Which of equal parts, such as maps, changes most, all its values together.
 * @param {Float32Array} before
 * @param {Float32Array} after
 * @param {number} parts
 * @returns {number} the one with the highest values where nothing changes
 */
export function mostChanged(before, after, parts) {
  const differences = differenceOf(after, before);
  const values = reach(differences) > 0 ? differences : before;
  const size = values.length / parts;
  const sums = Array.from({ length: parts }, (_, part) =>
    values
      .subarray(part * size, (part + 1) * size)
      .reduce((sum, value) => sum + Math.abs(value), 0),
  );
  return largestOf(sums);
}
