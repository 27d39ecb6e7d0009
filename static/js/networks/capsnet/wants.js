/**
 * Tensors that come only while something is looked at.
 * @import { NetworkState } from "../../types.js"
 * @import { CapsNet } from "./types.js"
 */
import { focusedDigit } from "../../core/state.js";

/**
 * The votes that come with every image: those that are pictured, while their picture is
 * on the screen.
 * @param {Pick<NetworkState<CapsNet>, "view" | "trace" | "digit" | "seesVotes">} state
 * @returns {string[]}
 */
export function votesWanted(state) {
  return state.view === "routing" && state.seesVotes ? votesPictured(state) : [];
}

/**
 * The votes for the digit in focus: ten times as many would come for all digits.
 * @param {Pick<NetworkState<CapsNet>, "trace" | "digit">} state
 * @returns {string[]}
 */
export function votesPictured(state) {
  const digit = focusedDigit(state);
  return digit === null ? [] : [`votes.${digit}`];
}

/** What the maps below the chosen capsule of a parse tree are drawn from. */
export const FEEDING = /** @type {const} */ (["conv1.relu", "primary.pre"]);

/**
 * The layers below the capsules, while the parse trees are on the screen.
 * @param {Pick<NetworkState<CapsNet>, "seesTree">} state
 * @returns {readonly string[]}
 */
export function feedingWanted({ seesTree }) {
  return seesTree ? FEEDING : [];
}
