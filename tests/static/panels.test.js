/** Every panel, as the value that it is: what each must say, whatever it shows. */
import assert from "node:assert/strict";
import { test } from "node:test";
import * as atlas from "../../static/js/atlas/panels.js";
import { readAt } from "../../static/js/draw/plot.js";
import { all, capsule, types } from "../../static/js/kinds/capsules/panels.js";
import { values as numbers, squash } from "../../static/js/kinds/capsules/values.js";
import { vote } from "../../static/js/kinds/capsules/votes.js";
import { logit, softmax } from "../../static/js/kinds/classes/logits.js";
import { poses, scores, values } from "../../static/js/kinds/classes/panels.js";
import {
  arithmetic,
  imageTable,
} from "../../static/js/kinds/convolution/reads-image.js";
import { maps } from "../../static/js/kinds/convolution/sheet.js";
import { values as mapValues } from "../../static/js/kinds/convolution/view.js";
import * as dense from "../../static/js/kinds/dense/panels.js";
import * as pooling from "../../static/js/kinds/pooling/panels.js";
import * as attention from "../../static/js/kinds/routing/attention/panels.js";

import * as dynamic from "../../static/js/kinds/routing/dynamic/panels.js";
import * as em from "../../static/js/kinds/routing/em/panels.js";
import * as tensor from "../../static/js/kinds/tensor/panels.js";
import { pathsPanel } from "../../static/js/lab/pose/paths.js";
import { scenes as atlasScenes } from "./atlas/made.js";
import { compared } from "./compare/made.js";
import { scenes as capsulesScenes } from "./kinds/capsules/made.js";
import { scenes as classesScenes } from "./kinds/classes/made.js";
import { scenes as convolutionScenes } from "./kinds/convolution/made.js";
import { scenes as denseScenes } from "./kinds/dense/made.js";
import { scenes as poolingScenes } from "./kinds/pooling/made.js";
import { scenes as attentionScenes } from "./kinds/routing/attention/made.js";
import {
  changed as dynamicChanged,
  pictured,
} from "./kinds/routing/dynamic/scenes-made.js";
import { LAYERS, sceneAt } from "./kinds/routing/em/made.js";
import { scenes as tensorScenes } from "./kinds/tensor/made.js";
import { CODES, scenes as poseScenes } from "./lab/pose/made.js";

/**
 * Of each view: the module of its panels, scenes that these are drawn from, and, where a
 * choice changes more than it says, what a scene is after it.
 */
const VIEWS = {
  atlas: [atlas, [...atlasScenes()]],
  attention: [attention, [...attentionScenes()].map(({ scene }) => scene)],
  "capsules of types": [
    { types },
    [...capsulesScenes("vectors", "for capsules", "for classes")],
  ],
  "capsules alone": [{ all }, [...capsulesScenes("routed", "alone")]],
  "one capsule": [{ capsule }, [...capsulesScenes()]],
  "numbers of capsules": [
    { numbers, squash },
    [...capsulesScenes("vectors", "routed", "alone")],
  ],
  "votes of capsules": [{ vote }, [...capsulesScenes("for capsules", "for classes")]],
  scores: [
    { scores },
    [...classesScenes("vectors", "matrices", "probabilities", "scores")],
  ],
  vectors: [{ values }, [...classesScenes("vectors")]],
  matrices: [{ poses }, [...classesScenes("matrices")]],
  probabilities: [{ softmax, logit }, [...classesScenes("probabilities")]],
  "convolution of the image": [
    { maps: { ...maps, table: imageTable }, arithmetic },
    [...convolutionScenes("grey", "colours")],
  ],
  "convolution of maps": [{ maps, values: mapValues }, [...convolutionScenes("maps")]],
  dense: [dense, [...denseScenes()]],
  tensor: [tensor, [...tensorScenes()]],
  pooling: [pooling, [...poolingScenes()]],
  "codes in the Lab": [{ paths: pathsPanel(CODES, "One plane.") }, [...poseScenes()]],
  ...Object.fromEntries([...compared()].map((each, i) => [`compare ${i}`, each])),

  em: [
    em,
    LAYERS.flatMap((above) => [0, 1, 2].map((step) => sceneAt(above, step, step + 1))),
  ],
  dynamic: [dynamic, [...pictured()], dynamicChanged],
};

/** What pictures act in besides a store. */
const ROOM = { layer: { network: [] }, actions: { focusClass() {}, lookAt() {} } };

/** Scenes enough for what is slow to describe. */
const FEW = 20;

const panelsIn = (module) =>
  Object.values(module)
    .flat()
    .filter((each) => each?.picture !== undefined);

/** All that is described, within what is described. */
function* within(content) {
  for (const each of [content].flat(9))
    if (typeof each === "object" && each !== null) {
      yield each;
      yield* within(each.content ?? []);
      const { content: folded } = each.attributes ?? {};
      if (typeof folded === "function") yield* within(folded());
    }
}

const textsIn = (content) =>
  [content]
    .flat(9)
    .map((each) => (typeof each === "object" ? textsIn(each?.content ?? []) : each))
    .join(" ");

