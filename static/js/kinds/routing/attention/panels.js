/**
 * Attention routing's view: its panels, and what it shares with other routings.
 * @import { LayerMount } from "../../types.js"
 * @import { Content } from "../../../ui/h.js"
 * @import { Panel } from "../../../ui/panel.js"
 * @import { Values } from "../../../ui/values.js"
 * @import { Steps } from "./numbers.js"
 * @import { AttentionScene as Scene, AttentionState, AttentionTensors } from "./types.js"
 */
import { createDecoding } from "../../../core/decoding.js";
import { createScenes, withPointed } from "../../../core/scenes.js";
import { focusedClass } from "../../../core/state.js";
import { grid } from "../../../draw/grid.js";
import { sum } from "../../../draw/sum.js";
import { legend, tiles } from "../../../draw/tiles.js";
import { reach } from "../../../lib/arithmetic.js";
import { diverging } from "../../../lib/color.js";
import { fixed, numbered, withSign } from "../../../lib/format.js";
import { memoize } from "../../../lib/memoize.js";
import { addedUp, sumOfProducts, written } from "../../../lib/written.js";
import { findElement, setText } from "../../../ui/dom.js";
import { fill, h, note } from "../../../ui/h.js";
import { choices, slider } from "../../../ui/inputs.js";
import { mountPanels } from "../../../ui/panel.js";
import { fold, valuesTable } from "../../../ui/values.js";
import { choosing } from "../../capsules/places.js";
import { agreementPanel } from "../agreement/panel.js";
import { mountSurgery } from "../surgery/panel.js";
import { experiments } from "./experiments.js";
import * as numbers from "./numbers.js";
import * as words from "./words.js";
import { writtenSoftmax, writtenVote } from "./written.js";

const { lengthOf, ofCapsule, ofClass, sizesOf, voteOf } = numbers;

/** @type {LayerMount<AttentionState>} */
export function mount(root, store, actions, services, layer) {
  const scenes = createScenes(store, numbers.sceneOf);
  const drawing = withPointed(scenes, {});
  const decoded = createDecoding(services, () => drawing.point({}));
  const chooseType = (/** @type {Scene} */ _, /** @type {number} */ capsule) =>
    store.set(choosing(capsule));
  mountPanels(root, { scenes: drawing, act: { chooseType, decoded } }, panels.summed);
  mountPanels(root, { scenes, act: store.set }, panels.every);

  const [bar, size, story] = ["bar", "size", "story"].map((name) =>
    findElement(root, `[data-${name}]`),
  );
  store.watch(["classIndex", "trace", "model"], (state) => {
    const focused = focusedClass(state);
    const look = { "aria-label": "Class in focus", "data-classes": "" };
    fill(
      bar,
      choices("Class", state.model.class_names, focused, actions.focusClass, look),
    );
  });
  store.watch(["model"], ({ model }) => {
    const [capsules, classes] = layer.shapeOf(model, "votes");
    const count = capsules * classes;
    setText(size, `${capsules} capsules × ${classes} classes = ${count} votes`);
  });
  scenes.watch((scene) => setText(story, words.tell(scene)));

  const room = { store, actions, services, layer, scenes };
  mountSurgery(root, /** @type {any} */ (room), {
    sharesOf: memoize((/** @type {AttentionTensors} */ tensors, classIndex) =>
      numbers.sharesOf(numbers.figuresOf(tensors).evidence(classIndex)),
    ),
    experiments,
    isOnce: true,
  });
}

/** What each capsule gives to the class in focus, and to the longest of the others. */
const agreement = agreementPanel({
  summed(/** @type {Scene} */ scene) {
    const { model, tensors, figures, classIndex } = scene;
    const rival = words.rivalOf(scene);
    const classes = rival === undefined ? [classIndex] : [classIndex, rival];
    return {
      ...{ model, classes, step: 0 },
      run: tensors.couplings,
      names: classes.map((n) => model.class_names[n]),
      places: ["", words.placeOf(scene, classIndex, rival ?? classIndex)],
      given: classes.map((n) => figures.gifts(n)),
      poses: classes.map((n) => [ofCapsule(tensors.capsules, n)]),
      group: "capsule",
      one: "class",
      chosen: scene.capsule,
      pixels: scene.pixels,
      isDrawn: model.can?.reconstruct === true,
      seenBy: () => null,
    };
  },
  isOnce: true,
  lines: [
    "a ← û·Σû ∕ √d, for every vote: how far it points along the sum of all",
    "c ← softmax(a) + b, over the classes of each capsule; b was learned",
    "s ← Σ c·û, over the capsules: the arrows laid end to end",
    "v ← squash(s): as long as the bar at the right",
  ],
});

