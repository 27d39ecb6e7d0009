import assert from "node:assert/strict";
import { test } from "node:test";
import {
  courseWords,
  figuresOf,
  momentWords,
  partOf,
} from "../../../static/js/train/film.js";
import { says } from "../fixtures.js";

const column = (...data) => ({
  shape: [data.length],
  data: Float32Array.from(data),
});

const FILM = {
  tensors: {
    steps: column(0, 3, 20),
    images: column(0, 192, 1280),
    seconds: column(0, 0.5, 2),
    wrong: column(180, 90, 10),
    loss: column(0.9, 0.5, 0.25),
  },
  ...{ samples: ["one", "two"], tested: 200, kernels: 64 },
};

test("a part of a tensor is that of one moment, and there of one thing", () => {
  const tensor = {
    shape: [2, 3, 2],
    data: Float32Array.from({ length: 12 }, (_, i) => i),
  };
  assert.deepEqual([...partOf(tensor, 1)], [6, 7, 8, 9, 10, 11]);
  assert.deepEqual([...partOf(tensor, 0, 2)], [4, 5]);
  assert.deepEqual([...partOf(tensor, 1, 1)], [8, 9]);
});

test("a moment is told by its own figures", () => {
  const [first, second] = figuresOf(FILM);
  says(
    momentWords(second, FILM.tested, { right: 1, of: 2 }, 10),
    "110 of 200…90, 45.0 %.…2 digits below it reads 1…0.50",
  );
  says(momentWords(first, FILM.tested, { right: 0, of: 2 }, 10), "Before…20 of 200");
});

test("the course is told from the first moment that reads nine tenths", () => {
  const figures = figuresOf(FILM);
  says(courseWords(figures, FILM.tested), "2.0 s…1 280…200…1 280…5.0 %");
  assert.doesNotMatch(courseWords(figures.slice(0, 2), FILM.tested), /Nine tenths/);
});
