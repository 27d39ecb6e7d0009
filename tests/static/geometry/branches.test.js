import assert from "node:assert/strict";
import { test } from "node:test";

import {
  layOutBranches,
  leafAt,
  leafBox,
  leavesOf,
  nextLeaf,
} from "../../../static/js/geometry/branches.js";
import { closeTo, seededRandom } from "../fixtures.js";

const close = closeTo(1e-6);

/** One column of two nodes, one of a single node with two leaves. */
const SMALL = [[[6], [4]], [[7, 3]]];

test("branches, stems and leaves are on one scale", () => {
  const { scale, columns } = layOutBranches(SMALL, 400);
  assert.deepEqual(columns.map(({ width }) => width / scale).map(Math.round), [10, 10]);
  const [first, second] = columns[0].nodes;
  close(first.stem, 10 * scale);
  close(second.stem, 4 * scale);
  const [, { nodes }] = columns;
  close(nodes[0].leaves[0].width, 7 * scale);
  close(nodes[0].leaves[1].width, 3 * scale);
  close(columns[1].from, columns[0].from + columns[0].width);
});

test("whatever hangs on a tree stays within the picture", () => {
  const random = seededRandom(4);
  const some = (most, make) =>
    Array.from({ length: 1 + Math.floor(most * random()) }, make);
  for (let run = 0; run < 100; run++) {
    const amounts = some(9, () => some(4, () => some(6, () => 0.01 + random())));
    for (const width of [330, 460, 680]) {
      const branches = layOutBranches(amounts, width);
      const { columns, side } = branches;
      for (const place of leavesOf(branches)) {
        const node = columns[place.column].nodes[place.node];
        const { x, y, width: wide, height } = leafBox(branches, place);
        assert.ok(node.x >= -1e-6 && node.x + side <= width + 1e-6);
        assert.ok(x >= node.x - 1e-6 && x + wide <= node.x + side + 1e-6);
        assert.ok(y + height <= branches.bottom);
        assert.ok(node.stem <= side + 1e-6);
      }
      for (let i = 1; i < columns.length; i++)
        assert.ok(columns[i].x - columns[i - 1].x >= side);
    }
  }
});

test("a point on a node finds its leaves, one beside it nothing", () => {
  const branches = layOutBranches(SMALL, 400);
  for (const place of leavesOf(branches)) {
    const { x, y, width, height } = leafBox(branches, place);
    assert.deepEqual(leafAt(branches, x + width / 2, y + height / 2), place);
  }
  const { x, y } = branches.columns[1].nodes[0];
  assert.deepEqual(leafAt(branches, x + 5, y + 5), { column: 1, node: 0, leaf: 0 });
  assert.equal(leafAt(branches, x - 1, y + 5), null);
  assert.equal(leafAt(branches, x + 5, y - 5), null);
});

test("arrow keys reach every leaf, and stay at the edges", () => {
  const branches = layOutBranches(SMALL, 400);
  const at = (column, node, leaf) => ({ column, node, leaf });
  const go = (from, arrow) => nextLeaf(branches, from, arrow);
  const [up, down, left, right] = [
    [-1, 0],
    [1, 0],
    [0, -1],
    [0, 1],
  ];
  assert.deepEqual(go(at(0, 0, 0), down), at(0, 1, 0));
  assert.deepEqual(go(at(0, 1, 0), down), at(0, 1, 0));
  assert.deepEqual(go(at(0, 1, 0), up), at(0, 0, 0));
  assert.deepEqual(go(at(0, 1, 0), right), at(1, 0, 0));
  assert.deepEqual(go(at(1, 0, 0), right), at(1, 0, 1));
  assert.deepEqual(go(at(1, 0, 1), right), at(1, 0, 1));
  assert.deepEqual(go(at(1, 0, 0), left), at(0, 0, 0));
  assert.deepEqual(go(at(0, 0, 0), left), at(0, 0, 0));
});