/** @typedef {Scene & Steps} Worked */

/** @param {number} value */
const plain = (value) => fixed(value, 3);

/** Of what each calculation comes to. */
const DECIMALS = 3;

/** The chosen vote, from the capsule to what it adds. @type {Panel<Scene, Worked>} */
const steps = {
  id: "steps",
  look: "attention-steps",
  title: ({ capsule, name }) => `Step by step: capsule ${capsule} votes for ${name}`,
  numbers(scene) {
    const { tensors, learned, ran, capsule, classIndex } = scene;
    return { ...scene, ...numbers.stepsOf(tensors, learned, ran, capsule, classIndex) };
  },
  picture(n, set) {
    const { tensors, capsule, classIndex, entry, ran, input } = n;
    const { capsules } = sizesOf(tensors.votes);
    const length = lengthOf(n.vote);
    const figures = writtenVote(n, classIndex);
    const squashed = written(
      [n.before],
      [[([length]) => Math.exp(-length)], [(_, [rest]) => 1 - rest]],
      DECIMALS,
    );
    const [before, rest, after] = [...squashed.inputs, ...squashed.steps];
    const sizes = Array.from(n.vote, (_, d) =>
      words.sizeOf(input, n.transform.subarray(d * input.length)),
    );
    const size = words.sizeOf(n.vote, n.total) / n.scale;
    const traced = {
      length: lengthOf(voteOf(tensors.votes, capsule, classIndex)),
      agreement: ofClass(tensors.agreement, classIndex)[capsule],
      after: lengthOf(ofCapsule(tensors.capsules, classIndex)),
    };
    const all = [
      step("Vote", [
        sum(
          `û = W u {${n.transform.length} weights, ${input.length} numbers} → ${plain(length)} {‖û‖}`,
        ),
        note(ran.silenced.includes(capsule) && words.SILENCED),
        slider("Number", entry + 1, n.vote.length, (to) => set({ entry: to - 1 })),
        h("p", { class: "fine attention-entry" }, words.entryInWords(n, entry)),
        opened("Products W × u", () => productsOfVote(n)),
      ]),
      step("Compare with the sum", [
        sum(
          `Σû {the ${capsules} votes; ‖Σû‖ = ${plain(lengthOf(n.total))}} ; û · Σû {} = ${withSign(figures.product)} {dot product}`,
        ),
        opened("Votes and their sum", () => votesAndSum(n)),
        opened("Products û × Σû", () => productsWithSum(n)),
      ]),
      step("Scale", [
        sum(
          `${withSign(figures.product)} {û · Σû} ÷ ${figures.scale} {√${input.length}} = ${withSign(figures.agreement)} {agreement a}`,
        ),
      ]),
      step("Share out: softmax", [
        sum(
          `${figures.exponent ?? "–"} {eᵃ} ÷ ${figures.exponentials} {Σ eᵃ, all classes} = ${figures.share} {share}`,
        ),
        note(words.softmaxWords(n)),
        opened("All classes", () => softmaxOfClasses(n)),
      ]),
      step("Add the prior", [
        sum(
          `${figures.share} {share} + ${figures.prior ?? "–"} {learned prior b} = ${figures.coupling} {coupling c}`,
        ),
      ]),
      step("Weigh, add up, squash", [
        sum(
          `${figures.coupling} {c} × ${withSign(figures.along)} {û · s ∕ ‖s‖} = ${withSign(figures.gives)} {of ‖s‖ = ${before}}`,
        ),
        sum(
          `1 − exp(−${before}) {} = 1 − ${rest} {} = ${after} {‖v‖, the class’s length}`,
        ),
        note(
          words.checksInWords([
            [length, traced.length, "‖û‖", lengthOf(sizes)],
            [n.agreement, traced.agreement, "a", size],
            [n.after, traced.after, "‖v‖", 2 * n.before],
          ]),
        ),
        opened("All capsules", () => givenByCapsules(n)),
      ]),
    ];
    return h("ol", {}, all);
  },
};

/** @param {string} title @param {Content} content */
const step = (title, content) => h("li", {}, h("h4", {}, title), content);

/** @param {string} title @param {() => Values} valuesOf */
const opened = (title, valuesOf) => fold(title, () => valuesTable(valuesOf()));

