import assert from "node:assert/strict";
import { mock, test } from "node:test";

import { createDrawn, posesOf } from "../../../static/js/overview/drawn.js";
import { flowsOf } from "../../../static/js/overview/flows.js";
import { layOut, stand } from "../../../static/js/overview/layout.js";
import { picture } from "../../../static/js/overview/picture.js";
import { picturedParts, sharesOf } from "../../../static/js/overview/pictured.js";
import {
  piecesOf,
  pieceTiles,
  pieceWords,
} from "../../../static/js/overview/pieces.js";
import { COLUMN, DEEP, RIVER, SCENE } from "./scene.js";

/** (steps 2, types 2, classes 3, numbers 2): in the last, type 0 adds (3, 0) to class 0, and type 1 (0, 4). */
const GIVEN = Float32Array.from(
  [
    [1, 0, 1, 0, 1, 0],
    [0, 1, 0, -1, 0, 1],
    [3, 0, 0, 0, 1, 0],
    [0, 4, 0, 1, 1, 0],
  ].flat(),
);

/** Type 1 answers to anything. */
const FULL = {
  ...SCENE,
  rivers: [{ ...RIVER, given: GIVEN }],
  classes: { ...SCENE.classes, pose: () => [0.6, 0.8] },
  drawn: { id: "drawn", title: "Drawn", size: "8×8", values: new Float32Array(64) },
  sought: {
    caps: {
      pictures: new Float32Array(32),
      shape: { channels: 1, rows: 4, columns: 4 },
      isOfAnything: (type) => type === 1,
    },
  },
};

const DESK = { width: 1005, height: 520 };
const SIZES = [
  ...[DESK, { width: 1005, height: 330 }, { width: 1560, height: 866 }],
  ...[
    { width: 800, height: 400 },
    { width: 664, height: 440 },
  ],
  { width: 336, height: 440 },
];

function lookAt(scene, size, more = {}) {
  const flows = flowsOf(scene);
  const layout = layOut(scene, flows, size);
  const { answers = [scene.prediction], step = scene.step } = more;
  const most = layout.pictures?.most ?? 0;
  const pictured = layout.pictures ? picturedParts(flows, answers, most) : [];
  const moment = flows.at(step);
  const rest = { focus: null, held: null, part: null, was: null, owners: [] };
  const look = { scene, flows, layout, moment, step, answers, pictured };
  return { ...look, ...rest, ...more };
}

function standingOf(look) {
  const { layout, flows, moment, pictured } = look;
  return stand(layout, flows, moment, 3, null, pictured);
}

const kindsIn = ({ pictures }) => pictures?.shown.map(({ of }) => of) ?? [];

test("parts with pictures are the fewest that give nine tenths to each answer", () => {
  const flows = flowsOf(SCENE);
  assert.deepEqual([...sharesOf(flows.at(1).outs[0], 0)], [3 / 3.5, 0.5 / 3.5]);
  assert.deepEqual(picturedParts(flows, [0], 5), [0, 1]);
  // Of b, type 0 takes away; type 1 gives all of it.
  assert.deepEqual(picturedParts(flows, [1], 5), [1]);
  assert.deepEqual(picturedParts(flows, [0, 1], 5), [1, 0]);
  assert.deepEqual(picturedParts(flows, [0, 1], 1), [1]);
});

test("shares are of what all parts give, also those that are drawn together", () => {
  const gives = [
    4,
    ...Array(30).fill(0.5),
    ...Array(5).fill(0.4),
    ...Array(4).fill(-0.4),
  ];
  const parts = gives.length;
  const numbers = [...gives.keys()];
  const of = { values: new Float32Array(2 * parts), strength: Array(parts).fill(1) };
  const column = { ...COLUMN, count: parts, numbers, ...of };
  const amounts = Float32Array.from(gives.flatMap((give) => [give, 0, 0, 0, 0, 0]));
  const river = { ...RIVER, steps: 1, parts, amounts };
  const scene = { ...FULL, columns: [column], rivers: [river], drawn: null };
  const look = lookAt(scene, DESK);
  const { rows } = piecesOf(look, standingOf(look));
  assert.equal(rows[0].type, 0);
  // 4 of 4 + 30 × 0.5 + 5 × 0.4: what four take away is no part of that.
  assert.ok(Math.abs(rows[0].shares[0] - 4 / 21) < 1e-6, `${rows[0].shares}`);
});

