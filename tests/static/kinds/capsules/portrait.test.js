import assert from "node:assert/strict";
import { test } from "node:test";
import {
  bestOf,
  cut,
  decodedPatches,
  patchReader,
} from "../../../../static/js/kinds/capsules/patches.js";
import {
  lengthsInWords,
  supportInWords,
} from "../../../../static/js/kinds/capsules/portrait.js";
import { grey, MODEL, says, tensor } from "../../fixtures.js";

const NAMES = ["a", "b", "c", "d", "e"];

test("the words name at most three digits on either side", () => {
  says(
    supportInWords([0.1, 0.4, -0.2, 0.3, 0.2], NAMES),
    "for b (+0.40), d (+0.30) and e (+0.20)…c (−0.20)",
  );
  says(supportInWords([0.1, 0.005, 0, 0, 0], NAMES), "for a (+0.10)…against none");
  says(supportInWords([-0.1, -0.3, 0, 0, 0], NAMES), "against b (−0.30) and a (−0.10)");
  says(supportInWords([0, 0, 0, 0, 0], NAMES), "hardly speaks");
});

test("mean lengths are those of the type, or of a capsule alone", () => {
  const lengths = tensor([2, 2], [0.1, 0.9, 0.25, 0.75]);
  says(lengthsInWords({ lengths }, 1), "mean length of 0.25…of 0.75.");
  says(
    lengthsInWords({ lengths }, 1, true),
    "length is 0.25 over…0.75 over the 1000 images",
  );
});

test("a patch is cut where the capsule looks", () => {
  const shape = { channels: 2, rows: 4, columns: 4 };
  const bytes = Uint8Array.from({ length: 32 }, (_, i) => 8 * i);
  const found = cut(
    { ...shape, bytes },
    { row: 1, column: 2 },
    { ...shape, rows: 2, columns: 2 },
  );
  assert.deepEqual(
    [...found].map((value) => Math.round((255 * value) / 8)),
    [6, 7, 10, 11, 22, 23, 26, 27],
  );
});

test("places and decoded patches are those of the type", () => {
  const best = tensor([2, 2, 3], [1, 0, 0, 2, 0, 1, 30, 4, 5, 40, 5, 5]);
  assert.deepEqual(bestOf({ best }, 1), [
    { index: 30, row: 4, column: 5 },
    { index: 40, row: 5, column: 5 },
  ]);
  const decoded = tensor([2, 2, 1, 1], [0.1, 0.2, 0.5, 1]);
  const patches = decodedPatches({ decoded }, 1);
  assert.deepEqual(
    [patches.isReal, patches.count, ...patches.data],
    [false, 2, 0.5, 1],
  );
});

/** A server with MNIST, all of whose images are ink, and one without. */
function serverWith(datasets) {
  const asked = [];
  return {
    asked,
    fetchDatasets: async () => ({ datasets }),
    fetchImage: async (id, index) => {
      asked.push(`${id}/${index}`);
      return { index, label: 1, pixels: grey(new Uint8Array(784).fill(255)) };
    },
  };
}
const LAYER = { field: (_model, row, column) => ({ row, column, size: 17 }) };
const PORTRAITS = {
  mean: tensor([1, 17, 17], new Float32Array(289)),
  best: tensor([1, 2, 3], [7, 0, 0, 8, 5, 5]),
};
const MNIST = { ...MODEL, card: { ...MODEL.card, dataset: "mnist" } };

test("real patches come where the data set is there, each image once", async () => {
  const server = serverWith([{ id: "mnist-test", dataset: "mnist" }]);
  const reader = patchReader(server, LAYER);
  const found = await reader.read(MNIST, PORTRAITS, 0);
  assert.equal(found.isReal, true);
  assert.ok(found.data.every((value) => value === 1));
  await reader.read(MNIST, PORTRAITS, 0);
  assert.deepEqual(server.asked, ["mnist-test/7", "mnist-test/8"]);
});

test("none come where it is missing", async () => {
  const server = serverWith([{ id: "own-test", dataset: "own" }]);
  assert.equal(await patchReader(server, LAYER).read(MNIST, PORTRAITS, 0), null);
  assert.deepEqual(server.asked, []);
});
