/**
 * The view Compare: the kept image beside the one on show, their scores, and whatever the
 * chosen network compares besides.
 * @import { Actions, AppState, ComparedState, Model, Network, Source, Store, Trace } from "../types.js"
 * @import { Room } from "../core/rooms.js"
 */
import { comparedStore } from "../core/kept.js";
import { presentWords, SCORES, scoreWords } from "../core/scores.js";
import { focusedClass, knownLabels } from "../core/state.js";
import { oneTile } from "../geometry/tiles.js";
import { ink } from "../lib/color.js";
import { listed } from "../lib/format.js";
import { inkOf, samePixels } from "../lib/pixels.js";
import { find, findElement, setText } from "../ui/dom.js";
import { pictureTriple } from "../ui/pictures.js";
import { pairTable } from "../ui/tables.js";
import { comparedWords, NOTHING_KEPT, NOTHING_SHOWN, SAME_IMAGE } from "./words.js";

/** @typedef {ComparedState} Compared */

/**
 * @param {HTMLElement} root @param {Store<AppState>} store @param {Actions} actions
 * @param {(network: Network) => Room} roomOf
 */
export function mountCompare(root, store, actions, roomOf) {
  const body = findElement(root, "[data-compared]");
  const words = findElement(root, "[data-words]");
  const show = mountShared(root);
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

  /** @type {Set<Network>} */
  const mounted = new Set();
  store.watch(["network", "view"], ({ network, view }) => {
    if (network === null || view !== root.dataset.view || mounted.has(network)) return;
    mounted.add(network);
    void mountNetwork(network);
  });

  /** @param {Network} network */
  async function mountNetwork(network) {
    const compared = comparedStore(roomOf(network).store, network);
    compared.watch(["trace", "keptTrace", "kept", "source", "classIndex"], (state) => {
      setText(words, wordsOf(/** @type {Compared} */ (state)));
      show(/** @type {Compared} */ (state));
    });
    if (network.comparison === undefined) return;
    const { mount } = await network.comparison.load();
    const own = root.querySelector('[data-place="compared"]');
    if (own instanceof HTMLElement && store.get().network === network)
      mount(own, compared);
    else mounted.delete(network); // another was chosen meanwhile
  }

  store.watch(["trace", "keptTrace", "kept", "pixels", "network"], (state) => {
    const { trace, keptTrace, kept, pixels } = state;
    const isOld = trace?.pixels !== pixels || keptTrace?.pixels !== kept?.pixels;
    root.classList.toggle("is-old", isOld && kept !== null && pixels !== null);
  });
}

/** @param {Compared} state */
function wordsOf({ kept, keptTrace, trace, model }) {
  if (samePixels(kept.pixels, trace.pixels)) return SAME_IMAGE;
  return comparedWords(
    keptTrace.tensors[SCORES].data,
    trace.tensors[SCORES].data,
    model,
  );
}

/** What every network has: the images and their scores. @param {HTMLElement} root */
function mountShared(root) {
  const images = pictureTriple(findElement(root, "[data-images]"), "Image");
  const title = findElement(root, "[data-scores-title]");
  const place = findElement(root, "[data-scores]");
  /** @type {ReturnType<typeof pairTable> | null} */
  let table = null;
  let of = "";

  return (/** @type {Compared} */ state) => {
    const { model, trace, kept, keptTrace, source } = state;
    const { title: name } = scoreWords(model);
    setText(title, name);
    if (table === null || of !== name) {
      table = pairTable(place, { caption: name, of: "class" });
      of = name;
    }
    images.show(
      {
        kept: inkOf(kept.pixels),
        shown: inkOf(trace.pixels),
        layout: oneTile(kept.pixels),
        image: kept.pixels,
        scale: ink(),
        unit: "ink",
        decimals: 0,
        differenceReach: 1,
      },
      {
        kept: readingWords(model, keptTrace, kept.source),
        shown: readingWords(model, trace, source),
      },
    );
    const [before, after] = [keptTrace, trace].map(
      ({ tensors }) => tensors[SCORES].data,
    );
    const focused = focusedClass(state);
    table.show(
      model.class_names.map((/** @type {string} */ name, /** @type {number} */ j) => ({
        name,
        kept: before[j],
        shown: after[j],
        isFocused: j === focused,
      })),
      { reach: 1 },
    );
  };
}

/** @param {Model} model @param {Pick<Trace, "present">} trace @param {Source} source */
function readingWords(model, trace, source) {
  const labels = knownLabels(source, model)?.map((label) => model.class_names[label]);
  const labelled = labels
    ? `, ${labels.length > 1 ? "labels" : "label"} ${listed(labels)}`
    : "";
  return `read as ${presentWords(trace, model)}${labelled}`;
}
