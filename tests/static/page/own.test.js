import assert from "node:assert/strict";
import { test } from "node:test";
import { linesFor } from "../../../static/js/page/own.js";
import { numberWords, reportContent } from "../../../static/js/page/report.js";
import { LAYERS } from "../networks/layers.js";

const tensor = (name, ...shape) => ({ name, shape, title: "", precision: "f32" });
const described = (name) =>
  linesFor({
    layers: LAYERS[name],
    input_shape: [1, 28, 28],
    tensors: [tensor("primary.capsules", 32, 6, 6, 8)],
  })
    .split("\n")
    .filter((line) => line.startsWith("        ce."))
    .map((line) => line.trim());

test("the lines have the layers of the network on show", () => {
  assert.deepEqual(described("capsnet"), [
    'ce.Convolution("conv1", net.conv1),',
    'ce.Capsules("primary", net.primary, size=8, below="conv1"),',
    'ce.Routing("routing", lambda: net.W, below="primary"),',
    "ce.Classes(),",
    "ce.Decoder(net.decoder),",
  ]);
  assert.deepEqual(described("cnn"), [
    'ce.Convolution("conv1", net.conv1),',
    'ce.Pooling("pool1", below="conv1", size=2),',
    'ce.Convolution("conv2", net.conv2, below="pool1"),',
    'ce.Pooling("pool2", below="conv2", size=2),',
    'ce.Dense("hidden", net.hidden, below="pool2"),',
    'ce.Dense("out", net.out, below="hidden"),',
    "ce.Classes(),",
  ]);
});

test("capsules that routing makes are that routing's", () => {
  const layer = (id, kind, below, form = null) => ({
    id,
    kind,
    below,
    form,
  });
  const layers = [
    layer("first", "routing", null, "dynamic"),
    layer("first-capsules", "capsules", "first", "routed"),
    layer("second", "routing", "first-capsules", "dynamic"),
  ];
  const text = linesFor({ layers, input_shape: [3, 32, 32], tensors: [] });
  assert.match(text, /ce\.Routing\("second", lambda: net\.W, below="first"\)/);
  assert.doesNotMatch(text, /first_capsules/);
  assert.match(text, /\(n, 3, 32, 32\)/);
});

test("a described network's own capsules are capsules", () => {
  const { tensors } = LAYERS.capsnet[1];
  const layers = [{ ...LAYERS.capsnet[1], form: null, window: null, tensors }];
  const text = linesFor({ layers, input_shape: [1, 28, 28], tensors: [] });
  assert.match(text, /ce\.Capsules\("primary", net\.primary/);
});

test("what cannot be described by a kind is shown by its values", () => {
  assert.ok(described("matrix").some((line) => line.startsWith("ce.Values(")));
});

const texts = (content) =>
  typeof content === "string"
    ? [content]
    : Array.isArray(content)
      ? content.flatMap(texts)
      : content
        ? texts(content.content)
        : [];

test("a report is a table and sentences", () => {
  const content = reportContent({
    heading: "Mine: as it is.",
    layers: [
      {
        title: "Primary",
        shape: [4, 6, 6, 8],
        difference: 1.3e-7,
        words: "view",
      },
    ],
    sentences: [
      { layer: "primary", text: "Cut by view." },
      { layer: "", text: "It prints." },
    ],
  });
  const said = texts(content);
  const told = ["Primary", "4×6×6×8", "view", "1.3e-07", "Cut by view.", "It prints."];
  for (const each of told) assert.ok(said.includes(each), each);
});

test("differences are written as Python writes them", () => {
  assert.equal(numberWords(null), "not compared");
  assert.equal(numberWords(0), "0");
  assert.equal(numberWords(1.24e-7), "1.2e-07");
  assert.equal(numberWords(0.0123), "0.012");
  assert.equal(numberWords(0.2), "0.2");
});
