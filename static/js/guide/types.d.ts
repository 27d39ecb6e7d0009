/** The guide as `GET /api/guide` sends it; see app/content/guide. */

export interface Run {
  kind: "text" | "strong" | "em" | "code" | "link";
  text: string;
  /** The state of the page that a link leads to, without the #. */
  to: string | null;
}

export type Paragraph = Run[];

/** When a task is done: the name of a network's rule, and what it is told. */
export interface Check {
  kind: string;
  digit: number | null;
  than: number | null;
}

/** What readers say before they see. */
export interface Prediction {
  question: Paragraph;
  /** One of them is right. */
  answers: { text: Paragraph; right: boolean }[];
  /** What was found. */
  found: Paragraph;
  /** The state to show once predicted, without the #; null for the step's own. */
  reveals: string | null;
  /** What is ringed until then, and what it is called; null for what the step rings. */
  ring: string | null;
  rings: string | null;
}

export interface Task {
  do: Paragraph;
  check: Check;
  hint: Paragraph;
  why: Paragraph;
}

export interface Step {
  id: string;
  title: string;
  text: Paragraph[];
  /** The state that the step speaks of, without the #. */
  link: string;
  /** A selector of the element to ring. */
  ring: string;
  /** What that element is called. */
  rings: string;
  predict: Prediction | null;
  task: Task | null;
}

export interface Answer {
  text: Paragraph;
  right: boolean;
  why: Paragraph;
}

export interface Chapter {
  id: string;
  number: number;
  title: string;
  question: string;
  steps: Step[];
  argued: Paragraph[];
  papers: { authors: string; title: string; year: number }[];
  quiz: { question: Paragraph; answers: Answer[] };
}

/** What stands after the last chapter. */
export interface Ending {
  known: Paragraph[];
  /** The verdicts on what is promised of capsules; `section` is a part of /claims. */
  claims: {
    section: string;
    promise: string;
    outcome: "kept" | "kept by half" | "broken";
    verdict: string;
  }[];
  experiments: Paragraph[];
}

export interface Guide {
  chapters: Chapter[];
  ending: Ending;
}

/** One screen of the tour: a step, what is still argued about, the question, or the end. */
export interface Stop {
  chapter: Chapter;
  /** In the link; `argued`, `quiz` and, last of all, `end` besides the steps' own. */
  id: string;
  step: Step | null;
}
