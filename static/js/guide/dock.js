/**
 * The dock at the window's lower edge: the text of a stop, and the way on. The picture
 * that it speaks of stays in sight above.
 * @import { Answer, Paragraph, Run, Stop } from "./types.js"
 */

import { asSentence } from "../lib/format.js";
import { find, findElement, make } from "../ui/dom.js";
import { nameOf } from "./stops.js";

/**
 * @param {HTMLElement} root
 * @param {object} does
 * @param {(by: number) => void} does.go
 * @param {() => void} does.leave
 * @param {() => void} does.list
 * @param {(name: string) => void} does.solve
 * @param {(root: HTMLElement, before: string) => void} does.explain mark terms in a text
 */
export function mountDock(root, { go, leave, list, solve, explain }) {
  const where = findElement(root, "[data-where]");
  const title = findElement(root, "[data-title]");
  const text = findElement(root, "[data-text]");
  const said = findElement(root, "[data-said]");
  const body = findElement(root, "[data-body]");
  const back = find(root, "[data-back]", HTMLButtonElement);
  const next = find(root, "[data-next]", HTMLButtonElement);
  back.addEventListener("click", () => go(-1));
  next.addEventListener("click", () => go(1));
  findElement(root, "[data-chapters]").addEventListener("click", list);
  findElement(root, "[data-leave]").addEventListener("click", leave);
  // How much of the window is covered, for what else sticks to its lower edge.
  new ResizeObserver(() =>
    document.documentElement.style.setProperty("--guide", `${root.offsetHeight}px`),
  ).observe(root);

  /**
   * Scroll within the dock to what comes at the end of a long text; the page does not
   * scroll.
   * @param {Element} last
   */
  function reveal(last) {
    body.scrollTop +=
      last.getBoundingClientRect().top - body.getBoundingClientRect().top;
  }

  return {
    /**
     * @param {Stop} stop
     * @param {{ place: number, count: number, isDone: boolean }} at 0 first
     */
    show(stop, { place, count, isDone }) {
      const { chapter, step } = stop;
      where.textContent = `Chapter ${chapter.number}: ${chapter.title}`;
      title.textContent = titleOf(stop);
      text.replaceChildren(
        ...contentOf(stop, isDone, { reveal, solve: () => solve(nameOf(stop)) }),
      );
      text.dataset.stop = nameOf(stop);
      back.disabled = place === 0;
      next.disabled = place === count - 1;
      const isHidden = root.hidden;
      root.hidden = false;
      body.scrollTop = 0;
      for (const part of /** @type {Iterable<HTMLElement>} */ (text.children))
        explain(part, wordsBefore(stop, part));
      if (isHidden || document.activeElement === document.body)
        (next.disabled ? back : next).focus({ preventScroll: true });
      const words = step === null ? text.textContent : wordsOf(step.text);
      const ringed = step === null ? "" : ` In sight: ${step.rings}.`;
      said.textContent = [where, title]
        .map((heading) => asSentence(heading.textContent ?? ""))
        .concat(words ?? "")
        .join(" ")
        .concat(ringed);
    },

    /** The task of the stop on show has been solved. */
    solved() {
      const task = text.querySelector(".guide-task");
      task?.classList.add("is-solved");
      const why = task?.querySelector("[data-why]");
      if (why instanceof HTMLElement) {
        why.hidden = false;
        reveal(why);
        said.textContent = `Done. ${why.textContent}`;
      }
    },

    hide() {
      root.hidden = true;
      said.textContent = "";
    },
  };
}

/**
 * What a reader of this chapter has read before a part of a stop's text.
 * @param {Stop} stop
 * @param {Element} part
 */
function wordsBefore({ chapter, step }, part) {
  const last = step === null ? chapter.steps.length : chapter.steps.indexOf(step);
  const steps = chapter.steps.slice(0, last).map((each) => wordsOf(each.text));
  const own = [...(part.parentElement?.children ?? [])];
  const above = own.slice(0, own.indexOf(part)).map((each) => each.textContent);
  return [...steps, ...above].join(" ");
}

/** @param {Stop} stop */
function titleOf({ id, step }) {
  if (step !== null) return step.title;
  return id === "quiz" ? "A question" : "What is still argued about";
}

/**
 * @typedef {object} Answered
 * @property {() => void} solve called at the right answer
 * @property {(reason: Element) => void} reveal bring the reason into sight
 */

/**
 * @param {Stop} stop
 * @param {boolean} isDone
 * @param {Answered} does
 * @returns {Element[]}
 */
function contentOf({ chapter, id, step }, isDone, does) {
  if (step !== null)
    return [
      ...elementsOf(step.text),
      ...(step.task ? [taskOf(step.task, isDone)] : []),
    ];
  if (id === "argued") return [...elementsOf(chapter.argued), papersOf(chapter.papers)];
  const { question, answers } = chapter.quiz;
  return [...elementsOf([question]), quizOf(answers, does)];
}

/**
 * @param {NonNullable<import("./types.js").Step["task"]>} task
 * @param {boolean} isDone in an earlier visit
 */
function taskOf(task, isDone) {
  const root = make("div", "guide-task");
  const what = make("p");
  const name = make("strong", "", "Try it. ");
  what.append(name, ...nodesOf(task.do));
  const hint = make("details");
  const summary = make("summary", "", "Hint");
  hint.append(summary, ...elementsOf([task.hint]));
  const [why] = elementsOf([task.why]);
  why.dataset.why = "";
  why.hidden = true;
  root.append(what, hint, why);
  if (isDone) root.classList.add("was-solved");
  return root;
}

/** @param {import("./types.js").Chapter["papers"]} papers */
function papersOf(papers) {
  const list = make("ul", "guide-papers fine");
  list.append(
    ...papers.map(({ authors, title, year }) =>
      make("li", "", `${authors} (${year}): ${title}.`),
    ),
  );
  return list;
}

/** @param {readonly Answer[]} answers @param {Answered} does */
function quizOf(answers, { reveal, solve }) {
  const root = make("div", "guide-quiz");
  const why = make("p", { role: "status" });
  const buttons = answers.map(({ text, right, why: reason }) => {
    const button = make("button", { "aria-pressed": "false" }, ...nodesOf(text));
    button.addEventListener("click", () => {
      for (const each of buttons)
        each.setAttribute("aria-pressed", String(each === button));
      const verdict = make("strong", "", right ? "Right. " : "No. ");
      why.replaceChildren(verdict, ...nodesOf(reason));
      why.className = right ? "is-right" : "is-wrong";
      reveal(why);
      if (right) solve();
    });
    return button;
  });
  root.append(...buttons, why);
  return root;
}

/** @type {Record<Exclude<Run["kind"], "text">, string>} */
const TAGS = { strong: "strong", em: "em", code: "code", link: "a" };

/**
 * A paragraph of the guide as nodes.
 * @param {Paragraph} paragraph
 */
function nodesOf(paragraph) {
  return paragraph.map(({ kind, text, to }) => {
    if (kind === "text") return document.createTextNode(text);
    const element = document.createElement(TAGS[kind]);
    element.textContent = text;
    if (element instanceof HTMLAnchorElement) element.href = `#${to}`;
    return element;
  });
}

/** @param {readonly Paragraph[]} paragraphs */
function elementsOf(paragraphs) {
  return paragraphs.map((paragraph) => make("p", "", ...nodesOf(paragraph)));
}

/** @param {readonly Paragraph[]} paragraphs */
function wordsOf(paragraphs) {
  return paragraphs.map((runs) => runs.map(({ text }) => text).join("")).join(" ");
}
