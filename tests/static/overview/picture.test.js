import assert from "node:assert/strict";
import { test } from "node:test";

import { flowsOf } from "../../../static/js/overview/flows.js";
import { layOut, seenFrom, stand } from "../../../static/js/overview/layout.js";
import { picture } from "../../../static/js/overview/picture.js";
import { COLUMN, DEEP, SCENE } from "./scene.js";

const SIZES = [
  { width: 1050, height: 690 },
  { width: 1005, height: 330 },
  { width: 366, height: 620 },
];

function lookAt(scene, size, more = {}) {
  const flows = flowsOf(scene);
  const layout = layOut(scene, flows, size);
  const step = more.step ?? scene.step;
  const moment = flows?.at(step) ?? null;
  return {
    scene,
    flows,
    layout,
    moment,
    step,
    focus: null,
    held: null,
    part: null,
    was: null,
    owners: [],
    answers: [scene.prediction],
    pictured: [],
    ...more,
  };
}

/** All that is described, however deep. */
function allIn(described) {
  return described.flatMap((each) =>
    typeof each === "string" ? [] : [each, ...allIn(each.content)],
  );
}

for (const scene of [SCENE, DEEP])
  for (const size of SIZES) {
    const where = `${scene.columns.length} columns, ${size.width}×${size.height}`;
    test(`no part and no class leaves the picture: ${where}`, () => {
      const look = lookAt(scene, size);
      const { parts, rows } = stand(look.layout, look.flows, look.moment, 3);
      for (const { x, y, width, height } of parts.flat()) {
        assert.ok(x >= -0.01 && x + width <= size.width, `${x} ${width}`);
        assert.ok(y >= look.layout.top - 0.01 && y + height <= size.height, `${y}`);
      }
      const last = rows.at(-1);
      assert.ok(
        rows[0].y >= look.layout.top - 0.01 && last.y + last.height <= size.height,
      );
    });

    test(`a type is as high as what passes through it: ${where}`, () => {
      const { layout, flows, moment } = lookAt(scene, size);
      const [slots] = stand(layout, flows, moment, 3).slots;
      const grown = slots.map(({ height }) => height - layout.bases[0] - 1.5);
      const { all, above } = moment.outs[0];
      grown.forEach((height, part) => {
        let gives = 0;
        for (let to = 0; to < above; to++) gives += Math.max(0, all[part * above + to]);
        assert.ok(Math.abs(height - gives * layout.scale) < 1e-6);
      });
    });
  }

for (const [rows, columns] of [
  [8, 32],
  [32, 8],
])
  test(`images and maps of ${rows}×${columns} keep their shape`, () => {
    const pixels = {
      channels: 1,
      rows,
      columns,
      bytes: new Uint8Array(rows * columns),
    };
    const maps = { ...COLUMN, id: "conv1", rows, columns };
    const scene = { ...SCENE, pixels, drawn: {}, columns: [maps, COLUMN] };
    for (const size of SIZES) {
      const { image, drawn, maps: places } = layOut(scene, flowsOf(scene), size);
      assert.ok(places[0].boxes.length > 0);
      for (const { width, height } of [image, drawn, ...places[0].boxes])
        assert.ok(Math.abs(width / height - columns / rows) < 1e-6);
    }
  });

test("ribbons are as wide as what is given, and what is below zero is none", () => {
  const look = lookAt(SCENE, SIZES[0]);
  const ribbons = allIn(picture(look).under).filter(
    ({ attributes }) => attributes["data-river"],
  );
  assert.equal(ribbons.length, 6);
  // As high where it ends as where it began: "… to V to+width C …".
  const widthOf = ({ attributes: { d } }) => {
    const found = / (\S+)V(\S+?)C/.exec(d);
    return found === null ? 0 : Number(found[2]) - Number(found[1]);
  };
  [3, -0.5, 0.1, 0.5, 0.3, 0.1].forEach((amount, at) => {
    const expected = Math.max(0, amount) * look.layout.scale;
    assert.ok(Math.abs(widthOf(ribbons[at]) - expected) < 0.03, `${at}`);
  });
});

test("places that spoke for the class in focus are marked by what they gave", () => {
  const dotsIn = (focus) =>
    allIn(picture(lookAt(SCENE, SIZES[0], { focus })).over).filter(
      ({ tag }) => tag === "circle",
    );
  assert.equal(dotsIn(null).length, 0);
  const [one, two] = dotsIn(0); // 2.5 and 1 in all
  assert.ok(one.attributes.r > two.attributes.r);
  const ratio = one.attributes.r ** 2 / two.attributes.r ** 2;
  assert.ok(Math.abs(ratio - 2.5) < 0.1, `${ratio}`);
  const [, less] = dotsIn(1); // 0.2, and -0.5 + 0.1
  assert.match(less.attributes.class, /is-less/);
});