const BROKEN = /NaN|undefined|\[object|Infinity/;

/** What readers may do in any panel. */
const actOf = (set) =>
  Object.assign(set, {
    ...ROOM,
    set,
    choose: (unit) => set({ unit }),
    point: (cell) => set({ pointed: { pixel: null, cell } }),
    chooseEnds: (_scene, ends) => set(ends),
    store: { set, get: () => null },
  });

for (const [view, [module, scenes, after = Object.assign]] of Object.entries(VIEWS))
  for (const panel of panelsIn(module)) {
    const { id, title, line, picture, words = [], table, isFolded } = panel;
    const numbersOf = panel.numbers ?? ((scene) => scene);
    const titleOf = typeof title === "function" ? title : () => title;
    const wordsOf = typeof words === "function" ? words : () => words;
    const name = `${view}: ${id}`;

    test(`${name} has a heading, and a line wherever it folds`, () => {
      assert.ok(!isFolded || line);
      for (const scene of scenes) {
        const n = numbersOf(scene);
        assert.ok(wordsOf(n).length <= 2);
        for (const text of [textsIn(titleOf(scene)), line?.(n) ?? "."]) {
          assert.match(text, /\S/);
          assert.doesNotMatch(text, BROKEN);
        }
      }
    });

    test(`${name} reads every cell, and chooses the one that the reader points at`, () => {
      for (const scene of scenes.slice(0, FEW * FEW)) {
        let changed = {};
        const set = actOf((change) => {
          changed = change;
        });
        const partsOf = (scene) => {
          const all = [...within(picture(numbersOf(scene), set))];
          assert.doesNotMatch(textsIn(all), BROKEN);
          return all.map(({ attributes }) => attributes ?? {});
        };
        const gridsOf = (scene) => partsOf(scene).filter(({ mark }) => mark);
        const sheetsOf = (scene) => partsOf(scene).filter(({ layout }) => layout);
        for (const [i, { label, layout, step, words, choose }] of sheetsOf(
          scene,
        ).entries()) {
          assert.match(label, /\S/);
          const { count, rows, columns } = layout;
          const at = { tile: count - 1, row: rows - 1, column: columns - 1 };
          assert.match(words(at), /\S/);
          assert.doesNotMatch(words(at), BROKEN);
          choose(at);
          const { chosen } = sheetsOf({ ...scene, ...changed })[i];
          if (step === "cell") assert.deepEqual(chosen, at);
          else assert.equal(chosen.tile, at.tile);
        }
        const mapsOf = (scene) =>
          partsOf(scene).filter((each) => each.told && each.scale);
        for (const [i, { values, columns, choose }] of mapsOf(scene).entries()) {
          const last = { row: values.length / columns - 1, column: columns - 1 };
          choose(last);
          assert.deepEqual(mapsOf({ ...scene, ...changed })[i].chosen, last);
        }
        for (const flow of partsOf(scene).filter(({ tints }) => tints)) {
          const { types, targets, names, notes, amounts, tints, words, choose } = flow;
          assert.equal(names.length, targets);
          assert.ok(notes.length >= targets);
          assert.equal(amounts.length, tints.length);
          for (let at = 0; at < types * targets; at++)
            assert.doesNotMatch(words(Math.floor(at / targets), at % targets), BROKEN);
          changed = {};
          choose({ type: types - 1, target: 0 });
          assert.notDeepEqual(changed, {});
        }
        for (const [i, grid] of gridsOf(scene).entries()) {
          assert.match(grid.title ?? grid.label, /\S/);
          const size = [grid.rows.names.length, grid.columns.names.length];
          const cell = { row: size[0] - 1, column: size[1] - 1 };
          const words = grid.words?.(cell) ?? grid.mark.read(size[0] * size[1] - 1);
          assert.match(words, /\S/);
          assert.doesNotMatch(words, BROKEN);
          grid.choose(cell);

          const isSaid = Object.keys(changed).every((key) => key in scene);
          if (view === "em" && "step" in changed) continue; // which counts from 1
          if (!isSaid && after === Object.assign) continue; // kept elsewhere
          const own = gridsOf(after({ ...scene }, changed))[i];
          assert.deepEqual(own.chosen, cell);
        }
      }
    });

    test(`${name} reads its lines wherever an axis has a tick`, () => {
      for (const scene of scenes.slice(0, FEW))
        for (const { attributes } of within(
          picture(
            numbersOf(scene),
            actOf(() => {}),
          ),
        )) {
          if (!attributes?.lines) continue;
          assert.match(attributes.label, /\S/);
          for (const tick of attributes.x.ticks)
            assert.doesNotMatch(readAt(attributes, tick), BROKEN);
        }
    });

    test(`${name} says what its colours mean`, () => {
      for (const scene of scenes.slice(0, FEW)) {
        const act = actOf(() => {});
        const all = [...within(picture(numbersOf(scene), act))];
        const isColoured = all.some(
          ({ attributes }) =>
            attributes?.mark?.scale ||
            attributes?.layout ||
            (attributes?.told && attributes.scale),
        );
        const hasLegend = all.some(
          ({ attributes }) => attributes?.scale && attributes.unit,
        );
        assert.ok(!isColoured || hasLegend);
      }
    });

    test(`${name} has tables whose columns are of one length`, () => {
      for (const scene of scenes.slice(0, FEW))
        for (const { columns, last, of } of table?.of(numbersOf(scene)) ?? []) {
          assert.match(of, /\S/);
          assert.equal(new Set(columns.map(([, values]) => values.length)).size, 1);
          assert.ok(last === undefined || last.length === columns.length + 1);
        }
    });
  }
