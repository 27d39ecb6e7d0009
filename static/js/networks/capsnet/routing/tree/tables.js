/**
 * The parse trees in numbers: every capsule of either tree, each a button that chooses it;
 * and what Conv1's maps add to the chosen one.
 * @import { Actions } from "../../types.js"
 * @import { Fed } from "./fed.js"
 * @import { Part } from "./parts.js"
 * @import { Scene } from "../scene.js"
 * @import { DigitTree } from "./scene.js"
 */
import { fixed, percent } from "../../../../lib/format.js";
import { memoize } from "../../../../lib/memoize.js";
import { fillSumRows, termButton } from "../../../../ui/bars.js";
import { pressChoice } from "../../../../ui/controls.js";
import { find, findElement, setText } from "../../../../ui/dom.js";
import { capsulePlace } from "../../places.js";
import { sizesOf } from "../../state.js";
import { gridOf } from "../where/sums.js";
import { SHOWN } from "./fed.js";
import { AREA_NAMES, areaOf } from "./parts.js";
import { describeFed } from "./words.js";

/**
 * @param {HTMLElement} panel
 * @param {Actions} actions
 */
export function mountPartsTable(panel, actions) {
  const folder = find(panel, "[data-tree-numbers]", HTMLDetailsElement);
  const head = findElement(folder, "[data-tree-head]");
  const body = findElement(folder, "[data-tree-rows]");
  /** @type {{ scene: Scene, trees: [DigitTree, DigitTree] } | null} */
  let shown = null;

  const fill = memoize(
    (/** @type {DigitTree} */ own, /** @type {DigitTree} */ rival) => {
      if (shown === null) return;
      const { scene } = shown;
      head.replaceChildren(
        ...["capsule", "where", own.name, rival.name].map((name, i) => {
          const cell = document.createElement("th");
          cell.scope = "col";
          cell.textContent = i < 2 ? name : `gives to ${name}`;
          if (i >= 2) cell.colSpan = 2;
          return cell;
        }),
      );
      body.replaceChildren(
        ...rowsOf(own, rival).map(({ capsule, given }) => {
          const place = capsulePlace(sizesOf(scene.model), capsule);
          const row = document.createElement("tr");
          const name = document.createElement("th");
          name.scope = "row";
          name.append(
            termButton(
              `${place.type}: ${place.row}, ${place.column}`,
              capsule,
              actions.chooseCapsule,
            ),
          );
          row.append(name);
          row.insertCell().textContent = AREA_NAMES[areaOf(place, gridOf(scene))];
          for (const [i, part] of given.entries()) {
            const { whole } = [own, rival][i].tree;
            row.insertCell().textContent = part ? fixed(part.gives, 3) : "–";
            row.insertCell().textContent = part ? percent(part.gives / whole, 1) : "";
          }
          return row;
        }),
      );
    },
  );

  function draw() {
    if (shown === null || !folder.open) return;
    fill(...shown.trees);
    pressChoice(body, String(shown.scene.capsule));
  }
  folder.addEventListener("toggle", draw);
  return {
    /** @param {Scene} scene @param {[DigitTree, DigitTree]} trees */
    show(scene, trees) {
      shown = { scene, trees };
      draw();
    },
  };
}

/**
 * The capsules of either tree: first those of the digit in focus, largest first.
 * @param {Pick<DigitTree, "tree">} own
 * @param {Pick<DigitTree, "tree">} rival
 * @returns {{ capsule: number, given: (Part | undefined)[] }[]} what it gives to either, if
 *   it is in that tree
 */
export function rowsOf({ tree: own }, { tree: rival }) {
  const theirs = new Map(rival.parts.map((part) => [part.capsule, part]));
  const mine = own.parts.map((part) => ({
    capsule: part.capsule,
    given: [part, theirs.get(part.capsule)],
  }));
  const others = rival.parts
    .filter(({ isShared }) => !isShared)
    .map((part) => ({ capsule: part.capsule, given: [undefined, part] }));
  return [...mine, ...others];
}

/**
 * @param {HTMLElement} panel
 * @param {Actions} actions
 */
export function mountFedTable(panel, actions) {
  const root = findElement(panel, "[data-fed]");
  const title = findElement(root, "[data-fed-title]");
  const words = findElement(root, "[data-fed-words]");
  const table = find(root, "table", HTMLTableElement);
  const axis = findElement(table, "[data-fed-axis]");
  const body = findElement(table, "[data-fed-rows]");
  const check = findElement(root, "[data-fed-check]");

  const fill = memoize((/** @type {Fed} */ fed) => {
    fillSumRows(
      axis,
      body,
      [fed.sums],
      {
        term: (map) => termButton(`map ${map}`, map, actions.chooseMap),
        rest: (count) => `the other ${count} maps`,
        total: "‖s‖",
      },
      SHOWN,
    );
    setText(
      check,
      `Worked out on this page from Conv1’s maps: ${fixed(fed.sums.total, 3)}. The network’s trace says ${fixed(fed.length, 3)}; maps and capsules come in half precision.`,
    );
  });

  function empty() {
    setText(title, "What feeds the chosen capsule");
    setText(words, "Conv1’s maps are not here yet.");
    table.hidden = true;
    check.hidden = true;
  }
  empty();

  return {
    /**
     * @param {Scene["place"]} place of the chosen capsule
     * @param {Fed | null | "waiting"} fed
     * @param {number} map
     * @param {boolean} isSeen where nobody looks, parts are not asked for
     */
    show({ type, row, column }, fed, map, isSeen) {
      // While parts are on their way, what was shown last stays, dimmed. Where none are
      // on their way, it would stay for good.
      if (fed === "waiting" && !isSeen) empty();
      root.classList.toggle("is-old", fed === "waiting" && !table.hidden);
      if (fed === "waiting") return;
      setText(title, `What feeds type ${type}, row ${row}, column ${column}`);
      table.hidden = fed === null;
      check.hidden = fed === null;
      if (fed === null)
        return setText(words, "This capsule has no length: nothing feeds it.");
      setText(words, describeFed(fed));
      fill(fed);
      pressChoice(body, String(map));
    },
  };
}
