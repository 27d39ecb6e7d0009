/** The keys that all of the page shares, each said once: Help, buttons and their tips read it here. */

/**
 * @typedef {object} Shortcut
 * @property {string} keys as `aria-keyshortcuts` has them: a space between two that do the same
 * @property {string} does
 * @property {true} [isOfKind] told in Help where the network on show has what they act on
 */

export const SHORTCUTS = /** @satisfies {Record<string, Shortcut>} */ ({
  open: { keys: "1 2 …", does: "open a layer" },
  tab: { keys: "← →", does: "on the strip: the previous or next layer" },
  arrows: { keys: "↑ ↓ ← →", does: "on a picture: move the selection" },
  enter: {
    keys: "Enter",
    does: "in the Overview: open what has the focus, or choose a class",
  },
  silence: {
    keys: "S",
    does: "in the Overview, on a part, a ribbon or a class: silence what gives, or let it speak again",
  },
  hold: {
    keys: "H",
    does: "on a ribbon to a class: hold all couplings of what gives to that class, or let go",
  },
  even: {
    keys: "E",
    does: "on such a ribbon: hold the coupling at an even share, or let go",
  },
  pen: { keys: "Space", does: "on the drawing area: lower or lift the pen" },
  undo: {
    keys: "Control+Z",
    does: "take back the last step, whatever it was: a stroke, an image, a silenced part, a slider",
  },
  redo: { keys: "Control+Shift+Z Control+Y", does: "do that step again" },
  up: {
    keys: "Escape",
    does: "one level up: first to the class that the network chose, then in Explore to the Overview; or leave a presentation",
  },
  next: {
    keys: "Space",
    does: "in Routing: the next iteration, after the last the first",
    isOfKind: true,
  },
  step: {
    keys: ", .",
    does: "in Routing, and while presenting: the iteration before, or the next",
    isOfKind: true,
  },
  silenceHere: {
    keys: "X Shift+X",
    does: "on one capsule of Routing: silence it, or its whole type",
    isOfKind: true,
  },
  turn: {
    keys: "PageUp PageDown",
    does: "while presenting: the previous or next view",
  },
  image: {
    keys: "E Shift+E",
    does: "while presenting: the next example, or the one before",
  },
  help: { keys: "?", does: "this help" },
});

/** @type {Record<string, string>} */
const NAMES = {
  Control: "Ctrl",
  Escape: "Esc",
  PageUp: "Page ↑",
  PageDown: "Page ↓",
};

/** @param {Shortcut} shortcut @returns {string[][]} each way to press it: the names on its keys */
export const pressed = ({ keys }) =>
  keys.split(" ").map((way) => way.split("+").map((key) => NAMES[key] ?? key));

/** @param {Shortcut} shortcut @returns {string} such as "Ctrl+Z": the last way, which is the shortest */
export const spelled = (shortcut) => (pressed(shortcut).at(-1) ?? []).join("+");
