/**
 * How a picture became the input: its steps in a row, and what can be decided at each.
 * @import { AppState, Box, Intake, Overrides, Pixels, Source, Store } from "../types.js"
 */

import { INPUT } from "../core/state.js";
import { saidOf } from "../core/subject.js";
import { ink } from "../lib/color.js";
import { listed, percent } from "../lib/format.js";
import { AUTOMATIC, decided } from "../lib/overrides.js";
import { isColour } from "../lib/pixels.js";
import { paintHeatmap } from "../paint/heatmap.js";
import { listenToClicks } from "../ui/controls.js";
import { find, findElement, setAria, setText, writer } from "../ui/dom.js";
import { fill, h } from "../ui/h.js";
import { cropFrame, isWhole, WHOLE } from "./crop.js";
import { channelsIn, factsWords } from "./facts.js";
import { mountDigitsFound, mountSteps } from "./steps.js";

/** What the controls are called. @type {Record<keyof Overrides, string>} */
const NAMES = {
  invert: "Invert",
  threshold: "Ink from",
  crop: "Frame",
  rotate: "Turn",
  thickness: "Width",
  part: "Which digit",
};

/**
 * @param {HTMLElement} root @param {Store<AppState>} store
 * @param {(more: Partial<Overrides>) => void} correct
 */
export function mountIntake(root, store, correct) {
  const write = writer(root);
  const automatic = findElement(root, "[data-automatic]");

  store.watch(["intake", "source", "pixels", "view"], (state) => {
    const { intake, source, pixels, view } = state;
    findElement(root, "[data-reading]").hidden = intake === null;
    automatic.hidden = intake === null;
    write("intake-title", intake === null ? "What the network is given" : MADE);
    if (view === INPUT) showFacts(root, intake === null ? pixels : null);
    findElement(root, "[data-intake-note]").hidden = intake !== null;
    write("intake-note", intake === null ? originOf(source) : "");
  });
  store.watch(["overrides", "intake"], ({ overrides, intake }) => {
    const names = decided(overrides).map((name) => `“${NAMES[name]}”`);
    // Not disabled: that would take the focus from whoever has just pressed it.
    automatic.setAttribute("aria-disabled", String(names.length === 0));
    write("decided", intake === null ? "" : stateOf(names));
  });
  listenToClicks(root, {
    automatic() {
      if (decided(store.get().overrides).length > 0) correct(AUTOMATIC);
    },
    whole() {
      if (store.get().overrides.crop !== null) correct({ crop: null });
    },
  });

  mountPicture(root, store, correct);
  mountDigitsFound(root, store, correct);
  mountSteps(findElement(root, "[data-steps]"), store, correct);
}

const MADE = "How the picture became the input";

/** @param {HTMLElement} root @param {Pixels | null} pixels null: there is more to tell */
function showFacts(root, pixels) {
  const facts = findElement(root, "[data-given]");
  const container = findElement(root, "[data-channels]");
  facts.hidden = pixels === null;
  container.hidden = pixels === null || !isColour(pixels);
  if (pixels === null) return;
  setText(facts, factsWords(pixels));
  const channels = container.hidden ? [] : channelsIn(pixels);
  fill(
    container,
    channels.map(({ words }) =>
      h("figure", {}, [
        h("canvas", { role: "img", "aria-label": `The channel ${words}` }),
        h("figcaption", { class: "fine" }, words),
      ]),
    ),
  );
  container.querySelectorAll("canvas").forEach((canvas, channel) => {
    paintHeatmap(canvas, channels[channel].values, { ...pixels, scale: ink() });
  });
}

/** @param {string[]} names of what is decided */
function stateOf(names) {
  if (names.length === 0)
    return "Everything was found automatically. Correct what is wrong.";
  return `You set ${listed(names)}; the rest was found automatically.`;
}

const TRY = "Draw or upload a picture of your own to see how it gets here.";

/** @param {Source} source */
function originOf(source) {
  switch (source.kind) {
    case "sample":
      return `“${source.title}” was drawn for this project, in 28×28 pixels. ${TRY}`;
    case "dataset":
      return `Image ${source.index} of the test set did not have to be found in a picture. ${TRY}`;
    case "drawing":
      return source.on === undefined
        ? ""
        : "Your strokes were added to the unchanged image. Clear the drawing area and draw anew to see how a picture gets here.";
    case "pair":
      return `The two digits were laid over each other, and did not have to be found in a picture. ${TRY}`;
    case "toy":
      return `The toy was drawn for this project, and did not have to be found in a picture. ${TRY}`;
    case "link":
      return `The link contained this image, ready for the network. ${TRY}`;
    default:
      return "";
  }
}

const HIGHEST = 320; // CSS px; wide pictures are lower
const TINY = 100; // px; below, people want to see the pixels

/**
 * The picture as it came, with boxes around what looks like a digit, a frame to crop it
 * by, and its rotation.
 * @param {HTMLElement} root @param {Store<AppState>} store
 * @param {(more: Partial<Overrides>) => void} correct
 */
function mountPicture(root, store, correct) {
  const frame = findElement(root, "[data-frame]");
  const picture = find(frame, "img", HTMLImageElement);
  const rotate = find(root, "[data-rotate]", HTMLInputElement);
  const write = writer(root);

  const showCrop = cropFrame(frame, (box) =>
    correct({ crop: isWhole(box) ? null : box }),
  );

  store.watch(["intake", "view", "model"], ({ intake, view, model }) => {
    if (intake === null || model === null || view !== "input") return;
    const [{ note: words, image }] = intake.steps;
    if (picture.src !== image) picture.src = image;
    write("picture-note", saidOf(words, model));
    fill(find(frame, "[data-boxes]", SVGSVGElement), boxesOf(intake));
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
    write("crop", wordsOf(crop ?? WHOLE));
    setAria(findElement(root, "[data-whole]"), {
      "aria-disabled": String(crop === null),
    });
    rotate.value = String(turn);
    write("degrees", `${turn}°`);
    findElement(root, "[data-degrees]").classList.toggle("is-told", turn !== 0);
    setAria(rotate, { "aria-valuetext": turnWords(turn) });
  });
  rotate.addEventListener("input", () => correct({ rotate: rotate.valueAsNumber }));
  for (const button of root.querySelectorAll("button[data-turn]"))
    button.addEventListener("click", () => {
      const quarter = Number(button.getAttribute("data-turn"));
      correct({ rotate: turn(store.get().overrides.rotate, quarter) });
    });
}

/** @param {number} degrees @param {number} more @returns {number} in -180..180 */
function turn(degrees, more) {
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

/** Boxes around the digits, numbered where there are several. @param {Intake} intake */
function boxesOf({ found, parts }) {
  return found.map(({ box: [left, top, right, bottom] }, part) => {
    const percents = { x: left, y: top, width: right - left, height: bottom - top };
    const position = Object.fromEntries(
      Object.entries(percents).map(([name, share]) => [name, `${100 * share}%`]),
    );
    const { x, y } = position;
    return h(
      "g",
      { class: parts.includes(part) && "is-chosen" },
      h("rect", position),
      found.length > 1 && h("text", { x, y }, String(part + 1)),
    );
  });
}