test("pictures are of what is known: seen, sought and said", () => {
  assert.deepEqual(kindsIn(lookAt(FULL, DESK).layout), ["saw", "seeks", "says"]);
  assert.deepEqual(kindsIn(lookAt(SCENE, DESK).layout), ["saw"]);
  const blind = { ...COLUMN, window: null };
  const alone = { ...FULL, columns: [blind], sought: {} };
  assert.deepEqual(kindsIn(lookAt(alone, DESK).layout), ["says"]);
  assert.equal(lookAt({ ...FULL, isEmpty: true }, DESK).layout.pictures, null);
});

test("where there is room for two, these are what it saw and what it says", () => {
  const { pictures } = lookAt(FULL, { width: 300, height: 440 }).layout;
  assert.deepEqual(
    pictures.shown.map(({ of }) => of),
    ["saw", "says"],
  );
});

test("of several levels, parts of the last say what the mean of their votes is", () => {
  const given = Float32Array.from([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  const [low, mid] = DEEP.rivers;
  const rivers = [low, { ...mid, given, isOfMeans: true }];
  const scene = { ...DEEP, drawn: FULL.drawn, rivers };
  const look = lookAt(
    { ...scene, classes: { ...scene.classes, pose: () => [1, 1] } },
    DESK,
  );
  const standing = standingOf(look);
  const { pieces } = piecesOf(look, standing);
  const own = standing.parts[1];
  const { axes, pictures, classesX } = look.layout;
  assert.deepEqual(
    pieces.map(({ of, part }) => [of, part]),
    [
      ["says", 0],
      ["says", 1],
    ],
  );
  assert.ok(pieces[0].box.x >= own[0].x + own[0].width);
  assert.ok(axes[1] + pictures.reach < classesX);
  assert.deepEqual(posesOf({ scene: look.scene, step: 0, types: [1] }, 2), [[11, 12]]);
});

for (const size of SIZES)
  for (const step of [0, 1])
    test(`pictures lie on nothing: ${size.width}×${size.height}, iteration ${step + 1}`, () => {
      const look = lookAt(FULL, size, { step });
      const { layout } = look;
      const standing = standingOf(look);
      const boxes = piecesOf(look, standing).pieces.map(({ box }) => box);
      assert.ok(boxes.length > 0);
      const { top, space, axes, pictures, classesX } = layout;
      const others = [...standing.parts[0], ...boxes];
      boxes.forEach((box, at) => {
        assert.ok(box.y >= top && box.y + box.height <= top + space);
        others.forEach((other, place) => {
          if (place === standing.parts[0].length + at) return;
          const isApart =
            box.x >= other.x + other.width ||
            other.x >= box.x + box.width ||
            box.y >= other.y + other.height ||
            other.y >= box.y + box.height;
          assert.ok(isApart, JSON.stringify([box, other]));
        });
        assert.ok(box.x + box.width <= axes[0] + pictures.reach);
      });
      assert.ok(classesX - axes[0] - pictures.reach >= 110);
    });

test("nothing moves while a class is pointed at: pictures fade, shares go", () => {
  const still = lookAt(FULL, DESK);
  const pointed = { ...still, focus: 2 };
  const [before, after] = [still, pointed].map((look) =>
    pieceTiles(look, piecesOf(look, standingOf(look)).pieces),
  );
  assert.deepEqual(
    before.map(({ box }) => box),
    after.map(({ box }) => box),
  );
  assert.ok(after.every(({ alpha }) => alpha < 1));
  const written = (look) =>
    textsIn(picture(look).over).filter((text) => text.endsWith("%"));
  assert.deepEqual(written(still), ["86%", "14%"]);
  assert.deepEqual(written(pointed), []);
});

function textsIn(described) {
  return described.flatMap((each) =>
    typeof each === "string" ? [each] : each ? textsIn(each.content) : [],
  );
}

test("a type that answers to anything seeks nothing that a picture shows", () => {
  const look = lookAt(FULL, DESK);
  const { pieces } = piecesOf(look, standingOf(look));
  const sought = pieces.filter(({ of }) => of === "seeks");
  assert.deepEqual(
    sought.map(({ type, is }) => [type, is]),
    [
      [0, "shown"],
      [1, "any"],
    ],
  );
  // Type 0 gives most to a from its place 0, which sees columns 0 to 3; as does type 1.
  assert.equal(pieceWords(look, 0, pieces), "saw rows 0 to 3, columns 0 to 3; says a");
  assert.equal(
    pieceWords(look, 1, pieces),
    "saw rows 0 to 3, columns 0 to 3; answers to anything; says a",
  );
});

test("what takes away from a class says nothing for it", () => {
  const look = lookAt(FULL, DESK, { answers: [1], step: 0 });
  const { pieces } = piecesOf(look, standingOf(look));
  const [said] = pieces.filter(({ of }) => of === "says");
  assert.deepEqual([said.type, said.is], [1, "against"]);
  assert.match(pieceWords(look, 1, pieces), /speaks against b$/);
});

test("two answers have a picture each of what a part says", () => {
  const scene = { ...FULL, present: [0, 1] };
  const look = lookAt(scene, { width: 1560, height: 866 }, { answers: [0, 1] });
  const { pieces } = piecesOf(look, standingOf(look));
  const own = pieces.filter(({ of, type }) => of === "says" && type === 0);
  assert.deepEqual(
    own.map(({ answer, is }) => [answer, is]),
    [
      [0, "shown"],
      [1, "against"],
    ],
  );
  const tiles = pieceTiles(look, pieces).filter(({ from }) => from === "says");
  assert.deepEqual(new Set(tiles.map(({ answer }) => answer)), new Set([0, 1]));
});

test("the votes of a type are drawn as long as the pose of the class", () => {
  const asked = { scene: FULL, step: 1, types: [1, 0] };
  assert.deepEqual(posesOf(asked, 0), [
    [0, 1],
    [1, 0],
  ]);
});

test("what the decoder draws of a class is asked for in one request, and not again at once", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  let time = 1000;
  const clock = mock.method(performance, "now", () => time);
  try {
    const requests = [];
    let drawn = 0;
    const computeTensors = async (_model, _path, body) => {
      requests.push(body);
      const values = body.poses.flatMap(([first]) => new Array(64).fill(first));
      return { images: { data: Float32Array.from(values) } };
    };
    const services = { server: { computeTensors }, guarded: (job) => job };
    const open = { get: () => ({ model: { id: "some" } }) };
    const drawnOf = createDrawn(open, services, () => drawn++);
    const asked = { scene: FULL, wanted: [0], answers: [0], step: 0, types: [0, 1] };
    assert.deepEqual(drawnOf(asked), { drawn: [null], said: new Map() });
    await settled();
    const [pose, ...votes] = requests[0].poses;
    assert.deepEqual([requests.length, requests[0].digit, pose], [1, 0, [0.6, 0.8]]);
    assert.deepEqual(votes, posesOf(asked, 0));
    assert.equal(drawn, 1);
    const now = drawnOf(asked);
    const said = now.said.get(0);
    assert.ok(now.drawn[0].every((ink) => Math.abs(ink - 0.6) < 1e-6));
    assert.deepEqual([said.types, said.images[0], said.images[64]], [[0, 1], 1, 0]);
    // Meanwhile, of another step, those of before are shown; the newest wish waits.
    const next = { ...asked, step: 1, types: [0] };
    assert.equal(drawnOf(next).said.get(0), said);
    assert.equal(drawnOf(next).drawn[0], FULL.drawn.values);
    drawnOf({ ...next, types: [1] });
    await settled();
    assert.equal(requests.length, 1);
    time += 100;
    mock.timers.tick(100);
    await settled();
    assert.deepEqual(requests.slice(1), [{ digit: 0, poses: [[0, 1]] }]);
  } finally {
    mock.timers.reset();
    clock.mock.restore();
  }
});

/** Until promises that are settled have been answered. */
const settled = () => new Promise((done) => setImmediate(done));
