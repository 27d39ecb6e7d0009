import assert from "node:assert/strict";
import { test } from "node:test";
import {
  alarm,
  errorsOf,
  noRocWords,
  rocNumbers,
  rocOf,
  rocWords,
} from "../../../../static/js/lab/attack/alarm.js";
import { START } from "../../../../static/js/lab/attack/experiment.js";
import { says } from "../../fixtures.js";

const NET = { id: "net", title: "Net", can: { reconstruct: true } };
const OTHER = { ...NET, id: "other" };
const attacker = (by) => ({
  ...{ values: [0.1, 0.2], accuracy: [0.9, 0.5], unseen: [0.1, 0.2] },
  ...{ alarms: [by, 2 * by], roc_area: [0.6, 0.75] },
  roc: [
    [by, 0.5],
    [2 * by, 0.9],
  ],
});
const ENTRY = {
  ...{ images: 1000, false_alarms: [0.01, 0.5], clean: { alarms: 0.008 } },
  attacks: { noise: attacker(0.1), fgsm: attacker(0.2), aware: attacker(0.05) },
};
const roc = (choices, eps = 0.2, from = NET) =>
  rocOf(ENTRY, { model: NET, from }, { ...START, ...choices }, eps);

test("the curve is of the measured \u03b5 nearest to the knob, beside noise of the same", () => {
  const found = roc({}, 0.17);
  assert.deepEqual(found, {
    ...{ name: "FGSM", eps: 0.2, images: 1000, rates: [0.01, 0.5] },
    ...{ found: [0.4, 0.9], area: 0.75, threshold: { rate: 0.008, found: 0.4 } },
    noise: { found: [0.2, 0.9], area: 0.75, atThreshold: 0.2 },
  });
  assert.match(rocWords(found, 0.17), /ε = 0\.20, the nearest ε that was/);
  says(rocWords(found, 0.2), "0.20…40.0…0.8 %…0.750…20.0…0.750");
});

test("noise has no control of its own, whosever gradient is chosen", () => {
  const found = roc({ method: "noise" }, 0.1, OTHER);
  assert.equal(found?.noise, null);
  assert.doesNotMatch(rocWords(found, 0.1), /Of random noise/);
});

test("an attacker who avoids the alarm has a curve of its own", () => {
  const found = roc({ method: "pgd", alarm: "avoided" });
  assert.equal(found?.name, "PGD that avoids the alarm");
  assert.equal(found?.threshold.found, 0.1);
});

test("what was not measured has no curve, and the words say what was", () => {
  for (const [choices, eps, from] of [
    [{ target: "3" }, 0.2, NET],
    [{ gradient: "last" }, 0.2, NET],
    [{ method: "pgd" }, 0.2, NET],
    [{}, 0.2, OTHER],
    [{}, 0, NET],
  ])
    assert.equal(roc(choices, eps, from), null);
  const found = { model: NET, from: NET };
  says(noRocWords(ENTRY, found, 0.2), "FGSM, PGD that avoids the alarm");
  assert.match(noRocWords(ENTRY, found, 0), /nothing to find/);
  says(noRocWords(null, found, 0.2), "not measured over test images");
  const blind = { ...found, model: { ...NET, can: { reconstruct: false } } };
  assert.equal(noRocWords(ENTRY, blind, 0.2), "");
});

test("the table has the threshold's own row", () => {
  const { names, columns } = rocNumbers(roc({}));
  assert.deepEqual(names, ["1.0\u202f%", "50.0\u202f%", "0.8\u202f% (threshold)"]);
  assert.deepEqual(
    columns.map(([, values]) => values),
    [
      [0.4, 0.9, 0.4],
      [0.2, 0.9, 0.2],
    ],
  );
});

test("the picture of the alarm names its lines, and noise only where it stands there", () => {
  const namesOf = (choices) => {
    const found = roc(choices);
    const errors = [{ title: "unchanged", error: 0.01 }];
    const [, , figure] = alarm(errors, 0.02, found, "told");
    const { lines, label } = figure.content[0].attributes;
    assert.equal(label, "told");
    return lines.flatMap(({ name }) => name ?? []);
  };
  const random = "an alarm at random";
  assert.deepEqual(namesOf({}), [random, "random noise of the same ε", "FGSM"]);
  assert.deepEqual(namesOf({ method: "noise" }), [random, "random noise"]);
});

test("errors of this image, or none without a reconstruction", () => {
  const read = (off) => ({ image: [0, 0], drawn: [off, off] });
  const reads = { clean: read(0.1), noisy: read(0.2), attacked: read(0.3) };
  const found = errorsOf(reads);
  assert.deepEqual(
    found?.map(({ title, error }) => [title, error.toFixed(2)]),
    [
      ["unchanged", "0.01"],
      ["noise", "0.04"],
      ["attacked", "0.09"],
    ],
  );
  const blind = { ...reads, clean: { image: [0], drawn: null } };
  assert.equal(errorsOf(blind), null);
});
