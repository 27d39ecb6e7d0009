/**
 * What stands in a network's row: the scores of both digits over the shift, the share of ink
 * given right, and what both capsules draw where the second digit lies now.
 * @import { Claims } from "./ink.js"
 * @import { Sweep } from "../shared/ask.js"
 * @import { Knob } from "../shared/knobs.js"
 * @import { Lines } from "../shared/sweep.js"
 * @import { Measurement, Model } from "../../types.js"
 */
import { scoreWords } from "../../core/scores.js";
import { fixed, percent } from "../../lib/format.js";
import { inkOf } from "../../lib/pixels.js";
import { paintOwners } from "../../paint/pictures.js";
import { make, setText } from "../../ui/dom.js";
import { mountCurve } from "../shared/curve.js";
import { axisOf } from "../shared/knobs.js";
import { scoresOver } from "../shared/sweep.js";
import { measurementOf, nearestTo } from "../shared/words.js";
import { claimWords, inkCurveWords, scoreCurveWords } from "./words.js";

/**
 * @param {HTMLElement} room filled
 * @param {(value: number) => void} goTo
 * @param {(state: Parameters<Lines["show"]>[1]) => readonly (number | null)[]} labelsIn
 * @param {WeakMap<Sweep, Claims[]>} claims
 * @returns {Lines}
 */
export function mountLines(room, goTo, labelsIn, claims) {
  const picture = makeClaims();
  const curves = ["crossing-scores", "crossing-ink"].map((name) => make("div", name));
  const [scoreRoom, inkRoom] = curves;
  room.append(scoreRoom, inkRoom);
  const scores = mountCurve(scoreRoom, goTo);
  inkRoom.append(picture.element);
  const ink = mountCurve(inkRoom, goTo);
  /** @type {(value: number) => void} */
  let paint = () => {};

  return {
    show(model, state, known) {
      const { knob } = state;
      const isKnown = known?.wish.knob === knob;
      const sweep = isKnown
        ? (known.swept.sweeps.find((each) => each.model === model) ?? null)
        : null;
      const labels = known ? labelsIn(state) : [null, null];
      const test = measurementOf(model, knob.measured);
      scores.show(scoreData(model, knob, labels, sweep, test));
      inkRoom.hidden = !model.can.reconstruct;
      if (inkRoom.hidden) return;
      const found = sweep && (claims.get(sweep) ?? null);
      ink.show(inkData(knob, found, test));
      paint = (value) => {
        const at = nearestTo(knob.sweep, value);
        const image = known?.swept.images[at];
        if (found && image) picture.show(model, found[at], image);
      };
      paint(state.settings[knob.id]);
    },
    mark(value) {
      scores.mark(value);
      ink.mark(value);
      paint(value);
    },
  };
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
      ...{ title: `${one} of ${names[1]}`, shares: second, test: null, tested: "" },
    },
    ...(test && {
      band: {
        ...{ shares: test.accuracy, title: "test pairs, both read" },
        words: (share) => percent(share, 1),
      },
    }),
    words: scoreCurveWords(one, names, test),
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
    ...{ axis: axisOf(knob), score: "share of ink given right" },
    knobs: found ? known.map(({ value }) => value) : knob.sweep,
    shares: found && known.map(({ share }) => share),
    test: isMeasured ? test : null,
    ...(isMeasured && {
      band: {
        ...{ shares: given, title: "mean over test pairs read right" },
        words: (share) => fixed(share, 2),
      },
    }),
    words: inkCurveWords(isMeasured),
  };
}

/** What both capsules draw, over the image. */
function makeClaims() {
  const canvas = make("canvas", {
    role: "img",
    "aria-label": "What both capsules draw",
  });
  const caption = make("figcaption", "fine");
  const element = make("figure", "crossing-claims", canvas, caption);
  return {
    element,

    /** @param {Model} model @param {Claims} claims @param {import("../../types.js").Pixels} image */
    show({ class_names: names }, { classes, drawn, share }, image) {
      paintOwners(canvas, drawn, image, inkOf(image));
      setText(
        caption,
        claimWords(
          classes.map((each) => names[each]),
          share,
        ),
      );
    },
  };
}
