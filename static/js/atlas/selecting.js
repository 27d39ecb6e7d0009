/**
 * What selects test images: search, presets, a range, labels and the confusion matrix; with
 * the sentence that says what is selected.
 * @import { Model } from "../types.js"
 * @import { Selection } from "../lib/selections.js"
 * @import { Atlas } from "../lib/tested.js"
 * @import { Known } from "./known.js"
 */
import { fileName, grouped } from "../lib/format.js";
import {
  ALL,
  csvOf,
  isKnown,
  numbersText,
  packSelection,
  selectionWords,
  unpackSelection,
  VIEWS,
  withLabel,
} from "../lib/selections.js";
import { listenToChoices, pressChoice } from "../ui/controls.js";
import { download, find, findElement, make, setText } from "../ui/dom.js";
import { confusionTable, pairsTable } from "./confusion.js";
import { colorOf } from "./map.js";
import { searchWords, soughtIn } from "./search.js";

/**
 * @param {HTMLElement} root
 * @param {Known} known
 * @param {object} does
 * @param {(selection: Selection) => void} does.select
 * @param {(point: number) => void} does.choose a test image
 * @param {(from: string) => void} does.turnTo the network, or the moment, that reads
 *   differently
 */
export function mountSelecting(root, known, { select, choose, turnTo }) {
  const presets = findElement(root, "[data-presets]");
  const differing = find(root, "[data-differing]", HTMLSelectElement);
  const turning = find(root, "[data-turn-to]", HTMLButtonElement);
  const sides = findElement(root, "[data-sides]");
  const found = findElement(root, "[data-find-words]");
  const legend = findElement(root, "[data-legend]");
  const matrix = findElement(root, "[data-confusion]");
  const pairs = findElement(root, "[data-pairs-table]");
  /** @type {Atlas | null} */
  let inMatrix = null;
  /** @type {Atlas["views"]} */
  let inSides = null;

  /** @param {Atlas} atlas @param {Model} model */
  function showPresets(atlas, model) {
    const selection = known.selection();
    pressChoice(presets, packSelection(selection) || "all");
    for (const button of presets.querySelectorAll("button"))
      if (button.dataset.value?.startsWith("right/")) button.hidden = atlas.each === 1;
    for (const [kind, why] of /** @type {const} */ ([
      ["alone", "No other network was measured on these test images."],
      ["unlike", "No reconstructions of these test images were measured."],
    ])) {
      const button = find(presets, `[data-value="${kind}"]`, HTMLButtonElement);
      button.disabled = !isKnown(atlas, { kind });
      button.title = button.disabled ? why : "";
    }
    const moments = known.momentsBeside(model);
    differing.disabled = atlas.others.length + moments.length === 0;
    differing.replaceChildren(
      new Option("…", ""),
      ...atlas.others.map(({ id, title }) => new Option(title, id)),
      ...moments.map(
        ({ id, step }) => new Option(`itself after step ${grouped(step)}`, id),
      ),
    );
    differing.value = selection.kind === "differ" ? selection.from : "";
    turning.disabled = differing.value === "";
    setText(find(root, 'option[value="score"]', HTMLOptionElement), atlas.measure);
    showSides(atlas);
    find(root, 'option[value="error"]', HTMLOptionElement).disabled =
      atlas.errors === null;
  }

  /** Toys, and the sides from which they are seen. @param {Atlas} atlas */
  function showSides({ views }) {
    const selection = known.selection();
    sides.hidden = views === null;
    for (const select of sides.querySelectorAll("select")) {
      if (views !== null && inSides !== views) {
        const view = /** @type {typeof VIEWS[number]} */ (select.dataset.view);
        const place = VIEWS.indexOf(view);
        const values = Array.from(views).filter((_, k) => k % VIEWS.length === place);
        const there = [...new Set(values)].sort((a, b) => a - b).map(String);
        select.replaceChildren(
          new Option("any", ""),
          ...there.map((value) => new Option(value, value)),
        );
      }
      select.value =
        selection.kind === "view" && selection.of === select.dataset.view
          ? String(selection.value)
          : "";
    }
    inSides = views;
  }

  /** @param {Atlas} atlas */
  function showLegend({ names }) {
    const selection = known.selection();
    if (legend.dataset.names !== names.join("\n")) {
      legend.dataset.names = names.join("\n");
      legend.replaceChildren(
        ...names.map((name, label) => labelButton(name, label)),
        make("span", "nowrap", make("i", "is-ring"), "misread"),
      );
    }
    const labels = selection.kind === "label" ? selection.classes : [];
    legend.querySelectorAll("button").forEach((button, label) => {
      button.setAttribute("aria-pressed", String(labels.includes(label)));
    });
  }

  /** @param {string} name @param {number} label */
  function labelButton(name, label) {
    const color = make("i");
    color.style.background = colorOf(label);
    const button = make(
      "button",
      { type: "button", title: `Label ${name}` },
      color,
      name,
    );
    button.addEventListener("click", () => select(withLabel(known.selection(), label)));
    return button;
  }

  /** @param {Atlas} atlas */
  function showMatrix(atlas) {
    if (inMatrix !== atlas) {
      inMatrix = atlas;
      matrix.replaceChildren(confusionTable(atlas, select));
      const areTwo = atlas.each > 1;
      findElement(root, "[data-confusion-words]").hidden = !areTwo;
      findElement(root, "[data-pairs]").hidden = !areTwo;
      pairs.replaceChildren(...(areTwo ? [pairsTable(atlas, select)] : []));
    }
    const key = JSON.stringify(known.selection());
    for (const button of [matrix, pairs].flatMap((each) => [
      ...each.querySelectorAll("button"),
    ]))
      button.setAttribute("aria-pressed", String(button.dataset.selection === key));
  }

  differing.addEventListener("change", () => {
    const from = differing.value;
    select(from === "" ? ALL : { kind: "differ", from });
  });
  turning.addEventListener("click", () => turnTo(differing.value));
  sides.addEventListener("change", ({ target }) => {
    if (!(target instanceof HTMLSelectElement)) return;
    const text =
      target.value === "" ? "" : `view/${target.dataset.view}/${target.value}`;
    select(unpackSelection(text) ?? ALL);
  });
  listenToChoices(presets, (value) => select(unpackSelection(value) ?? ALL));
  find(root, "[data-range]", HTMLFormElement).addEventListener("submit", (event) => {
    event.preventDefault();
    const [low, high] = ["low", "high"].map((name) =>
      Number(find(root, `[data-${name}]`, HTMLInputElement).value),
    );
    const kind = find(root, "[data-measure]", HTMLSelectElement).value;
    select(/** @type {Selection} */ ({ kind, low, high }));
  });
  find(root, "[data-find]", HTMLFormElement).addEventListener("submit", (event) => {
    event.preventDefault();
    const { value } = find(root, "[data-sought]", HTMLInputElement);
    const atlas = known.atlas();
    if (atlas === null) return;
    const sought = soughtIn(atlas, value);
    if ("point" in sought) choose(sought.point);
    if ("selection" in sought) select(sought.selection);
    setText(found, "problem" in sought ? sought.problem : searchWords(atlas));
  });
  findElement(root, "[data-csv]").addEventListener("click", () => {
    const atlas = known.atlas();
    if (atlas === null) return;
    save(csvOf(atlas, known.images(), known.map().id), "csv", "text/csv");
  });
  findElement(root, "[data-list]").addEventListener("click", () =>
    save(numbersText(known.images()), "txt", "text/plain"),
  );
  /** @param {string} text @param {string} ending @param {string} type */
  function save(text, ending, type) {
    const title = known.atlas()?.title ?? "";
    const name = fileName([title, "atlas", known.selection().kind], ending);
    download(new Blob([text], { type }), name);
  }

  return {
    /** @param {Atlas} atlas @param {Model} model */
    show(atlas, model) {
      showPresets(atlas, model);
      showLegend(atlas);
      showMatrix(atlas);
      setText(
        findElement(root, "[data-sentence]"),
        selectionWords(atlas, known.selection(), known.images()),
      );
      setText(found, searchWords(atlas));
    },
  };
}
