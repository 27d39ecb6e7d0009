import assert from "node:assert/strict";
import { test } from "node:test";

import {
  describeSupport,
  flowIn,
  readSupport,
} from "../../../../../static/js/kinds/routing/dynamic/flow.js";
import {
  changedWords,
  supportByType,
  supportIn,
  supportWords,
  thresholdWords,
  winnersOf,
} from "../../../../../static/js/kinds/routing/dynamic/two.js";
import { closeTo } from "../../../fixtures.js";
import { CAPSULES, givenBy, NAMES, norm, scenes } from "./scenes-made.js";

const present = { at_most: 2, threshold: 0.5 };

/** A scene of each iteration of each image, as a network that names two sees it. */
function* made() {
  for (const { scene, steps } of scenes())
    if (scene.classIndex === 0)
      yield { scene: { ...scene, model: { ...scene.model, present } }, steps };
}

test("the winners are the longest after the last iteration, in every iteration", () => {
  for (const { scene, steps } of made()) {
    const lengths = steps.at(-1).capsules.map(norm);
    const [one, other, third] = winnersOf(scene);
    const rest = NAMES.flatMap((_, i) => ([one, other, third].includes(i) ? [] : [i]));
    assert.ok(lengths[one] >= lengths[other] && lengths[other] >= lengths[third]);
    assert.ok(rest.every((each) => lengths[each] <= lengths[third]));
  }
});

test("support is what capsules add, counted one by one", () => {
  const close = closeTo(0.01);
  let changes = 0;
  for (const { scene, steps } of made()) {
    const support = supportIn(scene);
    const winners = winnersOf(scene).slice(0, 2);
    const added = (step, capsule, each) =>
      Math.max(0, givenBy(steps[step], each)[capsule]);
    const all = Array.from({ length: CAPSULES }, (_, i) => i);
    winners.forEach((each, i) => {
      const whole = all.reduce((sum, i) => sum + added(scene.step, i, each), 0);
      close(support.whole[i], whole);
      close(
        support.places[i].reduce((a, b) => a + b),
        whole,
      );
    });
    const leadOf = (step, i) => added(step, i, winners[0]) - added(step, i, winners[1]);
    const clear = all.filter((i) => Math.abs(leadOf(scene.step, i)) > 0.01);
    for (const i of clear) {
      const hasChanged = leadOf(0, i) * leadOf(scene.step, i) < 0;
      if (Math.abs(leadOf(0, i)) > 0.01)
        assert.equal(support.changed.includes(i), hasChanged);
    }
    assert.ok(support.sides[0] + support.sides[1] <= CAPSULES);
    if (scene.step === 0) assert.deepEqual(support.changed, []);
    changes += support.changed.length;
  }
  assert.ok(changes > 10, "there are such capsules in these images");
});

test("ribbons carry the same support, type by type, to the winners alone", () => {
  const close = closeTo(0.01);
  for (const { scene, steps } of made()) {
    const { types, rows, columns } = scene.grid;
    const amounts = supportByType(scene, scene.step);
    const winners = winnersOf(scene).slice(0, 2);
    assert.equal(amounts.length, types * NAMES.length);
    NAMES.forEach((name, each) => {
      const given = givenBy(steps[scene.step], each);
      for (let type = 0; type < types; type++) {
        const first = type * rows * columns;
        const own = given.slice(first, first + rows * columns);
        const added = own.reduce((sum, value) => sum + Math.max(0, value), 0);
        const amount = amounts[type * NAMES.length + each];
        if (winners.includes(each)) {
          close(amount, added);
          const words = `type ${type} → ${name}: adds ${amount.toFixed(3)}`;
          assert.equal(readSupport(scene, type, each), words);
        } else {
          assert.equal(amount, 0);
          assert.match(readSupport(scene, type, each), /is not one of the two/);
        }
      }
    });
    const words = describeSupport(scene);
    winners.forEach((each, i) => {
      const own = amounts.filter((_, k) => k % NAMES.length === each);
      const most = Math.max(...own);
      const whole = supportIn(scene).whole[i];
      const type = own.indexOf(most);
      const share = Math.round((100 * most) / own.reduce((a, b) => a + b));
      assert.ok(
        words.includes(
          whole < 0.001
            ? `add less than 0.001 to ${NAMES[each]}.`
            : `add ${whole.toFixed(2)} to ${NAMES[each]}, of which type ${type} adds the most: ${share}\u202f%.`,
        ),
        words,
      );
    });
  }
});

test("a network that names one class has no ribbons to two", () => {
  const flowOf = (flow, at_most) =>
    flowIn({ look: { flow }, model: { present: { at_most } } });
  assert.deepEqual(
    ["moved", "all", "two"].map((flow) => flowOf(flow, 1)),
    ["moved", "all", "moved"],
  );
  assert.equal(flowOf("two", 2), "two");
});

test("sentences follow from the support", () => {
  for (const { scene } of made()) {
    const support = supportIn(scene);
    const words = supportWords(scene, support);
    const [one, other] = winnersOf(scene).map((each) => NAMES[each]);
    assert.ok(
      words.includes(`to ${one} and ${support.whole[1].toFixed(2)} to ${other}`),
    );
    assert.equal(words.includes("changed sides"), scene.step > 0);
    assert.doesNotMatch(words, /\b0 (add|have)|\b1 (add|have)\b/);
    const [before, now] = [support.changed[0]].flatMap((capsule) =>
      capsule === undefined ? [] : changedWords(scene, capsule).split("; now "),
    );
    if (before === undefined) continue;
    const leadOf = (text) => {
      const [to, toOther] = text.match(/\d+\.\d{4}/g).map(Number);
      return to - toOther;
    };
    assert.ok(leadOf(before) * leadOf(now) < 0, "what is written differs, too");
  }
});

test("the threshold's sentence counts who is named", () => {
  const said = new Set();
  for (const { scene, steps } of made()) {
    const named = steps
      .at(-1)
      .capsules.map(norm)
      .filter((length) => length >= 0.5).length;
    const words = ["neither of the two", "the longest alone", "both"];
    const told = words[Math.min(named, 2)];
    assert.ok(thresholdWords(scene).endsWith(`names ${told}.`));
    said.add(told);
  }
  assert.ok(said.size > 1);
  const [{ scene }] = made();
  const always = { ...scene, model: { ...scene.model, present: { threshold: null } } };
  assert.match(thresholdWords(always), /^The network always names the two longest/);
});
