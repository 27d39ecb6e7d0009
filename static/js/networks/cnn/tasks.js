/**
 * When a task of the guide is done: rules that read the state and nothing else.
 * @import { NetworkState } from "../../types.js"
 * @import { Cnn } from "./types.js"
 */

/** @type {Record<string, (state: NetworkState<Cnn>) => boolean>} */
export const tasks = {
  /** The image has been moved where pooling is compared. */
  moved: ({ shift }) => shift.down !== 0 || shift.right !== 0,
};
