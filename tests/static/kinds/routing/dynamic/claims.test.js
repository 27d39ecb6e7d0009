/** Every sentence of Routing, held to the numbers that it speaks of. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { figuresOf } from "../../../../../static/js/kinds/routing/dynamic/figures.js";
import { describeMoved } from "../../../../../static/js/kinds/routing/dynamic/flow.js";
import { tell } from "../../../../../static/js/kinds/routing/dynamic/story.js";
import { seededRandom } from "../../../fixtures.js";

const [TYPES, ROWS, COLUMNS, CLASSES, DIM] = [3, 2, 2, 4, 3];
const CAPSULES = TYPES * ROWS * COLUMNS;
const NAMES = ["zero", "one", "two", "three"];

const tensor = (shape, values) => ({ shape, data: Float32Array.from(values.flat(9)) });
const norm = (vector) => Math.hypot(...vector);
const squash = (s) => s.map((x) => (x * norm(s)) / (1 + norm(s) ** 2));
const dot = (a, b) => a.reduce((sum, x, i) => sum + x * b[i], 0);

function softmax(logits) {
  const powers = logits.map(Math.exp);
  const sum = powers.reduce((a, b) => a + b);
  return powers.map((power) => power / sum);
}

/** Routing by agreement as Procedure 1 writes it, with surgery, one capsule at a time. */
function route(votes, iterations, { uniform, held }) {
  const logits = votes.map(() => new Array(CLASSES).fill(0));
  const steps = [];
  for (let step = 0; step < iterations; step++) {
    const couplings = logits.map((own, capsule) => {
      const pin = held.get(capsule);
      if (!pin) return softmax(own);
      const others = softmax(own.with(pin.classIndex, Number.NEGATIVE_INFINITY));
      return others.map((share, classIndex) =>
        classIndex === pin.classIndex ? pin.coupling : share * (1 - pin.coupling),
      );
    });
    const capsules = NAMES.map((_, classIndex) => {
      const total = new Array(DIM).fill(0);
      votes.forEach((own, i) => {
        own[classIndex].forEach((x, d) => {
          total[d] += couplings[i][classIndex] * x;
        });
      });
      return squash(total);
    });
    const agreement = votes.map((own) =>
      own.map((vote, classIndex) => dot(vote, capsules[classIndex])),
    );
    steps.push({ couplings, capsules, agreement });
    if (!uniform)
      agreement.forEach((own, i) => {
        own.forEach((grows, classIndex) => {
          logits[i][classIndex] += grows;
        });
      });
  }
  return steps;
}

/** Scenes of many images, iterations and operations, with what was computed for each. */
function* scenes() {
  const random = seededRandom(11);
  const between = (low, high) => low + (high - low) * random();
  for (let image = 0; image < 40; image++) {
    // From nothing to strong votes; in some images all say the same.
    const size = [0, 0.01, 0.3, 1, 3][image % 5];
    const votes = Array.from({ length: CAPSULES }, () =>
      NAMES.map(() => Array.from({ length: DIM }, () => size * between(-1, 1.5))),
    );
    const iterations = 1 + (image % 7);
    const held = new Map();
    if (image % 3 === 1) held.set(image % CAPSULES, { classIndex: 1, coupling: 1 });
    if (image % 4 === 2)
      held.set((image + 5) % CAPSULES, { classIndex: 3, coupling: between(0, 1) });
    const steps = route(votes, iterations, { uniform: image % 6 === 5, held });
    const grid = [TYPES, ROWS, COLUMNS];
    const tensors = {
      couplings: tensor(
        [iterations, ...grid, CLASSES],
        steps.map((one) => one.couplings),
      ),
      agreement: tensor(
        [iterations, ...grid, CLASSES],
        steps.map((one) => one.agreement),
      ),
      capsules: tensor(
        [iterations, CLASSES, DIM],
        steps.map((one) => one.capsules),
      ),
      lengths: tensor(
        grid,
        Array.from({ length: CAPSULES }, () => between(0, 1)),
      ),
    };
    const figures = figuresOf({ tensors, ran: { silenced: [] } });
    for (let step = 0; step < iterations; step++) {
      for (let classIndex = 0; classIndex < CLASSES; classIndex++) {
        const model = { class_names: NAMES, classes: CLASSES, routing_iterations: 3 };
        const scene = {
          figures,
          step,
          classIndex,
          name: NAMES[classIndex],
          iterations,
          model,
        };
        yield { scene, steps, held };
      }
    }
  }
}

const lengthsIn = (one) => one.capsules.map(norm);
const near = (text, value) =>
  assert.ok(Math.abs(Number(text) - value) <= 0.00051, `${text} for ${value}`);

