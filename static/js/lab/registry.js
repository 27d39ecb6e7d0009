/**
 * Every experiment of the Lab, in the order of its tabs.
 *
 * To add one: a line here; a folder `lab/NAME/` whose `experiment.js` exports an
 * `Experiment` as `types.d.ts` describes it; and `templates/lab/NAME.html`, which extends
 * `lab/shared/frame.html`. Nothing else on the page knows what it does. It brings
 *
 * - `id` and `title`: what stands in the link and on the tab. The number keys open it;
 * - `schema`, its fields as `core/schema.js` declares them: its part of the state, and how
 *   that stands in the address. Its store shows it together with what all share, and `set`
 *   changes it alone. It is kept while others are open. Only the open experiment stands in
 *   a link, but names used there must not be those of `core/link.js`;
 * - `opens`, what of it is not where the fields start as it opens: where networks differ;
 * - `suits` and `needs`, where it cannot ask every network: it opens with one that it can;
 * - `tryFirst`, one line that says what to try first, and what its button changes;
 * - `script` and `load`, an `import()` of the module whose `mount(root, store, services)`
 *   draws it. It is called once; its store calls back only while the experiment is open,
 *   there is an image, and `networks` holds the models that take part (maybe none).
 *
 * What experiments share is in `lab/shared/`:
 *
 * - `ask.js`: every network about one changed image (as traces, at a stroke's priority) or
 *   about a sweep of them (as a batch), the newest wish only;
 * - `verdicts.js`: the changed image, large, with the original faint behind it; and what each
 *   network reads and draws, with its switch;
 * - `courses.js`: one plot of all networks over the knob, before what the test set gave;
 * - `knobs.js`: sliders; `words.js`: sentences that follow from scores.
 * @import { AnyExperiment, Model } from "../types.js"
 */
import { lacks } from "../core/lacks.js";
import { attack } from "./attack/experiment.js";
import { crossing } from "./crossing/experiment.js";
import { parts } from "./parts/experiment.js";
import { pose } from "./pose/experiment.js";
import { sides } from "./sides/experiment.js";

/** @type {readonly AnyExperiment[]} */
export const EXPERIMENTS = [pose, parts, attack, sides, crossing];

/**
 * Those that have a network to ask: a site has no others to come.
 * @param {readonly Model[]} models
 */
export const experimentsFor = (models) =>
  lacks("server")
    ? EXPERIMENTS.filter(({ suits }) => suits === undefined || models.some(suits))
    : EXPERIMENTS;