test("whatever is in focus, a class keeps its place on the page, and so its focus", () => {
  const placeOf = (focus) => {
    const { over } = picture(lookAt(SCENE, SIZES[0], { focus }));
    const group = over.findIndex(({ content }) =>
      content.some(({ attributes }) => "data-class" in attributes),
    );
    const at = over[group].content.findIndex(
      ({ attributes }) => attributes["data-class"] === 2,
    );
    return [group, at, over.length];
  };
  assert.deepEqual(placeOf(0), placeOf(null));
});

test("each part is a button that tells what it gives; Tab comes to the strongest", () => {
  const parts = allIn(picture(lookAt(SCENE, SIZES[0])).over).filter(
    ({ attributes }) => "data-tile" in attributes,
  );
  assert.deepEqual(
    parts.map(({ attributes }) => [attributes["aria-label"], attributes.tabindex]),
    [
      [
        "type 0 gives 3.00 of the 3.50 given to a, 0.10 to c and −0.50 to b; strongest capsule at row 0, column 0, length 0.90",
        0,
      ],
      [
        "type 1 gives 0.50 of the 3.50 given to a, 0.30 to b and 0.10 to c; strongest capsule at row 0, column 1, length 0.60",
        -1,
      ],
    ],
  );
});

test("a part in the middle lights what comes to it and what it gives", () => {
  const look = lookAt(DEEP, SIZES[0], { part: { level: 1, tile: 1 } });
  const lit = allIn(picture(look).under)
    .filter(({ attributes }) => attributes["fill-opacity"] === 0.95)
    .map(({ attributes }) => attributes["data-river"]);
  assert.ok(lit.length > 0);
  assert.ok(lit.every((river) => river.endsWith("/1") || river.startsWith("1/1/")));
});

test("each class is a button that tells its score", () => {
  const rows = allIn(
    picture(lookAt(SCENE, SIZES[0], { held: 1, focus: 1 })).over,
  ).filter(({ attributes }) => "data-class" in attributes);
  assert.deepEqual(
    rows.map(({ attributes }) => [
      attributes["aria-label"],
      attributes["aria-pressed"],
    ]),
    [
      ["a, length 0.900", "false"],
      ["b, length 0.100", "true"],
      ["c, length 0.200", "false"],
    ],
  );
});

test("of more classes than there is room for, the best are named", () => {
  const classes = 300;
  const scene = {
    ...SCENE,
    rivers: [],
    names: Array.from({ length: classes }, (_, at) => `class ${at}`),
    classes: {
      ...SCENE.classes,
      scores: Float32Array.from({ length: classes }, (_, at) => at / classes),
    },
    prediction: 150,
    steps: 1,
    step: 0, // by another rule than the best score
  };
  const drawn = allIn(picture(lookAt(scene, SIZES[0])).over);
  const written = drawn.filter(
    ({ attributes: { class: kind, visibility } }) =>
      kind === "overview-digit" && visibility === "inherit",
  );
  const names = written.map(({ content: [name] }) => name);
  assert.ok(names.includes("class 150") && names.includes("class 299"), String(names));
  const lines = written.map(({ attributes: { y } }) => y);
  for (const [at, y] of lines.slice(1).entries())
    assert.ok(y - lines[at] >= 15, `${names[at]} and the next, ${y - lines[at]} px`);
  assert.ok(lines.at(-1) < SIZES[0].height, "the last stands within the picture");
  assert.ok(written.length > 15, "the column is written from top to bottom");
  const sizes = drawn.flatMap(({ attributes: { width, height } }) => [width, height]);
  assert.ok(sizes.every((size) => size === undefined || size >= 0));
});

test("a cell sees a window of each layer below, down to the pixels", () => {
  const maps = { ...COLUMN, id: "maps", window: { size: 3, step: 1, first: [-1, 0] } };
  const caps = { ...COLUMN, below: "maps", window: { size: [4, 2], step: 2 } };
  assert.deepEqual(seenFrom(caps, [maps, caps], { row: 1, column: 2 }), [
    { id: "maps", row: 2, column: 4, rows: 4, columns: 2 },
    { id: null, row: 1, column: 4, rows: 6, columns: 4 },
  ]);
});

test("the edge of a ribbon that routing has narrowed tells it without hues", () => {
  const lost = allIn(picture(lookAt(SCENE, SIZES[0])).under)
    .filter(({ attributes }) => /is-lost/.test(attributes.class ?? ""))
    .map(({ attributes }) => attributes["data-river"]);
  assert.deepEqual(lost, ["0/0/2", "0/1/2"]); // from 0.3 and 0.2 to 0.1
});