/** What is said of those who share in a digit, against the votes' own numbers. */
function checkSharers(words, { couplings, agreement, capsules }, classIndex) {
  const length = norm(capsules[classIndex]);
  const given = couplings
    .map((own, i) =>
      length > 0 ? (own[classIndex] * agreement[i][classIndex]) / length : 0,
    )
    .filter((one) => one > 0);
  const sum = given.reduce((a, b) => a + b, 0);
  const voters = sum ** 2 / given.reduce((a, b) => a + b ** 2, 0);
  if (!(voters > 0)) return assert.doesNotMatch(words, /Effectively/);
  const [count, share] = /Effectively one capsule/.test(words)
    ? [1, null]
    : /Effectively ([\d.]+) capsules share in \w+; the largest gives (\d+)/
        .exec(words)
        .slice(1)
        .map(Number);
  assert.ok(Math.abs(count - voters) <= (voters < 9.94 ? 0.051 : 0.51), words);
  if (share !== null)
    assert.ok(Math.abs(share - (100 * Math.max(...given)) / sum) <= 0.51, words);
}

test("the story of an iteration says what its numbers say", () => {
  let checked = 0;
  for (const { scene, steps } of scenes()) {
    const { step, classIndex, name } = scene;
    const words = tell(scene);
    const now = lengthsIn(steps[step]);
    const before = step > 0 ? lengthsIn(steps[step - 1]) : null;
    if (before === null) {
      near(/the votes make \w+ ([\d.]+) long/.exec(words)[1], now[classIndex]);
      const uneven = steps[0].couplings.filter((own) =>
        own.some((coupling) => Math.abs(coupling - 1 / CLASSES) >= 0.001),
      ).length;
      const said = /except (\d+) with a coupling that is held/.exec(words);
      assert.equal(said ? Number(said[1]) : 0, uneven, words);
    } else {
      const moves = steps[step].couplings.map(
        (own, i) => own[classIndex] - steps[step - 1].couplings[i][classIndex],
      );
      const counts = /(\d+) of 12 capsules sends? more to \w+, (\d+) sends? less/.exec(
        words,
      );
      if (counts) {
        assert.equal(/capsules sends more/.test(words), counts[1] === "1", words);
        assert.equal(/ sends less/.test(words), counts[2] === "1", words);
      }
      const isClose = moves.some((move) => Math.abs(Math.abs(move) - 0.001) < 1e-6);
      if (!isClose) {
        assert.equal(Number(counts?.[1] ?? 0), moves.filter((m) => m >= 0.001).length);
        assert.equal(Number(counts?.[2] ?? 0), moves.filter((m) => m <= -0.001).length);
      }
      const largest = (one) => Math.max(...one.couplings.map((own) => own[classIndex]));
      near(/the largest coupling is c = ([\d.]+)/.exec(words)[1], largest(steps[step]));
      const goes = new RegExp(`${name} (grows|shrinks) from ([\\d.]+) to ([\\d.]+)\\.`);
      const found = goes.exec(words);
      if (found) {
        near(found[2], before[classIndex]);
        near(found[3], now[classIndex]);
        assert.equal(found[1] === "grows", now[classIndex] > before[classIndex], words);
      } else {
        near(
          new RegExp(`${name} stays ([\\d.]+) long`).exec(words)[1],
          now[classIndex],
        );
        assert.ok(Math.abs(now[classIndex] - before[classIndex]) < 0.001, words);
      }
    }
    checkSharers(words, steps[step], classIndex);
    const longest = Math.max(...now);
    const lead = /(\w+) is the longest|(\w+) leads|(\w+) has overtaken/.exec(words);
    const first = lead?.slice(1).find(Boolean);
    if (first) assert.ok(now[NAMES.indexOf(first)] >= longest - 1e-6, words);
    else assert.match(words, /equally long/);
    const overtaken = / has overtaken (\w+)\./.exec(words);
    if (overtaken)
      assert.ok(before[NAMES.indexOf(overtaken[1])] >= Math.max(...before) - 1e-6);
    checked++;
  }
  assert.ok(checked > 500);
});

test("what routing has moved is said as it is", () => {
  for (const { scene, steps } of scenes()) {
    const words = describeMoved(scene);
    const isEven = steps[scene.step].couplings.every((own) =>
      own.every((coupling) => Math.abs(coupling - 1 / CLASSES) < 0.001),
    );
    assert.equal(/splits evenly/.test(words), isEven, words);
    const balance = /has (gained|lost) ([\d.]+)/.exec(words);
    if (balance) {
      const { classes, data } = scene.figures.moved(scene.step);
      let mine = 0;
      const own = [];
      for (let at = scene.classIndex; at < data.length; at += classes)
        own.push(data[at]);
      mine = own.reduce((sum, each) => sum + each, 0);
      assert.equal(balance[1] === "lost", mine < 0, words);
      assert.notEqual(balance[2], "0.00", words);
      const [, type] = /the most from type (\d+)/.exec(words);
      const most = mine < 0 ? Math.min(...own) : Math.max(...own);
      assert.equal(own[Number(type)], most, words);
    }
  }
});
