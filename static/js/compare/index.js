/**
 * The view Compare: the kept image beside the one on show, their scores, and whatever the
 * chosen network compares besides.
 * @import { Actions, AppState, ComparedState, Network, Store } from "../types.js"
 * @import { Room } from "../core/rooms.js"
 * @import { Watched } from "../ui/panel.js"
 */
import { comparedStore } from "../core/comparison.js";
import { SCORES } from "../core/scores.js";
import { samePixels } from "../lib/pixels.js";
import { find, findElement, make, setText } from "../ui/dom.js";
import { mountPanels } from "../ui/panel.js";
import { panels } from "./panels.js";
import { comparedWords, NOTHING_KEPT, NOTHING_SHOWN, SAME_IMAGE } from "./words.js";

const WATCHED = /** @type {const} */ ([
  ...["trace", "keptTrace", "kept", "source", "classIndex"],
]);

/**
 * @param {HTMLElement} root @param {Store<AppState>} store @param {Actions} actions
 * @param {(network: Network) => Room} roomOf
 */
export function mountCompare(root, store, actions, roomOf) {
  const body = findElement(root, "[data-compared]");
  const columns = findElement(body, "[data-networks]");
  const words = findElement(root, "[data-words]");
  find(root, "[data-swap]", HTMLButtonElement).addEventListener("click", () =>
    actions.swapKept(),
  );
  find(root, "[data-let-go]", HTMLButtonElement).addEventListener("click", () =>
    actions.letGo(),
  );

  store.watch(["kept", "pixels"], ({ kept, pixels }) => {
    body.hidden = kept === null || pixels === null;
    if (kept === null) setText(words, NOTHING_KEPT);
    else if (pixels === null) setText(words, NOTHING_SHOWN);
  });

  /** What is compared, by network. @type {Map<Network, HTMLElement>} */
  const contents = new Map();
  store.watch(["network", "view"], ({ network, view }) => {
    if (network === null || view !== root.dataset.view) return;
    const content = contents.get(network) ?? make("div", "compare-own");
    columns.replaceChildren(content);
    if (contents.has(network)) return;
    contents.set(network, content);
    void mountNetwork(network, content);
  });

  /** @param {Network} network @param {HTMLElement} content */
  async function mountNetwork(network, content) {
    const compared = comparedStore(roomOf(network).store, network);
    /** @type {Watched<ComparedState>} */
    const scenes = {
      watch: (draw) =>
        compared.watch(WATCHED, (state) => draw(/** @type {ComparedState} */ (state))),
    };
    scenes.watch((state) => setText(words, wordsOf(state)));
    content.append(...panels.map(slotOf));
    mountPanels(content, { scenes }, panels);
    for (const { panels, scenesOf } of (await network.comparison?.load()) ?? []) {
      content.append(...panels.map(slotOf));
      mountPanels(content, { scenes: scenesOf(compared) }, panels);
    }
  }

  store.watch(["trace", "keptTrace", "kept", "pixels", "network"], (state) => {
    const { trace, keptTrace, kept, pixels } = state;
    const isOld = trace?.pixels !== pixels || keptTrace?.pixels !== kept?.pixels;
    root.classList.toggle("is-old", isOld && kept !== null && pixels !== null);
  });
}

/** @param {{ id: string }} panel */
const slotOf = ({ id }) => make("slot", { name: id });

/** @param {ComparedState} state */
function wordsOf({ kept, keptTrace, trace, model }) {
  if (samePixels(kept.pixels, trace.pixels)) return SAME_IMAGE;
  return comparedWords(
    keptTrace.tensors[SCORES].data,
    trace.tensors[SCORES].data,
    model,
  );
}
