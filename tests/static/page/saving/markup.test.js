import assert from "node:assert/strict";
import { test } from "node:test";
import {
  around,
  documentOf,
  element,
  escapeText,
} from "../../../../static/js/page/saving/markup.js";

test("a box around several is as small as can be", () => {
  const boxes = [
    { x: 10, y: 20, width: 30, height: 5 },
    { x: 0, y: 22, width: 5, height: 50 },
  ];
  assert.deepEqual(around(boxes), { x: 0, y: 20, width: 40, height: 52 });
});

test("names are text, whatever they hold", () => {
  for (const [name, written] of [
    [
      "</text><script>alert(1)</script>",
      "&lt;/text&gt;&lt;script&gt;alert(1)&lt;/script&gt;",
    ],
    ['" onload="x', "&quot; onload=&quot;x"],
    ["a & b", "a &amp; b"],
    ["\0\x1b\ud800\ufffe", "\ufffd\ufffd\ufffd\ufffd"],
    ["四 😀", "四 😀"],
  ])
    assert.equal(escapeText(name), written);
  assert.equal(
    element("text", { x: 1.23456, "font-family": '"A", b', y: null, dy: false }, "1"),
    '<text x="1.23" font-family="&quot;A&quot;, b">1</text>',
  );
});

const PICTURE = {
  box: { x: 100, y: 50, width: 500, height: 200 },
  content: '<circle cx="100" cy="50" r="3"/>',
};
const CAPTION = {
  title: "Overview <b>",
  parts: ["My & net", "“</svg>”", "type 18 silent", "CapsNet Explorer 1.0"],
  link: "http://x.org/#view=overview&sample=four",
};

test("a document has its picture where it begins, and a line that says what it is", () => {
  const { text, width, height } = documentOf(PICTURE, CAPTION, "serif", false);
  assert.equal(width, 524);
  assert.match(text, new RegExp(`^<\\?xml.*\n<svg [^>]*viewBox="0 0 524 ${height}"`));
  assert.match(text, /<title>Overview &lt;b&gt;<\/title>/);
  assert.match(text, /<g transform="translate\(-88 -38\)"><circle/);
  assert.match(
    text,
    /<text x="12" y="234">My &amp; net · “&lt;\/svg&gt;” · type 18 silent · CapsNet Explorer 1.0<\/text>/,
  );
  assert.match(text, /<a href="http:\/\/x.org\/#view=overview&amp;sample=four"><text/);
  assert.match(text, /<rect width="524" height="\d+" fill="#fff"\/>/);
  assert.doesNotMatch(documentOf(PICTURE, CAPTION, "serif", true).text, /fill="#fff"/);
});

test("what is long goes on in the next line, and a long link is cut where it is read", () => {
  const link = `http://x.org/#image=${"A".repeat(2000)}`;
  const parts = [...CAPTION.parts, "word ".repeat(60)];
  const short = documentOf(PICTURE, CAPTION, "serif", false);
  const long = documentOf(PICTURE, { ...CAPTION, parts, link }, "serif", false);
  assert.equal(long.width, short.width);
  assert.ok(long.height >= short.height + 60);
  assert.ok(long.text.includes(`<a href="${link}">`));
  const texts = [...long.text.matchAll(/<text[^>]*>([^<]*)</g)].map(([, text]) =>
    text.replace(/&[a-z]+;/g, "."),
  );
  assert.ok(
    texts.every((line) => line.length <= 86),
    texts.join("\n"),
  );
  assert.match(texts[texts.length - 1], /…$/);
});
