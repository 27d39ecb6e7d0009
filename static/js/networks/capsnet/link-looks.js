/**
 * What a link says of how layers are looked at: Conv1, what lies beneath a capsule, and
 * routing; and the kernel of one's own.
 * @import { Switches } from "../../lib/links.js"
 * @import { CapsSlice } from "./types.js"
 */
import { packKernel, unpackKernel } from "../../convolution/kernel/code.js";
import { BENEATH_SWITCHES, LAYER_SWITCHES } from "../../convolution/look.js";
import { readSwitches, writeSwitches } from "../../lib/links.js";
import { LOOKS } from "./state.js";

/** @typedef {Pick<CapsSlice, "conv1" | "beneath" | "routed" | "kernel">} LinkedLooks */

/** @type {Switches} */
const ROUTED = {
  flow: { name: "flow", values: ["moved", "all"] },
  where: { name: "where", values: ["for", "rather"] },
  scale: { name: "where-scale", values: ["all", "own"] },
  pace: { name: "pace", values: ["usual", "slow"] },
};

/**
 * @param {URLSearchParams} link what differs from the start is added to it
 * @param {LinkedLooks} state
 */
export function writeLooks(link, { conv1, beneath, routed, kernel }) {
  writeSwitches(link, LAYER_SWITCHES, conv1, LOOKS.conv1);
  writeSwitches(link, BENEATH_SWITCHES, beneath, LOOKS.beneath);
  writeSwitches(link, ROUTED, routed, LOOKS.routed);
  const code = packKernel(kernel);
  if (code !== packKernel(LOOKS.kernel)) link.set("kernel", code);
}

/**
 * @param {URLSearchParams} link
 * @returns {LinkedLooks}
 */
export function readLooks(link) {
  const { conv1, beneath, routed, kernel } = LOOKS;
  return {
    conv1: readSwitches(link, LAYER_SWITCHES, conv1),
    beneath: readSwitches(link, BENEATH_SWITCHES, beneath),
    routed: readSwitches(link, ROUTED, routed),
    kernel: unpackKernel(link.get("kernel") ?? "") ?? kernel,
  };
}
