/**
 * The picture as it came, with boxes around what looks like a digit, a frame to crop it
 * by, and its rotation.
 * @import { AppState, Box, Intake, Overrides } from "../../types.js"
 * @import { Store } from "../../core/store.js"
 */

import { percent } from "../../lib/format.js";
import { find, findElement, setText, svg } from "../../ui/dom.js";
import { isWhole, WHOLE } from "../crop.js";
import { cropFrame } from "./crop-frame.js";

const HIGHEST = 320; // CSS px; wide pictures are lower
const TINY = 100; // px; below, people want to see the pixels

/**
 * @param {HTMLElement} root
 * @param {Store<AppState>} store
 * @param {(more: Partial<Overrides>) => void} correct
 */
export function mountPicture(root, store, correct) {
  const frame = findElement(root, "[data-frame]");
  const picture = find(frame, "img", HTMLImageElement);
  const boxes = find(frame, "[data-boxes]", SVGSVGElement);
  const note = findElement(root, "[data-picture-note]");
  const cropWords = findElement(root, "[data-crop]");
  const whole = findElement(root, "[data-whole]");
  const rotate = find(root, "[data-rotate]", HTMLInputElement);
  const degrees = findElement(root, "[data-degrees]");

  const showCrop = cropFrame(frame, (box) =>
    correct({ crop: isWhole(box) ? null : box }),
  );

  store.watch(["intake", "view"], ({ intake, view }) => {
    if (intake === null || view !== "input") return;
    const [{ note: words, image }] = intake.steps;
    if (picture.src !== image) picture.src = image;
    setText(note, words);
    showBoxes(boxes, intake);
  });
  picture.addEventListener("load", () => {
    const shape = picture.naturalWidth / picture.naturalHeight;
    frame.style.aspectRatio = String(shape);
    picture.classList.toggle("is-tiny", picture.naturalHeight < TINY);
    frame.style.width = `min(100%, ${HIGHEST * shape}px)`;
  });

  store.watch(["overrides"], ({ overrides }) => {
    const { crop, rotate: turn } = overrides;
    showCrop(crop ?? WHOLE);
    setText(cropWords, wordsOf(crop ?? WHOLE));
    whole.setAttribute("aria-disabled", String(crop === null));
    rotate.value = String(turn);
    setText(degrees, `${turn}°`);
    degrees.classList.toggle("is-told", turn !== 0);
    rotate.setAttribute("aria-valuetext", turnWords(turn));
  });
  whole.addEventListener("click", () => {
    if (store.get().overrides.crop !== null) correct({ crop: null });
  });
  rotate.addEventListener("input", () => correct({ rotate: rotate.valueAsNumber }));
  for (const button of root.querySelectorAll("button[data-turn]"))
    button.addEventListener("click", () => {
      const quarter = Number(button.getAttribute("data-turn"));
      correct({ rotate: turned(store.get().overrides.rotate, quarter) });
    });
}

/**
 * @param {number} degrees
 * @param {number} more
 * @returns {number} in -180..180
 */
function turned(degrees, more) {
  const sum = degrees + more;
  return Math.abs(sum) > 180 ? sum - 360 * Math.sign(sum) : sum;
}

/** @param {number} turn */
function turnWords(turn) {
  if (turn === 0) return "not turned";
  return `${Math.abs(turn)} degrees ${turn > 0 ? "clockwise" : "anticlockwise"}`;
}

/** @param {Box} crop */
function wordsOf(crop) {
  if (isWhole(crop)) return "the whole picture";
  const [left, top, right, bottom] = crop;
  const across = `${percent(left, 0)} to ${percent(right, 0)} across`;
  return `${across}, ${percent(top, 0)} to ${percent(bottom, 0)} down`;
}

/**
 * Boxes around the digits, numbered where there are several.
 * @param {SVGSVGElement} boxes
 * @param {Intake} intake
 */
function showBoxes(boxes, { found, chosen }) {
  boxes.replaceChildren(
    ...found.map(({ box: [left, top, right, bottom] }, part) => {
      const place = { x: `${100 * left}%`, y: `${100 * top}%` };
      const size = {
        width: `${100 * (right - left)}%`,
        height: `${100 * (bottom - top)}%`,
      };
      const group = svg("g", { class: part === chosen ? "is-chosen" : "" });
      group.append(svg("rect", { ...place, ...size }));
      if (found.length > 1) group.append(svg("text", place, String(part + 1)));
      return group;
    }),
  );
}
