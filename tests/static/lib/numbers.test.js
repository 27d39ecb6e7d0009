import assert from "node:assert/strict";
import { test } from "node:test";
import {
  csv,
  gridTable,
  keepNumbers,
  numbersOf,
} from "../../../static/js/lib/numbers.js";

test("numbers are kept with their picture", () => {
  const [picture, other] = [{}, {}];
  keepNumbers(picture, () => [{ head: ["x"], rows: [[1]] }]);
  assert.deepEqual(numbersOf(picture)?.(), [{ head: ["x"], rows: [[1]] }]);
  assert.equal(numbersOf(other), undefined);
});

test("a grid is told cell by cell, by names where it has some", () => {
  const head = ["capsule", "class", "share"];
  const values = [0.5, 1, 2, 3];
  assert.deepEqual(gridTable(head, values, ["four", "nine"], ["a", "b"]).rows, [
    ...[
      ["a", "four", 0.5],
      ["a", "nine", 1],
      ["b", "four", 2],
      ["b", "nine", 3],
    ],
  ]);
  assert.deepEqual(gridTable(head, values, 4).rows[3], [0, 3, 3]);
});

test("a file tells every number of single precision, and none that is none", () => {
  const rows = [[Math.fround(0.1), -1e-12, Number.NaN, 7]];
  const text = csv([{ head: ["a", "b", "c", "d"], rows }], "net · image");
  assert.equal(text, "# net · image\n\na,b,c,d\n0.100000001,-1e-12,,7\n");
  assert.equal(Math.fround(Number("0.100000001")), Math.fround(0.1));
});

test("names in a file are quoted, and no spreadsheet computes them", () => {
  const names = ['a "b", c', "=1+1", "-2", "@x", "two\nlines", "# note", "−3 of all"];
  const rows = names.map((name) => [name]);
  const text = csv([{ title: "a\nb", head: ["name"], rows }], "line\n# more");
  assert.equal(
    text,
    `# line # more\n\n# a b\nname\n"a ""b"", c"\n'=1+1\n'-2\n'@x\n"two\nlines"\n"# note"\n−3 of all\n`,
  );
});
