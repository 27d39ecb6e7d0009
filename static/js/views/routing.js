/**
 * Routing by agreement: the pictures that share one selection, and their controls.
 * @import { AppState } from "../types.js"
 * @import { Actions } from "../state.js"
 * @import { Store } from "../store.js"
 */
import { mountCapsule } from "./routing-capsule.js";
import { mountControls } from "./routing-controls.js";
import { mountCurves } from "./routing-curves.js";
import { mountFlow } from "./routing-flow.js";
import { mountMatrix } from "./routing-matrix.js";
import { mountPlay } from "./routing-play.js";
import { mountStory } from "./routing-story.js";
import { mountTables } from "./routing-tables.js";
import { mountVotes } from "./routing-votes.js";
import { mountWhere } from "./routing-where.js";
import { mountSurgery } from "./surgery.js";

/**
 * @param {HTMLElement} root
 * @param {Store<AppState>} store
 * @param {Actions} actions
 */
export function mountRouting(root, store, actions) {
  mountControls(root, store, actions);
  mountPlay(root, store, actions);
  mountStory(root, store);
  mountFlow(root, store, actions);
  mountMatrix(root, store, actions);
  mountCurves(root, store, actions);
  mountWhere(root, store, actions);
  mountVotes(root, store, actions);
  mountCapsule(root, store, actions);
  mountSurgery(root, store, actions);
  mountTables(root, store);
}
