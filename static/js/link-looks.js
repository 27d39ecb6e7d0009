/**
 * What a link says of how layers are looked at: Conv1, what lies beneath a capsule, and
 * routing; and the kernel of one's own.
 * @import { AppState } from "./types.js"
 */
import { packKernel, unpackKernel } from "./lib/kernel-code.js";
import { initialState } from "./state.js";

/** @typedef {Pick<AppState, "conv1" | "beneath" | "routed" | "kernel">} LinkedLooks */

/**
 * Switches: what each is called in a link, and what it can say.
 * @typedef {Readonly<Record<string, { name: string, values: readonly string[] }>>} Switches
 */

/** @type {Switches} */
const CONV1 = {
  shown: { name: "maps", values: ["kernels", "pre", "relu", "own"] },
  order: { name: "order", values: ["number", "energy"] },
  scale: { name: "scale", values: ["layer", "tile"] },
};

/** @type {Switches} */
const BENEATH = {
  shown: { name: "beneath", values: ["window", "weights", "products"] },
  order: { name: "sorted", values: ["number", "share"] },
};

/** @type {Switches} */
const ROUTED = {
  flow: { name: "flow", values: ["moved", "all"] },
  where: { name: "where", values: ["for", "rather"] },
  scale: { name: "where-scale", values: ["all", "own"] },
};

/**
 * @param {URLSearchParams} link what differs from the start is added to it
 * @param {LinkedLooks} state
 */
export function writeLooks(link, { conv1, beneath, routed, kernel }) {
  const start = initialState();
  writeSwitches(link, CONV1, { ...conv1 }, { ...start.conv1 });
  writeSwitches(link, BENEATH, { ...beneath }, { ...start.beneath });
  writeSwitches(link, ROUTED, { ...routed }, { ...start.routed });
  const code = packKernel(kernel);
  if (code !== packKernel(start.kernel)) link.set("kernel", code);
}

/**
 * @param {URLSearchParams} link
 * @returns {LinkedLooks}
 */
export function readLooks(link) {
  const { conv1, beneath, routed, kernel } = initialState();
  return {
    conv1: { ...conv1, ...readSwitches(link, CONV1) },
    beneath: { ...beneath, ...readSwitches(link, BENEATH) },
    routed: { ...routed, ...readSwitches(link, ROUTED) },
    kernel: unpackKernel(link.get("kernel") ?? "") ?? kernel,
  };
}

/**
 * @param {URLSearchParams} link
 * @param {Switches} switches
 * @param {Record<string, string>} look
 * @param {Record<string, string>} start
 */
function writeSwitches(link, switches, look, start) {
  for (const [key, { name }] of Object.entries(switches)) {
    if (look[key] !== start[key]) link.set(name, look[key]);
  }
}

/**
 * @param {URLSearchParams} link
 * @param {Switches} switches
 * @returns {Record<string, string>} those that the link sets
 */
function readSwitches(link, switches) {
  const said = Object.entries(switches).map(
    ([key, { name, values }]) => /** @type {const} */ ([key, link.get(name), values]),
  );
  return Object.fromEntries(
    said.flatMap(([key, value, values]) =>
      value !== null && values.includes(value) ? [[key, value]] : [],
    ),
  );
}
