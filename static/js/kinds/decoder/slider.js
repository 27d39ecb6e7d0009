/**
 * A slider for one number of a pose: a tick where the network put it, a bar to where it is.
 * @import { EditRange } from "./pose.js"
 */
import { hasModifier } from "../../ui/controls.js";
import { make } from "../../ui/dom.js";
import { EDIT_STEP } from "./pose.js";

/** What an arrow key moves by. */
const KEY_STEP = 0.01;

/** What an arrow key does: one step of this many to either side. @type {Record<string, number>} */
const KEYS = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 };

/**
 * @typedef {object} Shown
 * @property {number} difference what the slider says
 * @property {EditRange} range what it spans
 * @property {number} origin place of the network's value, in 0..1
 * @property {number} at place of the present value, in 0..1
 * @property {string} value
 * @property {string} moved by how much; empty when not at all
 * @property {readonly [string, string]} ends values at the slider's ends
 * @property {string} spoken the value in words
 * @property {string} note what is known of it; empty when nothing is
 * @property {string} [noteTitle] the rest of that
 */

/** @typedef {ReturnType<typeof poseSlider>} PoseSlider */

/**
 * Drag, arrow keys, and back to where it was.
 * @param {object} options
 * @param {string} options.id
 * @param {string} options.name
 * @param {string} options.kind what it is, for those who hear the name alone
 * @param {(value: number) => void} options.move to a place on the slider
 * @param {() => void} options.back to the network's own
 */
export function poseSlider({ id, name, kind, move, back }) {
  const input = make("input", { type: "range", step: String(EDIT_STEP), id });
  const label = make("label", "pose-name", make("span", "unseen", `${kind} `), name);
  label.htmlFor = id;
  const title = `Reset ${kind.toLowerCase()} ${name}`;
  const reset = make(
    "button",
    { class: "pose-reset", title, "aria-label": title },
    "↺",
  );

  const value = make("span", "pose-value");
  const moved = make("span", "pose-moved");
  const [origin, deviation] = [
    make("span", "pose-own"),
    make("span", "pose-deviation"),
  ];
  const track = make("span", "pose-track", deviation, origin, input);
  const [low, high] = [make("span"), make("span")];
  const ends = make("span", { class: "pose-ends", "aria-hidden": "true" }, low, high);

  const note = make("span", { class: "pose-note", id: `${id}-note` });
  input.setAttribute("aria-describedby", note.id);
  const parts = [label, value, moved, reset, note, track, ends];
  const element = make("li", "pose-slider", ...parts);

  input.addEventListener("input", () => move(input.valueAsNumber));
  input.addEventListener("dblclick", back);
  input.addEventListener("keydown", (event) => {
    if (hasModifier(event)) return;
    if (event.key === "Delete" || event.key === "Backspace") back();
    else if (event.key in KEYS) move(input.valueAsNumber + KEYS[event.key] * KEY_STEP);
    else return;
    event.preventDefault();
  });
  reset.addEventListener("click", () => {
    input.focus(); // the button is about to be disabled
    back();
  });

  return {
    element,
    /** @param {Shown} state */
    show(state) {
      input.min = String(state.range.low);
      input.max = String(state.range.high);
      input.value = String(state.difference);
      input.setAttribute("aria-valuetext", state.spoken);
      value.textContent = state.value;
      moved.textContent = state.moved;
      note.textContent = state.note;
      note.title = state.noteTitle ?? "";
      note.hidden = state.note === "";
      element.classList.toggle("is-edited", state.at !== state.origin);
      track.style.setProperty("--own", String(state.origin));
      track.style.setProperty("--from", String(Math.min(state.origin, state.at)));
      track.style.setProperty("--reach", String(Math.abs(state.at - state.origin)));
      [low.textContent, high.textContent] = state.ends;
      reset.disabled = state.at === state.origin;
    },
  };
}
