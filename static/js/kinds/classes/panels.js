/**
 * The classes by score; below, what the scores come from: the numbers of the capsules'
 * poses, or the sums of which softmax makes probabilities, if that is known.
 * @import { Panel } from "../../ui/panel.js"
 * @import { Content } from "../../ui/h.js"
 * @import { LayerMount, Tensor } from "../types.js"
 * @import { ClassesModel, ClassesState, ClassesTrace } from "./types.js"
 */
import { createScenes, withPointed } from "../../core/scenes.js";
import {
  axisOf,
  barsOf,
  nextWord,
  saidOf,
  scoreText,
  scoreWords,
} from "../../core/scores.js";
import { focusedClass, knownLabels } from "../../core/state.js";
import { painted } from "../../draw/picture.js";
import { sparkline } from "../../draw/plot.js";
import { legend } from "../../draw/tiles.js";
import { ranked, reach } from "../../lib/arithmetic.js";
import { diverging } from "../../lib/color.js";
import { counted, fixed, signed } from "../../lib/format.js";
import { paintHeatmap } from "../../paint/heatmap.js";
import { findElement, setText } from "../../ui/dom.js";
import { h } from "../../ui/h.js";
import { button, slider } from "../../ui/inputs.js";
import { mountPanels } from "../../ui/panel.js";
import { meaningInShort, meaningOf } from "../decoder/meanings.js";
import { entryPlace, SIDE } from "../matrices.js";
import { matrixGrid } from "../matrix-grid.js";
import { vectorRows } from "../vectors.js";
import { logit, softmax } from "./logits.js";
import {
  introWords,
  isLong,
  kindOf,
  marginWords,
  shapeWords,
  sumWords,
  verdictWords,
} from "./words.js";

/** The paper's (Sabour et al. 2017, eq. 4), for cards that record none. */
const PAPER = { present_margin: 0.9, absent_margin: 0.1 };

/** What the list of scores is called, by form. */
const TITLES = {
  vectors: "Lengths: how present each class is",
  matrices: "Activation of each class",
  probabilities: "Probabilities",
  scores: "Scores, as the network gives them",
};

/** @typedef {ReturnType<typeof sceneOf> & { pointed: number }} Scene pointed: the dimension chosen last */
/** @typedef {{ set: (patch: Partial<Scene>) => void, actions: import("../../core/actions.js").Actions }} Act */

/** @type {LayerMount<ClassesState>} */
export function mount(root, store, actions, _services, layer) {
  const { point, ...scenes } = withPointed(createScenes(store, sceneOf), 0);
  const act = {
    actions,
    set(/** @type {Partial<Scene>} */ { pointed, ...patch }) {
      if (pointed !== undefined) point(pointed);
      store.set(/** @type {Partial<ClassesState>} */ (patch));
    },
  };
  store.watch(["model", "layer"], ({ model }) => {
    setText(findElement(root, "[data-shape]"), shapeWords(layer, model));
    setText(findElement(root, "[data-intro]"), introWords(layer, model));
    point(0);
  });
  mountPanels(root, { scenes, act }, panels.every);
  mountPanels(root, { scenes, act }, panels[formOf(layer)]);
}

/** @param {{ form?: string }} layer */
const formOf = ({ form }) => /** @type {keyof typeof TITLES} */ (form);

/** @param {ClassesState} state */
function sceneOf(state) {
  const { trace, model, layer, weights, source, unit, entry, step } = state;
  const classIndex = focusedClass(state);
  return { trace, model, layer, weights, source, unit, entry, step, classIndex };
}

