/**
 * Experiments that teach something, worked out for the image on show.
 * @import { Experiment, Intact } from "../types.js"
 */
import { ranked } from "../../../lib/arithmetic.js";
import { givingTo, NO_SURGERY, silencing } from "../surgery/changes.js";

/** So many capsules speak for much of a class. */
const FEW = 4;

/** @param {Intact} intact @returns {Experiment[]} */
export function experiments({ shares, name, capsule, rival }) {
  const capsules = ranked(shares);
  const half = Math.ceil(capsules.length / 2);
  return [
    {
      name: "Ignore attention",
      question: "Every share is even, the prior stays. What does attention add?",
      surgery: { ...NO_SURGERY, routing: "uniform" },
    },
    {
      name: `Silence capsule ${capsules[0]}`,
      question: `In the intact run it gives the most to ${name}. Does ${name} need it?`,
      surgery: silencing(capsules.slice(0, 1)),
    },
    {
      name: `Keep only the ${FEW} strongest`,
      question: `How many capsules does ${name} need?`,
      surgery: silencing(capsules.slice(FEW)),
    },
    {
      name: "Silence the stronger half",
      question: `Those that give the most to ${name}. What do the others see?`,
      surgery: silencing(capsules.slice(0, half)),
    },
    {
      name: "Silence the weaker half",
      question: `Those that give the least to ${name}. Do they matter?`,
      surgery: silencing(capsules.slice(half)),
    },
    givingTo(rival, capsule),
  ];
}
