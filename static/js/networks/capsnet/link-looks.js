/**
 * What a link says of how layers are looked at: Conv1, and what lies beneath a capsule; and
 * the kernel of one's own.
 * @import { CapsSlice } from "./types.js"
 */
import { packKernel, unpackKernel } from "../../convolution/kernel/code.js";
import { BENEATH_SWITCHES, LAYER_SWITCHES } from "../../convolution/look.js";
import { readSwitches, writeSwitches } from "../../lib/links.js";
import { LOOKS } from "./state.js";

/** @typedef {Pick<CapsSlice, "conv1" | "beneath" | "kernel">} LinkedLooks */

/**
 * @param {URLSearchParams} link what differs from the start is added to it
 * @param {LinkedLooks} state
 */
export function writeLooks(link, { conv1, beneath, kernel }) {
  writeSwitches(link, LAYER_SWITCHES, conv1, LOOKS.conv1);
  writeSwitches(link, BENEATH_SWITCHES, beneath, LOOKS.beneath);
  const code = packKernel(kernel);
  if (code !== packKernel(LOOKS.kernel)) link.set("kernel", code);
}

/**
 * @param {URLSearchParams} link
 * @returns {LinkedLooks}
 */
export function readLooks(link) {
  const { conv1, beneath, kernel } = LOOKS;
  return {
    conv1: readSwitches(link, LAYER_SWITCHES, conv1),
    beneath: readSwitches(link, BENEATH_SWITCHES, beneath),
    kernel: unpackKernel(link.get("kernel") ?? "") ?? kernel,
  };
}
