/**
 * Images to try: the project's own digits, and test sets where the server has any.
 * @import { AppState } from "../types.js"
 * @import { Actions } from "../core/state.js"
 * @import { Store } from "../core/store.js"
 * @import { Library } from "./test-images.js"
 */
import { sampleSource } from "../core/link.js";
import { findElement } from "../ui/dom.js";
import { mountTestImages } from "./test-images.js";
import { markShown, thumb } from "./thumb.js";

/**
 * @param {HTMLElement} root
 * @param {Store<AppState>} store
 * @param {Actions} actions
 * @param {Library} library
 */
export function mountToTry(root, store, actions, library) {
  const samples = findElement(root, "[data-samples]");
  store.watch(["samples"], (state) => {
    samples.replaceChildren(
      ...state.samples.map((sample) => {
        const source = sampleSource(sample);
        return thumb(sample.pixels, sample.title, source, actions);
      }),
    );
  });
  store.watch(["source", "samples"], ({ source }) => markShown(root, source));
  mountTestImages(root, store, actions, library);
}
