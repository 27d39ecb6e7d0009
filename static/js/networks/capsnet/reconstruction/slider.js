/**
 * One number of a capsule, or a way through all of them, as a slider: a tick where it
 * was, a bar to where it is.
 * @import { EditRange } from "./range.js"
 */

/** What an arrow key does: one step of this many to either side. @type {Record<string, number>} */
const KEYS = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1 };

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
 * @property {string} note what is known of it; empty when nothing is
 * @property {string} [noteTitle] the rest of that
 */

/**
 * @param {object} options
 * @param {string} options.id
 * @param {string} options.name
 * @param {string} options.kind what it is, for those who hear the name alone
 * @param {number} options.step
 */
export function poseSlider({ id, name, kind, step }) {
  const input = document.createElement("input");
  input.type = "range";
  input.id = id;
  input.step = String(step);

  const unseen = span("unseen", `${kind} `);
  const label = document.createElement("label");
  label.className = "pose-name";
  label.htmlFor = id;
  label.append(unseen, name);

  const reset = document.createElement("button");
  reset.type = "button";
  reset.className = "pose-reset";
  reset.textContent = "↺";
  reset.title = `Reset ${kind.toLowerCase()} ${name}`;
  reset.setAttribute("aria-label", reset.title);

  const value = span("pose-value");
  const moved = span("pose-moved");
  const track = span("pose-track");
  track.append(span("pose-deviation"), span("pose-own"), input);
  const [low, high] = [span(), span()];
  const ends = span("pose-ends");
  ends.setAttribute("aria-hidden", "true");
  ends.append(low, high);

  const note = span("pose-note");
  note.id = `${id}-note`;
  input.setAttribute("aria-describedby", note.id);

  const element = document.createElement("li");
  element.className = "pose-slider";
  element.append(label, value, moved, reset, note, track, ends);

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
      note.textContent = shown.note;
      note.title = shown.noteTitle ?? "";
      note.hidden = shown.note === "";
      reset.disabled = shown.at === shown.own;
      element.classList.toggle("is-edited", shown.at !== shown.own);
    },
  };
}

/**
 * Let a hand move a slider: drag, arrow keys, and back to where it was.
 * @param {ReturnType<typeof poseSlider>} slider
 * @param {object} options
 * @param {number} options.keyStep what an arrow key moves by
 * @param {(value: number) => void} options.move to a place on the slider
 * @param {() => void} options.back to the network's own
 */
export function listenToSlider({ input, reset }, { keyStep, move, back }) {
  input.addEventListener("input", () => move(input.valueAsNumber));
  input.addEventListener("dblclick", back);
  input.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "Delete" || event.key === "Backspace") back();
    else if (event.key in KEYS) move(input.valueAsNumber + KEYS[event.key] * keyStep);
    else return;
    event.preventDefault();
  });
  reset.addEventListener("click", () => {
    input.focus(); // the button is about to be disabled
    back();
  });
}

/** @param {string} [name] @param {string} [text] */
function span(name = "", text = "") {
  const made = document.createElement("span");
  made.className = name;
  made.textContent = text;
  return made;
}
