/** Every panel, as the value that it is: what each must say, whatever it shows. */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { test } from "node:test";
import { readAt } from "../../static/js/draw/plot.js";

const SCRIPTS = new URL("../../static/js/", import.meta.url);

/** What pictures act in besides a store. */
const ROOM = { layer: { network: [] }, actions: { focusClass() {}, lookAt() {} } };

/** Walk those alone whose script or id says so: `make test FILE=… PANEL=routing/dynamic`. */
const ALONE = process.env.PANEL ?? "";

/** Scenes enough for what is slow to describe. */
const FEW = 20;

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
    chooseType: (_scene, type) => set({ type }),
    decoded: () => [null],
    store: { set, get: () => null },
  });

const isPanel = (each) => typeof each?.picture === "function" && "title" in each;

const LISTS = /^(export const|import \{) panels\b/m;
const IS_LIST = /^[^;]*\bpanels(\.\w+|\[[^;]+\]|\(\w+\))?,?\s*\);/;

/** Lists by name: what a view exports, or makes of what `made` is. */
function groupsOf(panels, made) {
  const own = typeof panels === "function" ? panels(made) : panels;
  return Object.entries(Array.isArray(own) ? { every: own } : own);
}

/** Read all that a panel says of its scenes. */
function walk(script, panel, scenes, after = Object.assign) {
  const { id, title, line, picture, words = [], table, isFolded } = panel;
  const numbersOf = panel.numbers ?? ((scene) => scene);
  const titleOf = typeof title === "function" ? title : () => title;
  const wordsOf = typeof words === "function" ? words : () => words;
  const name = `${script}: ${id}`;

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
        if (script.includes("/em/") && "step" in changed) continue; // which counts from 1
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

/** Panels that views list, and those that modules export. */
const [listed, exported] = [new Set(), new Map()];

for (const script of readdirSync(SCRIPTS, { encoding: "utf8", recursive: true })) {
  if (!script.endsWith(".js")) continue;
  const text = readFileSync(new URL(script, SCRIPTS), "utf8");
  if (text.includes('ui/panel.js";'))
    test(`${script} mounts what \`panels\` lists, and nothing else`, () => {
      assert.match(text, LISTS, "list what it mounts: export const panels");
      for (const given of text.split("mountPanels(").slice(1))
        assert.match(given, IS_LIST, "mountPanels takes `panels`, or a list of it");
    });
  if (!/^ +picture[(:]|^export const panels\b/m.test(text)) continue;
  const { panels, ...others } = await import(new URL(script, SCRIPTS));
  for (const [name, each] of Object.entries(others))
    if (isPanel(each)) exported.set(`${script}: ${name}`, each);
  if (panels === undefined) continue;
  if (typeof panels === "object" && !Array.isArray(panels))
    test(`${script} mounts each list of its \`panels\``, () => {
      for (const name of Object.keys(panels))
        assert.match(text, new RegExp(`\\bpanels(\\.${name}\\b|\\[)`), `mount ${name}`);
    });
  const beside = `${dirname(script)}/made.js`;
  const file = new URL(beside, import.meta.url);
  const { scenes, made, changed } = existsSync(file) ? await import(file) : {};
  for (const [group, each] of groupsOf(panels, made))
    for (const panel of each) {
      listed.add(panel);
      if (!`${script}: ${panel.id}`.includes(ALONE)) continue;
      const all = [...(scenes?.(group) ?? [])];
      const needed = `make its scenes: scenes("${group}") of tests/static/${beside}`;
      test(`${script}: ${panel.id} is walked`, () => assert.ok(all.length > 0, needed));
      walk(script, panel, all, changed);
    }
}

test("every panel that is exported is in the `panels` of a view", () => {
  const left = [...exported].filter(([, panel]) => !listed.has(panel));
  assert.deepEqual(
    left.map(([name]) => name),
    [],
  );
});
