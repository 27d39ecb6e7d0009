import assert from "node:assert/strict";
import { test } from "node:test";
import {
  arrange,
  changesIn,
  fieldOf,
  valueIn,
} from "../../../static/js/train/knobs.js";
import { valueWords } from "../../../static/js/train/words.js";
import { RECIPES } from "./made.js";

const [{ settings }] = RECIPES.architectures;
const USUAL = Object.fromEntries(
  settings.map((field) => [field.name, valueWords(field.default)]),
);

test("only what is otherwise than usual is asked for", () => {
  assert.deepEqual(changesIn(settings, USUAL, {}), {});
  const texts = {
    ...USUAL,
    epochs: " 5 ",
    decoder_hidden: "64, 128",
    schedule: "exponential",
  };
  assert.deepEqual(changesIn(settings, texts, {}), {
    epochs: 5,
    decoder_hidden: [64, 128],
    schedule: "exponential",
  });
  // Of a fork, what is otherwise than in the run that it starts from.
  assert.deepEqual(changesIn(settings, { ...USUAL, epochs: "5" }, { epochs: 5 }), {});
  assert.deepEqual(changesIn(settings, USUAL, { epochs: 5 }), { epochs: 3 });
});

test("what is no number goes to the server as it is, which says what is needed", () => {
  const number = { type: "number", count: null };
  assert.equal(valueIn(number, "many"), "many");
  assert.equal(valueIn(number, ""), "");
  assert.equal(valueIn(number, "1e-3"), 0.001);
  assert.deepEqual(valueIn({ type: "integer", count: 2 }, "12 x"), [12, ""]);
});

test("every setting stands in the form once, the most useful first", () => {
  const { first, groups } = arrange(settings);
  const rest = groups.flatMap(([, some]) => some);
  assert.deepEqual(
    [...first, ...rest].map(({ name }) => name).toSorted(),
    settings.map(({ name }) => name).toSorted(),
  );
  assert.deepEqual(
    first.map(({ name }) => name),
    settings.filter((field) => field.first).map(({ name }) => name),
  );
  for (const [title, some] of groups)
    for (const { group } of some) assert.equal(group, title.toLowerCase());
});

test("a setting is chosen, or typed within its limits, or listed as text", () => {
  const of = (more) =>
    fieldOf(
      {
        name: "learning_rate",
        title: "rate of learning",
        help: "how far",
        count: null,
        ...more,
      },
      "1",
      true,
    );
  const typed = of({ type: "number", minimum: 0, maximum: 1 });
  assert.deepEqual(typed.look, { type: "number", min: 0, max: 1, step: "any" });
  assert.equal(typed.options, undefined);
  assert.deepEqual([typed.title, typed.help], ["Rate of learning", "How far."]);
  assert.equal(of({ type: "integer" }).look.step, "1");
  assert.deepEqual(of({ type: "integer", count: 2 }).look, { type: "text" });
  const { options } = of({ type: "choice", choices: ["a", "b"] });
  assert.deepEqual(options, [
    ["a", "a"],
    ["b", "b"],
  ]);
});
