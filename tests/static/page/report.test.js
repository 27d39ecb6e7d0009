import assert from "node:assert/strict";
import { test } from "node:test";
import { numberWords, reportContent } from "../../../static/js/page/report.js";

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
  const words = texts(content);
  const expected = [
    "Primary",
    "4×6×6×8",
    "view",
    "1.3e-07",
    "Cut by view.",
    "It prints.",
  ];
  for (const text of expected) assert.ok(words.includes(text), text);
});

test("differences are written as Python writes them", () => {
  assert.equal(numberWords(null), "not compared");
  assert.equal(numberWords(0), "0");
  assert.equal(numberWords(1.24e-7), "1.2e-07");
  assert.equal(numberWords(0.0123), "0.012");
  assert.equal(numberWords(0.2), "0.2");
});
