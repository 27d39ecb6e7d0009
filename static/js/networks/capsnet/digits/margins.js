/**
 * What training asked of the lengths (the margins of Sabour et al. 2017, eq. 4).
 * @import { CapsModel } from "../types.js"
 */

/** The paper's, for cards that record none. */
const PAPER = { present_margin: 0.9, absent_margin: 0.1 };

/**
 * @typedef {object} Margins
 * @property {number} present m+: a present class costs nothing above this length
 * @property {number} absent m-: an absent class costs nothing below this length
 */

/**
 * @param {Pick<CapsModel["card"], "loss">} card
 * @returns {Margins}
 */
export function marginsOf({ loss }) {
  const { present_margin, absent_margin } = { ...PAPER, ...loss };
  return { present: present_margin, absent: absent_margin };
}
