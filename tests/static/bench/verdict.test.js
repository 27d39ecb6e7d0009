import assert from "node:assert/strict";
import { test } from "node:test";
import {
  explain,
  isPlainPass,
  keepSources,
  rarityWords,
  readerWords,
  unlikeWords,
} from "../../../static/js/bench/verdict.js";
import { ruleWords, saidOf, saidWords } from "../../../static/js/core/scores.js";
import { createStore } from "../../../static/js/core/store.js";
import { ranked } from "../../../static/js/lib/arithmetic.js";
import { grey, MODEL, says, seededRandom, tensor } from "../fixtures.js";
import { capsnet as network } from "../networks/networks.js";

const NAMED = { ...MODEL, class_names: ["0", "1", "2"] };
const DRAWING = { kind: "drawing" };
const scores = (...values) => Float32Array.from(values);

const said = explain;

test("the longest and the runner-up are told", () => {
  assert.equal(
    said(scores(0.1, 0.25, 0.9), NAMED, DRAWING),
    "length 0.900; runner-up 1 at 0.250.",
  );
});

test("a network that takes the image for no digit is said to", () => {
  assert.equal(
    said(scores(0.1, 0.25, 0.49), NAMED, DRAWING),
    "sees none of its classes; no length reaches 0.5; the longest, 2, has 0.490.",
  );
  assert.equal(
    said(scores(0.1, 0.25, 0.5), NAMED, DRAWING),
    "length 0.500; runner-up 1 at 0.250.",
  );
  assert.match(said(scores(0, 0, 0), NAMED, DRAWING), /every length is 0\.$/);
});

for (const [label, words] of [
  [2, "The label agrees."],
  [1, "The label says 1."],
]) {
  test(`where a label is known, it is compared: ${label}`, () => {
    const sample = { kind: "sample", id: "a", label, title: "a digit" };
    assert.ok(said(scores(0, 0, 0.9), NAMED, sample).endsWith(words));
  });
}

test("a network that names two classes says both, and labels are all of them", () => {
  const two = { ...NAMED, present: { at_most: 2, threshold: 0.5 } };
  const sample = { kind: "sample", id: "a", label: 0, title: "a digit" };
  assert.equal(
    said(scores(0.8, 0.25, 0.9), two, sample),
    "lengths 0.900 and 0.800; next 1 at 0.250. The label says 0.",
  );
  const pair = (...labels) => ({
    kind: "pair",
    digits: labels.map((label) => ({ label })),
    turn: 1,
  });
  const onPairs = { ...two, card: { dataset: "overlapping" } };
  for (const [labels, words] of [
    [[0, 2], "Both labels agree."],
    [[0, 1], "The labels say 0 and 1."],
    [[0, 0], "The labels say 0 and 0."],
    [[0, null], "next 1 at 0.250."],
  ])
    assert.ok(said(scores(0.8, 0.25, 0.9), onPairs, pair(...labels)).endsWith(words));
  assert.equal(
    said(scores(0.2, 0.25, 0.9), two, sample),
    "length 0.900; runner-up 1 at 0.250. The label says 0.",
  );
  const none = scores(0.2, 0.25, 0.4);
  assert.match(
    said(none, two, DRAWING),
    /no length reaches 0.5; the longest, 2, has 0.400\.$/,
  );
  const words = (answer) => saidWords(saidOf(answer, two), two);
  assert.equal(words(scores(0.8, 0.25, 0.9)), "2 and 0");
  assert.equal(words(none), "none");
  const rule =
    "up to 2 classes, those with the highest length, where it is at least 0.5";
  assert.equal(ruleWords(two), rule);
  assert.equal(ruleWords(NAMED), "the class with the highest length");
});

const pixels = grey(Array.from({ length: 784 }, (_, i) => (i < 100 ? 255 : 0)));

/** A model whose test digits beyond 0.02 measure 0.03, 0.04 and 0.05, of 1000. */
function modelWith(measure, scores = "length") {
  const outliers = {
    measure,
    threshold: 0.02,
    beyond: [0.03, 0.04, 0.05],
    test_images: 1000,
  };
  return { ...MODEL, scores, card: { ...MODEL.card, outliers } };
}

