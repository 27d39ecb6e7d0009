/**
 * Tensors that come with every image only while something is looked at.
 * @import { NetworkState } from "../../types.js"
 * @import { CapsNet } from "./types.js"
 */
import { focusedDigit } from "../../core/state.js";

/**
 * The votes for the digit in focus, while their picture is on the screen: ten times as
 * many would come for all digits.
 * @param {Pick<NetworkState<CapsNet>, "view" | "trace" | "digit" | "seesVotes">} state
 * @returns {string[]}
 */
export function votesWanted(state) {
  const digit = focusedDigit(state);
  const isWanted = state.view === "routing" && state.seesVotes && digit !== null;
  return isWanted ? [`votes.${digit}`] : [];
}
