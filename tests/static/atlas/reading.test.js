import assert from "node:assert/strict";
import { test } from "node:test";
import {
  atlasOf,
  MOST_READ,
  readTested,
  withMoments,
} from "../../../static/js/atlas/reading.js";
import { selected } from "../../../static/js/lib/selections.js";
import { MODEL, seededRandom } from "../fixtures.js";

const CLASSES = MODEL.class_names.length;

/** A server with so many test images, of which the network misreads every seventh. */
function serverOf(total, shift = 1) {
  const requests = [];
  return {
    requests,
    async fetchTested(_model, first, count) {
      requests.push([first, count]);
      const images = Array.from(
        { length: Math.min(count, total - first) },
        (_, i) => first + i,
      );
      const labels = images.map((i) => i % CLASSES);
      const read = images.map((i) => (i % 7 === 0 ? i + shift : i) % CLASSES);
      const scores = read.flatMap((label) =>
        Array.from({ length: CLASSES }, (_, k) => (k === label ? 0.9 : 0.05)),
      );
      const tensor = (data, ...shape) => ({ shape, data: Float32Array.from(data) });
      return {
        total,
        tensors: {
          labels: tensor(labels, images.length),
          predictions: tensor(read, images.length),
          scores: tensor(scores, images.length, CLASSES),
        },
      };
    },
  };
}
const PLAIN = { ...MODEL, card: {} };

test("the first test images are read, as many as there are and no more than needed", async () => {
  for (const total of [1, 99, 100, 250, MOST_READ, 10_000]) {
    const server = serverOf(total);
    const counts = [];
    const read = await readTested(server, PLAIN, (count) => counts.push(count) > 0);
    const count = Math.min(total, MOST_READ);
    const atlas = atlasOf(PLAIN, [PLAIN], read.tensors, read.total);
    assert.deepEqual([atlas.count, atlas.total], [count, total]);
    assert.deepEqual(
      Array.from(atlas.labels),
      Array.from({ length: count }, (_, i) => i % CLASSES),
    );
    assert.ok(server.requests.every(([first, size]) => first + size <= MOST_READ));
    assert.equal(selected(atlas, { kind: "misread" }).length, Math.ceil(count / 7));
    assert.equal(atlas.positions.scores.length, 2 * count);
  }
});

test("whoever leaves stops the reading", async () => {
  const server = serverOf(10_000);
  const read = await readTested(server, PLAIN, (count) => count < 300);
  assert.equal(read, null);
  assert.equal(server.requests.length, 3);
});

test("who changes sides between two moments is what their readings say", async () => {
  const random = seededRandom(4);
  const at = async (shift) => {
    const read = await readTested(serverOf(500, shift), PLAIN, () => true);
    return atlasOf(PLAIN, [PLAIN], read.tensors, read.total);
  };
  const [early, late] = [await at(1), await at(0)]; // the later one reads all of them
  const ids = ["3f2a9c01@20", "3f2a9c01@640"];
  const now = withMoments(late, [[ids[0], early]]);
  const images = selected(now, { kind: "differ", from: ids[0] });
  assert.deepEqual(images, selected(early, { kind: "misread" }));
  for (let i = 0; i < 50; i++) {
    const image = Math.floor(random() * 500);
    const differs = early.predictions[image] !== late.predictions[image];
    assert.equal(images.includes(image), differs);
  }
  const then = withMoments(early, [[ids[1], late]]);
  assert.deepEqual(selected(then, { kind: "differ", from: ids[1] }), images);
});