/** A trace whose reconstruction has a mean squared error of about `error`. */
function traceWith(error, scores = [0.9, 0.1]) {
  const level = 1 - Math.sqrt((error * 784) / 100);
  const decoded = Array.from(pixels.bytes, (byte) => (byte === 255 ? level : 0));
  return {
    pixels,
    tensors: {
      scores: tensor([2], scores),
      reconstruction: tensor([28, 28], decoded),
    },
  };
}

test("a reconstruction that is far off is said to be, with how rare that is", () => {
  const said = (error) => unlikeWords(traceWith(error), modelWith("error"), DRAWING);
  const begin = "Is this a digit at all? The reconstruction looks unlike the drawing:";
  assert.equal(said(0.035), `${begin} 1 in 500 test digits is this far off.`);
  assert.equal(said(0.025), `${begin} about 1 in 333 test digits is this far off.`);
  says(said(0.06), "none of the 1 000 test digits");
});

test("a network without a decoder is judged by its scores", () => {
  const cnn = modelWith("score", "probability");
  const unsure = traceWith(0, [0.955, 0.045]);
  delete unsure.tensors.reconstruction;
  unsure.tensors.scores = tensor([3], [0.955, 0.03, 0.015]);
  says(unlikeWords(unsure, cnn, DRAWING), "a highest probability: 1 in 1 000 test");
  const gap = modelWith("gap", "probability");
  assert.ok(unlikeWords(unsure, gap, DRAWING).includes("so small a lead over"));
});

test("a doubt between two digits is not the doubt whether it is one", () => {
  const cnn = modelWith("score", "probability");
  const random = seededRandom(4);
  const seen = new Set();
  for (let run = 0; run < 200; run++) {
    const raw = Array.from({ length: 10 }, () => random() ** (2 + (run % 40)));
    const total = raw.reduce((sum, each) => sum + each);
    const trace = traceWith(
      0,
      raw.map((each) => each / total),
    );
    delete trace.tensors.reconstruction;
    const { data } = trace.tensors.scores;
    const [first, second] = ranked(data);
    const words = unlikeWords(trace, cnn, DRAWING);
    if (1 - data[first] <= 0.02) assert.equal(words, "");
    else {
      const isBetween = data[first] + data[second] >= 0.99;
      seen.add(isBetween);
      const question = isBetween
        ? `${first} or ${second}? `
        : "Is this a digit at all? ";
      assert.ok(words.startsWith(question), words);
    }
  }
  assert.equal(seen.size, 2);
});

test("only a pass with the network's own iterations is compared with the card", () => {
  const trace = (iterations) => ({
    ...traceWith(0.5),
    model: MODEL.id,
    prediction: 0,
    options: { iterations },
  });
  assert.ok(isPlainPass(trace(3), MODEL, network));
  assert.ok(!isPlainPass(trace(1), MODEL, network));
});

test("one of how many is told exactly where it is exact", () => {
  assert.equal(rarityWords(50, 10_000), "1 in 200 test digits is");
  assert.equal(rarityWords(85, 10_000), "about 1 in 118 test digits is");
  assert.equal(rarityWords(1, 10_000), "1 in 10\u202f000 test digits is");
});

test("a verdict names its network, and says where others read, or another picture is read", () => {
  const net = { title: "CapsNet on MNIST" };
  assert.equal(readerWords(net, "explore"), "CapsNet on MNIST");
  assert.equal(readerWords(net, "lab"), "CapsNet on MNIST, on the unchanged image");
  assert.match(readerWords(net, "train"), /, not the network that learns$/);
});

test("while a new image is read, the answer is told of the old one and its label", () => {
  const store = createStore({ pixels: null, source: { label: 4 }, trace: null });
  const sourceOf = keepSources(store);
  const [old, fresh] = [{}, {}];
  store.set({ pixels: old, source: { label: 4 } });
  store.set({ pixels: fresh, source: { label: 1 } });
  const now = store.get().source;
  assert.equal(sourceOf({ pixels: old }, now).label, 4);
  assert.equal(sourceOf({ pixels: fresh }, now).label, 1);
  assert.equal(sourceOf({ pixels: {} }, now), now);
});
