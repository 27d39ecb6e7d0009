/**
 * Experiments that teach something, worked out for the image on show.
 * @import { Experiment, Intact } from "../types.js"
 */
import { ranked } from "../../../lib/arithmetic.js";
import { capsulesOfType, givingTo, NO_SURGERY, silencing } from "../surgery/changes.js";

/** So many types speak for most of a digit. */
const FEW = 5;

/** @param {Intact} intact @returns {Experiment[]} */
export function experiments(intact) {
  const { shares, lengths, rows, columns, name, capsule, rival } = intact;
  const cells = rows * columns;
  const types = ranked(shares);
  const capsules = ranked(lengths);
  const upper = (/** @type {number} */ i) => i % cells < Math.floor(rows / 2) * columns;
  return [
    {
      name: `Silence type ${types[0]}`,
      question: `In the intact run it gives the most to ${name}. Does ${name} need it?`,
      surgery: silencing(capsulesOfType(types[0], cells)),
    },
    {
      name: `Keep only the ${FEW} strongest types`,
      question: `How many types does ${name} need?`,
      surgery: silencing(
        types.slice(FEW).flatMap((type) => capsulesOfType(type, cells)),
      ),
    },
    {
      name: "No routing",
      question: "Every coupling stays even. What does agreement add?",
      surgery: { ...NO_SURGERY, routing: "uniform" },
    },
    {
      name: "Silence the quiet half",
      question: "The shorter half of all capsules. Do they matter?",
      surgery: silencing(capsules.slice(Math.ceil(capsules.length / 2))),
    },
    {
      name: "Silence the loud tenth",
      question: "The longest tenth of all capsules. Do they matter more?",
      surgery: silencing(capsules.slice(0, Math.round(capsules.length / 10))),
    },
    {
      name: "Silence the upper half",
      question:
        "All capsules in the upper half of the grid, as if the top were covered.",
      surgery: silencing(capsules.filter(upper)),
    },
    givingTo(rival, capsule),
  ];
}