/** All classes as bars, from 0 to 1 where no score is of another size. @type {Panel<Scene, Scene, Act>} */
export const scores = {
  id: "scores",
  look: "score-panel",
  title: ({ layer }) => TITLES[formOf(layer)],
  picture({ trace, model, layer, source, classIndex }, { set }) {
    const labels = knownLabels(source, model) ?? [];
    const { tensors } = trace;
    const history = tensors.history && historyOf(tensors.history);
    const { present, absent } = marginsOf(model.card);
    const hasMargins = isByMargins(layer, model);
    const readModel = { ...model, scores: kindOf(layer, model) };
    const axis = isLong(layer) ? "score" : readModel.scores;
    const marks = hasMargins
      ? [
          mark("margin", `m⁻ ${absent}`, absent),
          mark("margin", `m⁺ ${present}`, present),
        ]
      : [];
    const more = history
      ? `over ${counted(history[0].length, "iteration")}`
      : tensors.logits && "logit";
    const rows = rowsOf(trace, readModel, labels, axis).map((row, index) =>
      h(
        "li",
        { class: row.isFirst && "is-first" },
        button(
          [
            h("span", { class: "score-name" }, model.class_names[index]),
            h(
              "span",
              { class: "score-track" },
              h("i", { "--width": `${100 * row.bar}%` }),
            ),
            h("span", { class: "score-number" }, row.number),
            history
              ? course(history[index])
              : h(
                  "span",
                  { class: "score-more" },
                  tensors.logits && fixed(tensors.logits.data[index], 2),
                ),
            h(
              "span",
              { class: "score-tags" },
              row.tags.map((tag) => h("span", { class: "tag" }, tag)),
            ),
          ],
          () => set({ classIndex: index }),
          { pressed: index === classIndex },
        ),
      ),
    );
    const look = {
      class: `score-rows ${hasMargins ? "has-margins" : ""}`.trim(),
      "data-rows": "",
      "aria-label": `${TITLES[formOf(layer)]}, by class`,
      "--absent": absent,
      "--present": present,
    };
    const ticks = ticksOf(tensors.scores.data, axis);
    return h(
      "div",
      { class: more ? "" : "has-no-more" },
      h(
        "p",
        { class: "score-verdict", "data-verdict": "" },
        verdictWords(trace, readModel, labels, hasMargins ? absent : null),
      ),
      h(
        "div",
        { class: "score-head fine", "aria-hidden": "true" },
        h("span", { class: "score-axis" }, ticks, marks),
        more && h("span", { class: "score-more-head" }, more),
      ),
      h("ol", look, rows),
      (formOf(layer) === "vectors" || formOf(layer) === "probabilities") &&
        h(
          "p",
          { class: "score-sum", "data-sum": "" },
          sumWords(tensors.scores.data, readModel),
        ),
    );
  },
  words: ({ layer, model, trace }) =>
    isByMargins(layer, model)
      ? [marginWords(marginsOf(model.card), trace.tensors.history !== undefined)]
      : [],
};

/**
 * Whether training asked for lengths beyond margins; of a described network nobody knows.
 * @param {{ form?: string }} layer @param {ClassesModel} model
 */
const isByMargins = (layer, { scores, card }) =>
  formOf(layer) === "vectors" && scores === "length" && card.described === undefined;

const TICKS = [0, 0.2, 0.4, 0.6, 0.8, 1];

/**
 * Numbers along the axis: of scores of any size, where it begins, ends, and half way.
 * @param {ArrayLike<number>} scores @param {import("../../core/scores.js").ScoreKind} kind
 */
function ticksOf(scores, kind) {
  if (kind !== "score") return TICKS.map((tick) => mark("tick", String(tick), tick));
  const { low, high } = axisOf(scores, kind);
  return [0, 0.5, 1].map((at) => mark("tick", fixed(low + at * (high - low), 2), at));
}

/** @param {string} look @param {string} text @param {number} at in 0..1 */
const mark = (look, text, at) =>
  h("span", { class: look, "--left": `${100 * at}%` }, text);

/** @param {readonly number[]} steps the score after each iteration */
const course = (steps) =>
  h(
    "span",
    {
      class: "score-more",
      title: steps
        .map((score, i) => `iteration ${i + 1}: ${fixed(score, 3)}`)
        .join("\n"),
    },
    sparkline([...steps]),
  );

/**
 * What training asked of lengths: a present class costs nothing above one margin, an absent
 * class nothing below the other.
 * @param {Pick<ClassesModel["card"], "loss">} card
 */
