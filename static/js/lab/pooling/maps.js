/**
 * One map of a pooling layer before and after the move, drawn by its network.
 * @import { LabStore, LayerUnits } from "../../types.js"
 * @import { Both } from "./index.js"
 * @import { PoolingSlice } from "./experiment.js"
 */
import { differenceOf } from "../../lib/difference.js";
import { largestOf, reach } from "../../lib/rank.js";
import { find, findElement } from "../../ui/find.js";
import { say } from "../../ui/say.js";

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
    store.set({ layer: choice.value, shown: null }),
  );
  number.addEventListener("input", () => {
    if (number.checkValidity() && number.value !== "")
      store.set({ shown: number.valueAsNumber });
  });
  most.addEventListener("click", () => store.set({ shown: null }));

  /** @param {Both} both */
  function drawerFor({ form, before }) {
    if (mounted !== null && mounted.form === form) return mounted.draw;
    const template = document.querySelector(
      `template[data-moving="${before.model.architecture}"]`,
    );
    if (!(template instanceof HTMLTemplateElement) || !form?.mountPicture) return null;
    holder.replaceChildren(document.importNode(template.content, true));
    const draw = form.mountPicture(holder, { hover: (words) => say(readout, words) });
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
          : mostChanged(one.before, one.after);
      fillChoice(
        choice,
        pooling.map(({ before }) => before),
        one.before.id,
      );
      number.max = String(maps - 1);
      if (number !== document.activeElement || number.value === "")
        number.value = String(map);
      most.setAttribute("aria-pressed", String(state.shown === null));
      say(
        title,
        `Map ${map} of ${one.before.title} in ${all[at].before.model.title}, before and after`,
      );
      const [before, after] = [all[at].before, all[at].after].map(
        ({ trace }) => /** @type {any} */ (trace), // it was asked for what the form needs
      );
      draw(before, after, one.before.id, map);
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
 * The map whose values change most, all together.
 * @param {LayerUnits} before
 * @param {LayerUnits} after
 * @returns {number} the one with the highest value where nothing changes
 */
export function mostChanged(before, after) {
  const differences = differenceOf(after.data, before.data);
  const values = reach(differences) > 0 ? differences : before.data;
  const maps = before.maps ?? 1;
  const size = values.length / maps;
  const sums = Array.from({ length: maps }, (_, map) =>
    values
      .subarray(map * size, (map + 1) * size)
      .reduce((sum, value) => sum + Math.abs(value), 0),
  );
  return largestOf(sums);
}
