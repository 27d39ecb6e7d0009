import assert from "node:assert/strict";
import { test } from "node:test";
import {
  classOf,
  fromCsv,
  rowsOf,
  toCsv,
  toText,
} from "../../../static/js/guide/asking/answers.js";
import {
  checkWords,
  MOST,
  readPlace,
  readQuestions,
  writePlace,
  writeQuestions,
} from "../../../static/js/guide/asking/questions.js";
import { createAnswers } from "../../../static/js/guide/asking/records.js";

const QUESTIONS = [
  {
    question: 'Which digit, and why? "4" / <b>9</b>?',
    answers: ["4", "9 & more"],
    check: { kind: "silenced-says", digit: 9, than: 1 },
    at: "view=routing&sample=four-nine",
  },
  { question: "¿Por qué?", answers: [], check: null, at: "" },
  {
    question: "And now?",
    answers: ["yes", "no"],
    check: { kind: "long-capsule", digit: null, than: 0.5 },
    at: "",
  },
];
const NO_GUIDE = { done: [], predicted: {} };
const asking = (parameters) => readQuestions(`?${new URLSearchParams(parameters)}`);

test("what is asked in a link comes out of it again, beside what else it says", () => {
  const search = writeQuestions("?guide=01-capsule/length", QUESTIONS);
  assert.deepEqual(readQuestions(search), { questions: QUESTIONS, problem: null });
  assert.equal(new URLSearchParams(search).get("guide"), "01-capsule/length");
  assert.equal(writeQuestions(search, []), "?guide=01-capsule%2Flength");
  assert.deepEqual(readQuestions("").questions, []);
});

test("which of them is on show stands in the link too", () => {
  const search = writePlace(writeQuestions("", QUESTIONS), 2);
  assert.equal(readPlace(search, 3), 2);
  assert.deepEqual(readQuestions(search).questions, QUESTIONS);
  for (const number of ["0", "4", "-1", "1.5", "x"])
    assert.equal(readPlace(`?question=${number}`, 3), 0, number);
});

const REFUSED = [
  [{ ask: "a".repeat(MOST.question + 1) }, /1 .*281 letters/],
  [{ ask: " \u202e " }, /no words/],
  [{ ask: "Why?", of: "one" }, /1 answers/],
  [{ ask: "Why?", of: "a/b/c/d/e/f/g" }, /7 answers/],
  [{ ask: "Why?", of: `a/${"b".repeat(MOST.answer + 1)}` }, /answer of more than 60/],
  [{ ask: "Why?", check: "says.9.1.2.3" }, /unknown task/],
  [{ ask: "Why?", check: "<script>" }, /unknown task/],
  [{ ask: "Why?", at: "a".repeat(MOST.state + 1) }, /too large/],
];
for (const [parameters, problem] of REFUSED)
  test(`a link cannot ask ${JSON.stringify(parameters).slice(0, 40)}`, () => {
    const result = asking(parameters);
    assert.deepEqual(result.questions, []);
    assert.match(result.problem, problem);
  });

test("a question is one line of plain text, whatever a link says", () => {
  const { questions } = asking({ ask: " \u202eWhy\n\t so?\u0000 " });
  assert.equal(questions[0].question, "Why so?");
});

test("a task is told in words; one that nobody knows, by its name", () => {
  const lines = QUESTIONS.map(
    ({ check }) => check && checkWords(check, [..."0123456789"]),
  );
  assert.deepEqual(lines, [
    "the network reads 9 with one part silenced",
    null,
    "long-capsule",
  ]);
  assert.equal(
    checkWords({ kind: "constructor", digit: null, than: null }, []),
    "constructor",
  );
});

const ROWS = rowsOf(
  '=Ada, "A"',
  QUESTIONS,
  [
    { expected: "4", afterwards: "9 & more", isSolved: true },
    { expected: "-1;\n2", afterwards: "", isSolved: false },
  ],
  { done: ["05-agreeing/quiz"], predicted: { "01-capsule/length": "long" } },
);

test("a file of answers is read as it was written, and holds no formula", () => {
  const text = toCsv(ROWS);
  assert.deepEqual(fromCsv(text), ROWS);
  assert.deepEqual(
    ROWS.map(({ solved }) => solved),
    ["yes", "", "no", "", "yes"],
  );
  for (const line of text.split("\r\n")) assert.doesNotMatch(line, /(^|,)"?[=+@-]/);
});

test("a spreadsheet may write it again: a mark, semicolons, another order", () => {
  const text =
    '\uFEFFsolved;name;question;expected;afterwards\nyes;Bo;Why?;4;"a;b"\n;;;;\n';
  assert.deepEqual(fromCsv(text), [
    { name: "Bo", question: "Why?", expected: "4", afterwards: "a;b", solved: "yes" },
  ]);
});

test("another file is refused with what it lacks", () => {
  for (const text of ["", "a,b\n1,2\n", "<html>", "name,question\n"])
    assert.throws(() => fromCsv(text), /first line must name name, question, expected/);
});

test("answers are readable as text", () => {
  assert.equal(
    toText(
      rowsOf("Ada", QUESTIONS.slice(1), [{ ...ROWS[0], isSolved: false }], NO_GUIDE),
    ),
    "Answers of Ada\n1. ¿Por qué?\n   Expected: 4. Afterwards: 9 & more.\n2. And now?\n   Not solved.",
  );
});

test("a class is counted by question and answer, before and after", () => {
  const row = (name, expected, afterwards) =>
    rowsOf(
      name,
      QUESTIONS.slice(0, 1),
      [{ expected, afterwards, isSolved: true }],
      NO_GUIDE,
    );
  const [only, ...others] = classOf([
    row("Ada", "4", "9"),
    row("Bo", "9", "9"),
    row("Cy", "4", ""),
  ]);
  assert.deepEqual(others, []);
  assert.deepEqual(
    only.people.map(({ name }) => name),
    ["Ada", "Bo", "Cy"],
  );
  assert.deepEqual(only.counts, [
    { answer: "9", expected: 1, afterwards: 2 },
    { answer: "4", expected: 2, afterwards: 0 },
  ]);
});

test("a browser keeps what was answered, by the set, until it is cleared", () => {
  const kept = new Map([
    ["answers", '[{"set":"old"},{"set":"b","name":"","given":[]}]'],
  ]);
  const storage = {
    getItem: (name) => kept.get(name) ?? null,
    setItem: (name, text) => kept.set(name, text),
  };
  const answers = createAnswers(storage, "a");
  answers.give(1, { expected: "4" });
  answers.give(1, { afterwards: "9" });
  answers.call("Ada");
  const answer = { expected: "4", afterwards: "9", isSolved: false };
  assert.equal(createAnswers(storage, "a").get().name, "Ada");
  assert.deepEqual(createAnswers(storage, "a").get().given[1], answer);
  assert.deepEqual(createAnswers(storage, "b").get().given, []);
  assert.equal(JSON.parse(kept.get("answers")).length, 2); // each once, without what is none
  answers.clear();
  assert.deepEqual(createAnswers(storage, "a").get(), {
    set: "a",
    name: "",
    given: [],
  });
  const mute = { getItem: () => "{", setItem: () => assert.fail };
  assert.deepEqual(createAnswers(mute, "a").get().given, []);
});
