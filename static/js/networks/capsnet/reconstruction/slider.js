/**
 * One number of a capsule as a slider: a tick where it was, a bar to where it is.
 * @import { EditRange } from "./range.js"
 */

/**
 * @typedef {object} Shown
 * @property {number} difference what the slider says
 * @property {EditRange} range what it spans
 * @property {number} own place of the network's value, in 0..1
 * @property {number} at place of the present value, in 0..1
 * @property {string} value
 * @property {string} moved by how much; empty when not at all
 * @property {readonly [string, string]} ends values at the slider's ends
 * @property {string} spoken the value in words
 */

/**
 * @param {object} options
 * @param {number} options.dimension 0 first; people see it from 1
 * @param {number} options.step
 */
export function poseSlider({ dimension, step }) {
  const name = String(dimension + 1);
  const id = `pose-${name}`;
  const input = document.createElement("input");
  input.type = "range";
  input.id = id;
  input.step = String(step);

  const unseen = span("unseen", "Dimension ");
  const label = document.createElement("label");
  label.className = "pose-name";
  label.htmlFor = id;
  label.append(unseen, name);

  const reset = document.createElement("button");
  reset.type = "button";
  reset.className = "pose-reset";
  reset.textContent = "↺";
  reset.title = `Reset dimension ${name}`;
  reset.setAttribute("aria-label", reset.title);

  const value = span("pose-value");
  const moved = span("pose-moved");
  const track = span("pose-track");
  track.append(span("pose-deviation"), span("pose-own"), input);
  const [low, high] = [span(), span()];
  const ends = span("pose-ends");
  ends.setAttribute("aria-hidden", "true");
  ends.append(low, high);

  const element = document.createElement("li");
  element.className = "pose-slider";
  element.append(label, value, moved, reset, track, ends);

  return {
    element,
    input,
    reset,
    /** @param {Shown} shown */
    show(shown) {
      const { difference, range } = shown;
      input.min = String(range.low);
      input.max = String(range.high);
      input.value = String(difference);
      input.setAttribute("aria-valuetext", shown.spoken);
      track.style.setProperty("--own", String(shown.own));
      track.style.setProperty("--from", String(Math.min(shown.own, shown.at)));
      track.style.setProperty("--reach", String(Math.abs(shown.at - shown.own)));
      value.textContent = shown.value;
      moved.textContent = shown.moved;
      [low.textContent, high.textContent] = shown.ends;
      reset.disabled = difference === 0;
      element.classList.toggle("is-edited", difference !== 0);
    },
  };
}

/** @param {string} [name] @param {string} [text] */
function span(name = "", text = "") {
  const made = document.createElement("span");
  made.className = name;
  made.textContent = text;
  return made;
}
