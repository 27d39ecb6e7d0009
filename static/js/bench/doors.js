/**
 * Ways from the bench: to the comparison with an image that is kept, and in the Lab and
 * the Atlas to the digit and back.
 * @import { Actions, AppState, Store } from "../types.js"
 */
import { ATLAS, COMPARE, LAB, TRAIN } from "../core/state.js";
import { samePixels } from "../lib/pixels.js";
import { paintPixels } from "../paint/heatmap.js";
import { listenToClicks } from "../ui/controls.js";
import { find, findCanvas, findElement, setText, writer } from "../ui/dom.js";
import { doubtsOf } from "./intake.js";

/**
 * The button that keeps an image to compare others with, and the way to the comparison.
 * @param {HTMLElement} root @param {Store<AppState>} store @param {Actions} actions
 */
export function mountComparison(root, store, actions) {
  const keep = find(root, "[data-keep]", HTMLButtonElement);
  const box = findElement(root, "[data-kept]");
  const canvas = findCanvas(box, "canvas");
  const write = writer(root);
  listenToClicks(root, {
    keep: () => actions.keepImage(),
    "open-comparison": () => actions.openView(COMPARE),
    "let-go"() {
      actions.letGo();
      keep.focus(); // the button that had it is gone
    },
  });

  store.watch(["kept"], ({ kept }) => {
    box.hidden = kept === null;
    if (kept !== null) paintPixels(canvas, kept.pixels);
  });
  store.watch(["kept", "pixels"], ({ kept, pixels }) => {
    const isSame = kept !== null && pixels !== null && samePixels(kept.pixels, pixels);
    keep.disabled = pixels === null || isSame;
    write("kept-name", isSame ? "Kept" : "Compare");
    write("kept-words", isSame ? "Kept. Now draw or choose another image." : "");
  });
}

/** @type {Partial<Record<AppState["mode"], string>>} */
const BACK = {
  [ATLAS]: "Back to the atlas",
  [LAB]: "Back to the experiment",
  [TRAIN]: "Back to the training",
};

/**
 * On a narrow window, the way to the image: a button that shows it, and unfolds the bench, so
 * that what the mode shows begins on the first screen.
 * @param {HTMLElement} door a button
 * @param {HTMLElement} bench @param {Store<AppState>} store
 */
export function mountDoor(door, bench, store) {
  const canvas = findCanvas(door, "canvas");
  let isOpen = false;
  let hadImage = false;
  let hadDoubts = false;

  function show() {
    const { mode } = store.get();
    const back = BACK[mode] ?? "Fold the drawing area away";
    const isFolded = !isOpen;
    bench.classList.toggle("is-folded", isFolded);
    door.setAttribute("aria-expanded", String(!isFolded));
    setText(
      findElement(door, "[data-words]"),
      isFolded ? "Draw or choose another image" : back,
    );
  }
  door.addEventListener("click", () => {
    isOpen = !isOpen;
    show();
    // What is drawn and what is read of it share the screen.
    if (isOpen) door.scrollIntoView({ block: "start" });
  });
  store.watch(["mode"], show);
  // What is doubted of a picture is said beside the drawing area.
  store.watch(["intake", "overrides"], ({ intake, overrides }) => {
    const hasDoubts = doubtsOf(intake, overrides).length > 0;
    if (hasDoubts && !hadDoubts) isOpen = true;
    hadDoubts = hasDoubts;
    show();
  });
  store.watch(["pixels"], ({ pixels }) => {
    if (pixels === null && hadImage) isOpen = true; // where the next one is drawn
    hadImage ||= pixels !== null;
    show();
    if (pixels === null)
      canvas.width = canvas.height; // as clear as the drawing area
    else paintPixels(canvas, pixels);
  });
}
