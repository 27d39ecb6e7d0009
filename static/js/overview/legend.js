/**
 * What widths, colours and marks of the picture mean.
 * @import { Flows } from "./flows.js"
 * @import { Layout } from "./layout.js"
 * @import { PictureKind } from "./pictured.js"
 * @import { Column, Scene } from "./types.js"
 * @import { Content } from "../ui/h.js"
 */
import { cssColor } from "../lib/color.js";
import { fixed } from "../lib/format.js";
import { h } from "../ui/h.js";
import { round } from "./layout.js";
import { ownColor } from "./owners.js";
import { movedColor, scaleOf } from "./shades.js";

const HIGH = 18; // px of a mark
const RAMP = { width: 64, steps: 32 };

/**
 * @param {Scene} scene @param {Flows | null} flows @param {Layout} layout
 * @param {readonly number[]} owners two classes that have colours of their own, or none
 * @returns {Content}
 */
export function legend(scene, flows, layout, owners) {
  const scales = scalesOf(scene.columns);
  if (flows === null) return scales;
  const { river } = /** @type {Flows["levels"][number]} */ (flows.levels.at(-1));
  const [{ column }] = flows.levels;
  const wide = river.unit * layout.scale;
  const high = Math.max(1, Math.min(HIGH, round(wide)));
  const amount =
    wide > HIGH ? Number((HIGH / layout.scale).toPrecision(1)) : river.unit;
  const shown = wide > HIGH ? round(amount * layout.scale) : high;
  return [
    item(
      24,
      h("rect", { fill: "var(--even)", y: 10 - shown / 2, width: 24, height: shown }),
      river.adds(amount),
    ),
    owners.map((each) =>
      item(
        24,
        h("rect", { fill: ownColor(owners, each), y: 5, width: 24, height: 10 }),
        `for ${scene.names[each]}`,
      ),
    ),
    scene.steps > 1 &&
      owners.length === 0 &&
      item(
        RAMP.width,
        [
          ramp((share) => movedColor((2 * share - 1) ** 2 * Math.sign(2 * share - 1))),
          h("path", { class: "overview-flow is-lost", d: `M0 17h${RAMP.width / 2}` }),
        ],
        `change since iteration 1, −${river.unit} to +${river.unit}`,
      ),
    scales,
    river.isSigned &&
      item(
        6,
        h("rect", { class: "overview-less", x: 1, y: 3.5, width: 3, height: 13 }),
        "taken away again",
      ),
    item(
      15,
      h("rect", { class: "overview-window", x: 1, y: 4, width: 12, height: 12 }),
      sawWords(layout, column),
    ),
    piecesWords(layout),
  ];
}

/** Whether parts have pictures of a kind. @param {Layout} layout @param {PictureKind["of"]} kind */
const has = ({ pictures }, kind) => pictures?.shown.some(({ of }) => of === kind);

/** What windows mark; where parts have pictures of it, of these. @param {Layout} layout @param {Column} column */
function sawWords(layout, { cell }) {
  return has(layout, "saw")
    ? [h("b", {}, "saw"), ` what its strongest ${cell} sees`]
    : `what one ${cell} sees`;
}

/** What the other pictures at parts are. @param {Layout} layout */
function piecesWords(layout) {
  const told = /** @type {const} */ ({
    seeks: "what it answers to most",
    says: "its votes alone, decoded",
  });
  return /** @type {const} */ (["seeks", "says"])
    .filter((of) => has(layout, of))
    .map((of) => h("li", {}, h("span", {}, h("b", {}, of), ` ${told[of]}`)));
}

/** What the colours of tiles stand for: one mark for columns of the same. @param {readonly Column[]} columns */
function scalesOf(columns) {
  const names = [...new Set(columns.map(nameOf))];
  return names.map((name) => {
    const own = columns.filter((column) => nameOf(column) === name);
    const [{ isSigned = false }] = own;
    const scale = scaleOf({ most: 1, isSigned });
    return item(
      RAMP.width,
      ramp((share) => cssColor(scale, isSigned ? 2 * share - 1 : share)),
      range(own),
    );
  });
}

/** @param {Column} column */
const nameOf = ({ value, isSigned }) => `${value} ${isSigned ? "signed" : ""}`;

/** The values that the colours of columns stand for. @param {readonly Column[]} columns */
function range(columns) {
  const [{ value, most, isSigned }] = columns;
  const isSame = columns.every((each) => each.most === most);
  if (isSigned)
    return isSame
      ? `${value}, −${fixed(most, 2)} to +${fixed(most, 2)}`
      : `${value}, below zero to above`;
  const end = most === 1 ? "1" : fixed(most, 2);
  return `${value}, 0 to ${isSame ? end : "each layer’s highest"}`;
}

/** @param {number} width of the mark @param {Content} mark @param {Content} text */
function item(width, mark, text) {
  const box = { width, height: 20, viewBox: `0 0 ${width} 20`, "aria-hidden": "true" };
  return h("li", {}, h("svg", box, mark), h("span", {}, text));
}

/** @param {(share: number) => string} colorAt */
function ramp(colorAt) {
  const step = RAMP.width / RAMP.steps;
  return Array.from({ length: RAMP.steps }, (_, at) =>
    h("rect", {
      x: at * step,
      y: 5,
      width: step + 0.3,
      height: 10,
      fill: colorAt((at + 0.5) / RAMP.steps),
    }),
  );
}
