/**
 * For which capsule above the vote is shown: its type, and the positions that see the
 * chosen capsule.
 * @import { Above, MatrixModel, MatrixSizes, Place } from "../types.js"
 */
import { memoize } from "../../../lib/memoize.js";
import { listenToChoices, pressChoice } from "../../../ui/controls.js";
import { findElement } from "../../../ui/dom.js";
import { gridOf, positionsAbove } from "../places.js";

/**
 * @param {HTMLElement} root
 * @param {Above} above
 * @param {(to: Place) => void} choose
 */
export function mountAbove(root, above, choose) {
  const types = findElement(root, "[data-above-types]");
  const positions = findElement(root, "[data-above-positions]");
  /** @type {Place} */
  let to = { type: 0, row: 0, column: 0 };

  const offerTypes = memoize((/** @type {MatrixModel} */ model) => {
    const { types: count } = gridOf(model.card.config, above);
    const names = Array.from({ length: count }, (_, type) =>
      above === "classes" ? model.class_names[type] : String(type),
    );
    fill(
      types,
      names,
      names.map((_, type) => String(type)),
    );
    listenToChoices(types, (value) => choose({ ...to, type: Number(value) }));
  });
  const offerPositions = memoize(
    (
      /** @type {MatrixSizes} */ sizes,
      /** @type {number} */ row,
      /** @type {number} */ column,
    ) => {
      const seeing = positionsAbove(sizes, above, { row, column }).map(
        (each) => `${each.row},${each.column}`,
      );
      fill(positions, seeing, seeing);
      listenToChoices(positions, (value) => {
        const [y, x] = value.split(",").map(Number);
        choose({ ...to, row: y, column: x });
      });
    },
  );

  return {
    /**
     * @param {MatrixModel} model
     * @param {Place} from
     * @param {Place} toNow
     */
    show(model, from, toNow) {
      to = toNow;
      offerTypes(model);
      offerPositions(model.card.config, from.row, from.column);
      positions.hidden = above === "classes";
      pressChoice(types, String(to.type));
      pressChoice(positions, `${to.row},${to.column}`);
    },
  };
}

/**
 * @param {HTMLElement} group its first child names it
 * @param {readonly string[]} texts
 * @param {readonly string[]} values
 */
function fill(group, texts, values) {
  const [name] = group.children;
  group.replaceChildren(
    name,
    ...texts.map((text, i) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = text;
      button.dataset.value = values[i];
      return button;
    }),
  );
}