/** @param {number} count @param {string} letter */
const subscripts = (count, letter) =>
  numbered(count, 1).map((number) => `${letter}${words.subscript(number)}`);

/** A row for each number of the vote. @param {Worked} n @returns {Values} */
function productsOfVote({ input, transform, vote }) {
  const rows = Array.from(vote, (_, d) =>
    Array.from(input, (value, k) => transform[d * input.length + k] * value),
  );
  const all = rows.map((row) => addedUp(row, DECIMALS));
  return {
    of: "W × u",
    names: subscripts(vote.length, "û"),
    columns: [
      ...subscripts(input.length, "u").map(
        (name, k) =>
          /** @type {const} */ ([
            `${name} = ${fixed(input[k], 2)}`,
            all.map(({ parts }) => parts[k]),
          ]),
      ),
      ["sum", all.map(({ sum }) => sum)],
    ],
  };
}

/** @param {Worked} n @returns {Values} */
function votesAndSum({ tensors, classIndex, capsule, total }) {
  const capsules = numbered(sizesOf(tensors.votes).capsules);
  const columns = Array.from(total, (_, d) =>
    addedUp(
      capsules.map((_, i) => voteOf(tensors.votes, i, classIndex)[d]),
      DECIMALS,
    ),
  );
  const names = subscripts(total.length, "û");
  return {
    of: "capsule",
    columns: columns.map(({ parts }, d) => /** @type {const} */ ([names[d], parts])),
    last: ["Σû", ...columns.map(({ sum }) => sum)],
    focused: capsule,
  };
}

/** @param {Worked} n @returns {Values} */
function productsWithSum({ vote, total }) {
  const { factors, products, sum } = sumOfProducts(vote, total, DECIMALS);
  return {
    of: "number",
    names: numbered(vote.length, 1),
    columns: [
      ["û", factors.map(([factor]) => factor)],
      ["Σû", factors.map(([, all]) => all)],
      ["û × Σû", products],
    ],
    last: ["sum", "–", "–", sum],
  };
}

/** @param {Worked} n @returns {Values} */
function softmaxOfClasses(n) {
  const { agreements, exponentials, sum, shares, priors, couplings } =
    writtenSoftmax(n);
  return {
    of: "class",
    names: n.model.class_names,
    columns: [
      ["a", agreements],
      ["eᵃ", exponentials],
      ["share", shares],
      ["prior b", priors],
      ["coupling c", couplings],
    ],
    last: ["sum", "–", sum, "–", "–", "–"],
    focused: n.classIndex,
  };
}

/** @param {Worked} n @returns {Values} */
function givenByCapsules({ tensors, classIndex, capsule }) {
  const { factors, products, sum } = sumOfProducts(
    ofClass(tensors.couplings, classIndex),
    numbers.alongSum(tensors, classIndex),
    DECIMALS,
  );
  return {
    of: "capsule",
    columns: [
      ["coupling c", factors.map(([coupling]) => coupling)],
      ["û·s ∕ ‖s‖", factors.map(([, along]) => along)],
      ["gives", products],
    ],
    last: ["‖s‖", "–", "–", sum],
    focused: capsule,
  };
}

/** Of the scale of couplings: even ones must not look large. */
const LEAST_REACH = 0.5;

/** Every coupling. @type {Panel<Scene>} */
const couplings = {
  id: "couplings",
  look: "attention-couplings",
  title: "All couplings, capsule by class",
  picture(scene, set) {
    const { tensors, model, capsule, classIndex } = scene;
    const { data } = tensors.couplings;
    const names = model.class_names;
    const scale = diverging(Math.max(LEAST_REACH, reach(data)));
    return [
      grid({
        label: "Every coupling",
        rows: { of: "capsule", names: numbered(sizesOf(tensors.votes).capsules) },
        columns: { of: "class", names },
        chosen: { row: capsule, column: classIndex },
        choose: ({ row, column }) => set({ ...choosing(row), classIndex: column }),
        mark: tiles({ name: "coupling", data, scale }),
        words: ({ row, column }) => words.readVote(scene, row, column),
      }),
      legend(scale, "coupling c"),
    ];
  },
  words: (scene) => [
    "Softmax turns a capsule’s agreements into shares, which sum to 1. A coupling is such a share plus the prior, which was learned and is the same for every image. Below 0, it turns a vote around.",
    words.tellPrior(scene),
  ],
};

export const panels = { summed: [agreement], every: [couplings, steps] };
