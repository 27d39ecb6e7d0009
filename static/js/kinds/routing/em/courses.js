/**
 * Activations, shares of the votes, distances to the mean, and how undecided the capsules
 * below are, over the iterations.
 * @import { Panel } from "../../../ui/panel.js"
 * @import { Values } from "../../../ui/values.js"
 * @import { EmRoom, EmScene } from "./types.js"
 */
import { presence, ticksTo } from "../../../lib/decimals.js";
import { fixed, percent } from "../../../lib/format.js";
import { COURSES, coursesIn, focusLast, SHARES } from "../curves.js";

/** @type {Panel<EmScene, EmScene, EmRoom>} */
export const courses = {
  ...COURSES,
  picture: (scene, { store }) =>
    coursesIn(scene, chartsOf(scene), (step) => store.set({ step })),
  words: [
    "The capsules out of focus are faint. Votes: its share of all votes, whatever their capsules’ activations. Distance: ‖V − μ‖, weighted by R·a. Undecided: the mean entropy of R, as a share of its maximum: 100 % when assignments are even.",
  ],
  table: { title: "Tables: all iterations", of: valuesOf },
};

/** @param {EmScene} scene */
function chartsOf({ course, parent, step, name }) {
  const distances = course
    .distances()
    .map((values) => values.map((value) => value || 0));
  const [activations, shares] = [course.activations(), course.shares()];
  const undecided = course.undecided();
  const distance = course.distances()[parent][step];
  return [
    {
      name: "activation",
      title: `Activation of ${name}`,
      value: presence(activations[parent][step]),
      lines: focusLast(activations, parent),
      ticks: SHARES,
    },
    {
      name: "share",
      title: `Votes of ${name}`,
      value: percent(shares[parent][step], 1),
      lines: focusLast(shares, parent),
      ticks: ticksTo(Math.max(...shares.flat()), 2),
    },
    {
      name: "distance",
      title: `Distance of votes from ${name}`,
      value: Number.isNaN(distance) ? "–" : fixed(distance, 2),
      lines: focusLast(distances, parent),
      ticks: ticksTo(Math.max(...distances.flat()) || 1, 2),
    },
    {
      name: "undecided",
      title: "Undecided",
      value: percent(undecided[step], 1),
      lines: [{ values: undecided, look: "is-set-off" }],
      ticks: SHARES,
    },
  ];
}

/** @param {EmScene} scene @returns {Values[]} */
function valuesOf({ routed, course }) {
  const figures = /** @type {const} */ ([
    ["Activation", course.activations()],
    ["Cost", course.costs()],
    ["Share of the votes", course.shares()],
    ["Mean distance of the votes to the mean, weighted by R·a", course.distances()],
  ]);
  return figures.map(([caption, all]) => ({
    caption,
    of: routed.isToClasses ? "class" : "type",
    names: routed.names,
    columns: all[0].map((_, step) => [
      `iteration ${step + 1}`,
      all.map((values) => values[step]),
    ]),
  }));
}