export function marginsOf({ loss }) {
  const { present_margin: present, absent_margin: absent } = { ...PAPER, ...loss };
  return { present, absent };
}

/**
 * @param {Pick<ClassesTrace, "tensors">} trace
 * @param {Pick<ClassesModel, "scores" | "present">} model
 * @param {readonly number[]} labels
 * @param {import("../../core/scores.js").ScoreKind} [axis] where scores are of any size
 */
export function rowsOf({ tensors }, model, labels, axis = model.scores) {
  const { data: scores } = tensors.scores;
  const kind = model.scores;
  // Logits tell apart what probabilities round to the same.
  const order = ranked((tensors.logits ?? tensors.scores).data);
  const { state, named } = saidOf(scores, model);
  const several = model.present.at_most > 1 ? named : [];
  const next = order.find(
    (classIndex) => classIndex !== order[0] && !several.includes(classIndex),
  );
  const tagOf = (/** @type {number} */ classIndex) => {
    if (several.includes(classIndex)) return "named";
    if (classIndex === order[0]) return scoreWords(model).most;
    return classIndex === next && state !== "none" ? nextWord(several) : "";
  };
  const bars = barsOf(scores, axis);
  return Array.from(scores, (score, classIndex) => ({
    score,
    bar: bars[classIndex],
    number: scoreText(score, kind),
    isFirst: several.includes(classIndex) || classIndex === order[0],
    tags: [tagOf(classIndex), labels.includes(classIndex) ? "true label" : ""].filter(
      (tag) => tag !== "",
    ),
  }));
}

/**
 * The scores after each iteration of routing.
 * @param {Tensor} tensor (iterations, classes), or (iterations, classes, numbers): then the
 *   score is the length of these
 * @returns {number[][]} [class][iteration]
 */
export function historyOf({ shape: [iterations, classes, size = 1], data }) {
  return Array.from({ length: classes }, (_, classIndex) =>
    Array.from({ length: iterations }, (_, step) => {
      const from = (step * classes + classIndex) * size;
      return size === 1 ? data[from] : Math.hypot(...data.subarray(from, from + size));
    }),
  );
}

/**
 * Every class capsule as a row of colours: the vectors whose lengths are the scores.
 * @type {Panel<Scene, Scene, Act>}
 */
const values = {
  id: "values",
  look: "digit-values",
  title({ trace }) {
    const [, size] = trace.tensors.poses.shape;
    return `Values: the ${size} numbers of each capsule, in dimensions 1 to ${size}`;
  },
  picture({ trace, model, layer, classIndex, pointed }, { set, actions }) {
    const { poses, scores } = trace.tensors;
    const names = model.class_names;
    const { decoder } = layer.words;
    return [
      vectorRows({
        label: "Values of the class capsules",
        of: "class",
        names,
        values: poses.data,
        lengths: scores.data,
        chosen: { row: classIndex, column: Math.min(pointed, poses.shape[1] - 1) },
        choose: ({ row, column }) => set({ classIndex: row, pointed: column }),
        words({ row, column }) {
          const meaning = meaningOf(model, row, column);
          const means = meaning === null ? "" : ` (${meaningInShort(meaning)})`;
          const value = signed(poses.data[row * poses.shape[1] + column]);
          return `${names[row]}, dimension ${column + 1}: ${value}${means}`;
        },
      }),
      h(
        "p",
        {},
        button(
          `Move the numbers of ${names[classIndex]} in Reconstruction`,
          () => actions.openView(decoder),
          { "data-to-reconstruction": "" },
        ),
      ),
    ];
  },
  table: {
    title: "Lengths and values as tables",
    of({ trace: { tensors }, model }) {
      const { scores, poses, history } = tensors;
      const rows = { of: "class", names: model.class_names };
      /** @type {[string, ArrayLike<number>]} */
      const length = ["length", scores.data];
      const values = {
        ...rows,
        columns: [length, ...numbersOf(poses, (i) => String(i + 1))],
      };
      if (history === undefined) return [values];
      const caption = "Lengths after each routing iteration";
      return [values, { ...rows, caption, columns: coursesOf(history) }];
    },
  },
};

