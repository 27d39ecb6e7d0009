/**
 * One number of the chosen capsule as a sum: the maps that add most, the rest, the bias.
 * @import { Actions } from "../state.js"
 * @import { Beneath } from "./primary-window.js"
 */
import { restOf } from "../lib/coming-out.js";
import { fixed, signed } from "../lib/number.js";
import { onChange } from "../lib/on-change.js";
import { ranked, reach } from "../lib/rank.js";
import { ticksTo } from "../lib/ticks.js";
import { findElement } from "../parts/find.js";
import { signedAxis, signedBar } from "../parts/signed-bars.js";

const SHOWN = 8;
const DECIMALS = 3;

/**
 * @param {HTMLElement} root
 * @param {Actions} actions
 */
export function mountShares(root, actions) {
  const axis = findElement(root, "[data-share-axis]");
  const body = findElement(root, "[data-share-rows]");
  const check = findElement(root, "[data-share-check]");

  const fill = onChange(
    (
      /** @type {Beneath} */ { parts, dimension },
      /** @type {number} */ chosen,
      /** @type {number} */ traced,
    ) => {
      const { shares, bias, total } = parts;
      const strongest = ranked(shares.map(Math.abs)).slice(0, SHOWN);
      const named = strongest.map((map) => shares[map]);
      const rest = restOf(total, [...named, bias], DECIMALS);
      const ticks = ticksTo(reach([...named, rest, bias, total]), 2);
      const end = ticks[ticks.length - 1];
      axis.replaceChildren(...signedAxis(ticks));
      body.replaceChildren(
        ...strongest.map((map) =>
          shareRow(mapButton(map, map === chosen, actions), shares[map], end),
        ),
        shareRow(`the other ${shares.length - strongest.length} maps`, rest, end),
        shareRow("bias", bias, end),
        shareRow(`number ${dimension + 1}`, total, end, "is-total"),
      );
      check.textContent = `Worked out on this page from Conv1's maps: ${fixed(total, 4)}. The network's trace says ${fixed(traced, 4)}; maps and capsules come in half precision.`;
    },
  );
  return { show: fill };
}

/**
 * @param {number} map
 * @param {boolean} isChosen
 * @param {Actions} actions
 */
function mapButton(map, isChosen, actions) {
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = `map ${map}`;
  button.setAttribute("aria-pressed", String(isChosen));
  button.addEventListener("click", () => actions.chooseMap(map));
  return button;
}

/**
 * @param {string | HTMLElement} name
 * @param {number} value
 * @param {number} end of the axis, on either side of zero
 * @param {string} [kind]
 */
function shareRow(name, value, end, kind = "") {
  const row = document.createElement("tr");
  row.className = kind;
  const head = document.createElement("th");
  head.scope = "row";
  head.append(name);
  row.append(head);
  const bars = row.insertCell();
  bars.className = "signed-bars";
  bars.append(signedBar("is-after", value / end));
  row.insertCell().textContent = signed(value, DECIMALS);
  return row;
}
