import assert from "node:assert/strict";
import test from "node:test";
import {
  channelsOf,
  layersWords,
  originWords,
  startsOf,
} from "../../../static/js/train/starts.js";
import { says } from "../fixtures.js";

const RECIPES = { architectures: [{ name: "capsnet", settings: [] }] };
const SETS = [{ id: "0123abcd", shape: [3, 32, 32] }];
const model = (more) => ({
  id: "capsnet-mnist",
  title: "CapsNet on MNIST",
  architecture: "capsnet",
  input_shape: [1, 28, 28],
  card: { config: { conv1_kernels: 64 } },
  ...more,
});
const run = (more) => ({
  id: "89abcdef",
  architecture: "capsnet",
  recipe: {},
  settings: {},
  snapshots: [0, 20],
  ...more,
});
const idsOf = (origins) => origins.map(({ id }) => id);

test("data sets are grey, in colour or as they are", () => {
  const of = ["", "mnist", "cifar10", "folder", "set:0123abcd", "set:00000000"];
  assert.deepEqual(
    of.map((recipe) => channelsOf(recipe, SETS)),
    [1, 1, 3, null, 3, null],
  );
});

test("a run can start from networks and runs of as many channels", () => {
  const models = [
    model({}),
    model({ id: "photos", input_shape: [3, 32, 32] }),
    model({ id: "mine", architecture: "described" }),
    model({ id: "89abcdef@20" }),
  ];
  const runs = [
    run({}),
    run({ id: "aaaaaaaa", recipe: { dataset: "set:0123abcd" } }),
    run({ id: "bbbbbbbb", snapshots: [0] }),
    run({ id: "cccccccc", snapshots: [] }),
  ];
  const starts = (channels) => idsOf(startsOf(models, runs, RECIPES, SETS, channels));
  assert.deepEqual(starts(1), ["capsnet-mnist", "89abcdef@20"]);
  assert.deepEqual(starts(3), ["photos", "aaaaaaaa@20"]);
  assert.deepEqual(starts(null).length, 4);
});

test("it is said which layers take the weights", () => {
  assert.equal(layersWords({}), "");
  says(layersWords({ taken: ["Conv1", "DigitCaps"], anew: [] }), "Conv1 and DigitCaps");
  const parts = { taken: ["Conv1"], anew: ["DigitCaps", "Reconstruction"] };
  says(layersWords(parts), "from begins Conv1; at random…DigitCaps and Reconstruction");
  assert.equal(originWords(run({}), undefined), "");
  says(originWords(run({ recipe: { start: "89abcdef@20" } }), {}), "89abcdef after st");
  assert.match(
    originWords(run({ recipe: { start: "capsnet-mnist" } }), parts),
    /^It started from the weights of capsnet-mnist\. With .* begins Conv1;/,
  );
});