/**
 * A column for each number of the poses.
 * @param {Tensor} poses (classes, …) @param {(i: number) => string} name
 * @returns {[string, number[]][]}
 */
function numbersOf({ shape: [classes], data }, name) {
  const size = data.length / classes;
  return Array.from({ length: size }, (_, i) => [
    name(i),
    Array.from({ length: classes }, (_, classIndex) => data[classIndex * size + i]),
  ]);
}

/** A column for each iteration. @param {Tensor} history @returns {[string, number[]][]} */
const coursesOf = (history) =>
  Array.from({ length: history.shape[0] }, (_, step) => [
    `iteration ${step + 1}`,
    historyOf(history).map((scores) => scores[step]),
  ]);

/**
 * The poses of all classes as matrices side by side, in the iteration on show, and that of
 * the class in focus with its numbers.
 * @type {Panel<Scene, Scene, Act>}
 */
const poses = {
  id: "poses",
  title: "The pose of each class, and how active it is",
  picture({ trace, model, classIndex, entry, step: wanted }, { set }) {
    const { means, history } = trace.tensors;
    const { shape, data } = means;
    const [iterations, classes] = shape;
    const step = Math.min(wanted, iterations);
    const names = model.class_names;
    // One scale for all iterations: what changes in the pictures changed in the poses.
    const scale = diverging(reach(data) || 1);
    const poseOf = (/** @type {number} */ index) => {
      const from = ((step - 1) * classes + index) * SIDE ** 2;
      return data.subarray(from, from + SIDE ** 2);
    };
    const size = { rows: SIDE, columns: SIDE };
    const paint = (
      /** @type {HTMLCanvasElement} */ canvas,
      /** @type {Float32Array} */ pose,
    ) => paintHeatmap(canvas, pose, { ...size, scale });
    // Of a class that is hardly active, the pose hardly counts: it stands back.
    const all = names.map((name, index) => {
      const active = history.data[(step - 1) * classes + index];
      return button(
        [
          h(
            "span",
            { class: "class-pose-name" },
            h("span", { dir: "auto" }, name),
            h("small", {}, scoreText(active, model.scores)),
          ),
          h(
            "span",
            { class: "score-track" },
            h("i", { "--width": `${100 * active}%` }),
          ),
          painted(poseOf(index), paint, { "aria-hidden": "true" }),
        ],
        () => set({ classIndex: index }),
        { pressed: index === classIndex, "--active": active },
      );
    });
    const pose = poseOf(classIndex);
    const group = { role: "group", "aria-label": "Poses of all classes" };
    return [
      h(
        "div",
        { class: "controls" },
        slider("Iteration", step, iterations, (to) => set({ step: to })),
      ),
      h(
        "div",
        { class: "class-poses" },
        h("div", { class: "class-poses-all", ...group, "data-all": "" }, all),
        h(
          "div",
          { "data-pose": "" },
          matrixGrid({
            title: `Pose matrix of class ${names[classIndex]}`,
            name: "",
            of: `class ${names[classIndex]}, `,
            ...{ data: pose, scale, entry, set },
          }),
          legend(scale, "number in the pose"),
        ),
      ),
    ];
  },
  words: [
    "The bar below a name is the activation of the class; the less active it is, the paler its pose.",
  ],
  table: {
    title: "Activations and poses as tables",
    of({ trace: { tensors }, model }) {
      const rows = { of: "class", names: model.class_names };
      const nameOf = (/** @type {number} */ i) => {
        const { row, column } = entryPlace(i);
        return `${row + 1},${column + 1}`;
      };
      return [
        {
          ...rows,
          caption: "Activations after each iteration",
          columns: coursesOf(tensors.history),
        },
        {
          ...rows,
          caption: "Poses, by row and column of the matrix",
          columns: numbersOf(tensors.poses, nameOf),
        },
      ];
    },
  },
};

/** The scores, and what each form shows below them. */
export const panels = {
  every: [scores],
  vectors: [values],
  matrices: [poses],
  probabilities: [softmax, logit],
  scores: [],
};
