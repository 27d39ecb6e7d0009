/**
 * What stands in a network's row: the scores of both digits over the shift, the share of ink
 * given right, and what both capsules draw where the second digit lies now.
 * @import { Claims } from "./ink.js"
 * @import { Sweep } from "../shared/ask.js"
 * @import { Knob } from "../shared/knobs.js"
 * @import { Measurement, Model, Pixels } from "../../types.js"
 */
import { scoreWords } from "../../core/scores.js";
import { painted } from "../../draw/picture.js";
import { fixed, grouped } from "../../lib/format.js";
import { inkOf } from "../../lib/pixels.js";
import { paintOwners } from "../../paint/pictures.js";
import { h } from "../../ui/h.js";
import { curve } from "../shared/curve.js";
import { axisOf } from "../shared/knobs.js";
import { scoresOver } from "../shared/sweep.js";
import { measurementOf, nearestTo } from "../shared/words.js";
import { claimWords } from "./words.js";

/**
 * @param {Model} model
 * @param {{ knob: Knob, settings: import("../shared/knobs.js").Settings }} state
 * @param {readonly (number | null)[]} labels of both digits
 * @param {{ sweep: Sweep, image: Pixels, claims: readonly Claims[] | null } | null} found
 *   what is known over the knob, and the image where it stands now
 * @param {(value: number) => void} goTo
 */
export function linesOf(model, { knob, settings }, labels, found, goTo) {
  const test = measurementOf(model, knob.measured);
  const at = settings[knob.id];
  const scores = scoreData(model, knob, labels, found?.sweep ?? null, test);
  const claims = found?.claims ?? null;
  const shown = claims?.[nearestTo(knob.sweep, at)];
  return [
    h("div", { class: "crossing-scores" }, curve(scores, at, goTo)),
    model.can.reconstruct &&
      h(
        "div",
        { class: "crossing-ink" },
        claimsOver(model, shown, found?.image),
        h("div", {}, curve(inkData(knob, claims, test), at, goTo)),
      ),
  ];
}

/**
 * @param {Model} model @param {Knob} knob
 * @param {readonly (number | null)[]} labels of both digits
 * @param {Sweep | null} sweep @param {Measurement | null} test
 * @returns {import("../shared/curve.js").CurveData}
 */
function scoreData(model, knob, labels, sweep, test) {
  const { one } = scoreWords(model);
  const names = labels.map((each, i) =>
    each === null ? ["the first digit", "the second"][i] : model.class_names[each],
  );
  const [first, second] = labels.map((each) =>
    sweep === null || each === null ? null : scoresOver(sweep, each),
  );
  return {
    ...{ axis: axisOf(knob), knobs: knob.sweep, test, shares: first },
    score: `${one} of ${names[0]}`,
    second: {
      ...{ title: `of ${names[1]}`, shares: second },
    },
    ...(test && { band: { title: `${grouped(test.images)} test pairs, both read` } }),
    unmeasured: "No test pairs were measured over this knob.",
  };
}

/**
 * The curve of ink given right, of the values where any can be given.
 * @param {Knob} knob @param {readonly Claims[] | null} found
 * @param {Measurement | null} test
 * @returns {import("../shared/curve.js").CurveData}
 */
function inkData(knob, found, test) {
  const known = (found ?? []).flatMap(({ share }, i) =>
    share === null ? [] : [{ share, value: knob.sweep[i] }],
  );
  const means = test?.ink_given_right ?? [];
  const given = means.flatMap((mean) => (mean === null ? [] : [mean]));
  const isMeasured = given.length > 0 && given.length === means.length;
  return {
    ...{
      axis: axisOf(knob),
      score: "ink of one digit alone given to the right digit",
    },
    knobs: found ? known.map(({ value }) => value) : knob.sweep,
    shares: found && known.map(({ share }) => share),
    test: isMeasured ? test : null,
    ...(isMeasured && {
      band: {
        ...{ shares: given, title: "ink given right, mean over test pairs read right" },
        words: (share) => fixed(share, 2),
      },
    }),
    unmeasured: "",
  };
}

/**
 * What both capsules draw, over the image.
 * @param {Model} model @param {Claims | undefined} claims @param {Pixels | undefined} image
 */
function claimsOver({ class_names: names }, claims, image) {
  const look = { role: "img", "aria-label": "What both capsules draw" };
  const words =
    claims &&
    claimWords(
      claims.classes.map((each) => names[each]),
      claims.share,
    );
  const of = claims && image ? claims : null;
  return h(
    "figure",
    { class: "crossing-claims" },
    painted(
      of,
      (canvas) =>
        image && claims && paintOwners(canvas, claims.drawn, image, inkOf(image)),
      look,
    ),
    h("figcaption", { class: "fine" }, words ?? ""),
  );
}
