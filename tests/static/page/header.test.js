import assert from "node:assert/strict";
import { test } from "node:test";
import { groupModels } from "../../../static/js/page/header.js";

const model = (id, dataset, more = {}) => ({ id, card: { dataset }, ...more });
const groupsOf = (models) =>
  groupModels(/** @type {any} */ (models)).map(({ label, models: members }) => [
    label,
    members.map(({ id }) => id),
  ]);

test("networks stand with those that read the same, in the order in which they came", () => {
  assert.deepEqual(
    groupsOf([
      model("photographs", "cifar10"),
      model("first", "mnist"),
      model("toys", "toys"),
      model("old", undefined), // its card names no data: MNIST
      model("pairs", "overlapping"),
    ]),
    [
      ["Digits", ["first", "old"]],
      ["Pairs of digits", ["pairs"]],
      ["Toys", ["toys"]],
      ["Photographs", ["photographs"]],
      ["Yours", []],
    ],
  );
});

test("what the reader trained, kept or described stands at the end", () => {
  const kept = model("kept", "mnist", { kept: true });
  const moment = model("a1@30", "mnist");
  const other = model("letters", "own:letters");
  const described = { id: "described", card: { dataset: "mnist", described: {} } };
  assert.deepEqual(groupsOf([kept, moment, other, described]), [
    ["Yours", ["kept", "a1@30", "letters", "described"]],
  ]);
});
