/**
 * Routing by agreement: the pictures that share one selection, and their controls.
 * @import { Services } from "../../../types.js"
 * @import { Actions, RoutingStore } from "../types.js"
 */
import { findElement } from "../../../ui/dom.js";
import { capsulePlace } from "../places.js";
import { mountPortrait } from "../portraits/index.js";
import { sizesOf } from "../state.js";
import { mountAgreement } from "./agreement/index.js";
import { mountCapsule } from "./capsule/index.js";
import { mountControls } from "./controls.js";
import { mountCurves } from "./curves.js";
import { mountFlow } from "./flow/index.js";
import { mountMatrix } from "./matrix.js";
import { mountPace } from "./pace.js";
import { scenesOf } from "./scene.js";
import { mountStory } from "./story.js";
import { mountSurgery } from "./surgery/index.js";
import { mountTables } from "./tables.js";
import { mountTree } from "./tree/index.js";
import { mountVotes } from "./votes/index.js";
import { mountWhere } from "./where/index.js";

/**
 * @param {HTMLElement} root
 * @param {RoutingStore} store
 * @param {Actions} actions
 * @param {Services} services
 */
export function mount(root, store, actions, { server }) {
  const scenes = scenesOf(store);
  mountControls(root, store, actions);
  mountPace(root, store, actions);
  mountStory(root, scenes, actions);
  mountAgreement(root, store, scenes, actions);
  mountFlow(root, scenes, actions);
  mountMatrix(root, scenes, actions);
  mountCurves(root, scenes, actions);
  mountTree(root, store, scenes, actions);
  mountWhere(root, store, scenes, actions);
  mountVotes(root, scenes, actions);
  mountCapsule(root, store, scenes, actions);
  const portrait = mountPortrait(findElement(root, "[data-portrait]"), server);
  store.watch(["portraits", "capsule", "model"], ({ portraits, capsule, model }) =>
    portrait.show(model, portraits, capsulePlace(sizesOf(model), capsule).type),
  );
  mountSurgery(root, store, actions);
  mountTables(root, scenes);
}
