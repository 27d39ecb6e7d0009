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

/** One screen of the tour: a step, what is still argued about, or the question. */
export interface Stop {
  chapter: Chapter;
  /** In the link; `argued` and `quiz` besides the steps' own. */
  id: string;
  step: Step | null;
}
