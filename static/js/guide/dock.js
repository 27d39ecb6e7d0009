/**
 * The dock at the window's lower edge: the text of a stop, and the way on. The picture
 * that it speaks of stays in sight above.
 * @import { Answer, Ending, Paragraph, Prediction, Run, Stop } from "./types.js"
 */

import { addressOf } from "../core/lacks.js";
import { asSentence } from "../lib/format.js";
import { find, findElement, make } from "../ui/dom.js";
import { fill, h } from "../ui/h.js";
import { valuesTable } from "../ui/values.js";
import { END, nameOf } from "./stops.js";

/**
 * @param {HTMLElement} root
 * @param {object} does
 * @param {(by: number) => void} does.go
 * @param {() => void} does.leave
 * @param {() => void} does.list
 * @param {(name: string) => void} does.solve
 * @param {(stop: Stop, answer: string | null) => void} does.predict "" to see at once, null to
 *   be asked again
 * @param {(root: HTMLElement, before: string) => void} does.explain mark terms in a text
 * @param {Ending} does.ending
 */
export function mountDock(root, does) {
  const { go, leave, list, solve, predict, explain, ending } = does;
  const where = findElement(root, "[data-where]");
  const title = findElement(root, "[data-title]");
  const text = findElement(root, "[data-text]");
  const announcement = findElement(root, "[data-said]");
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

  /** What the reader does next: answers, or goes on. */
  function focusFirst() {
    const answer = text.querySelector(".guide-predict [role=group] button");
    const first = answer instanceof HTMLElement ? answer : next;
    (first.matches(":disabled") ? back : first).focus({ preventScroll: true });
  }

  return {
    /**
     * @param {Stop} stop
     * @param {object} at
     * @param {number} at.index 0 first
     * @param {number} at.count of all stops
     * @param {boolean} at.isDone whether its task or question is solved
     * @param {string | null} at.predicted what the reader predicted
     * @param {string} at.rings what is ringed, in words
     */
    show(stop, { index, count, isDone, predicted, rings }) {
      where.textContent = whereIs(stop);
      title.textContent = titleOf(stop);
      text.replaceChildren(
        ...contentOf(
          stop,
          { isDone, predicted },
          {
            ending,
            reveal,
            solve: () => solve(nameOf(stop)),
            predict: (answer) => predict(stop, answer),
          },
        ),
      );
      text.dataset.stop = nameOf(stop);
      back.disabled = index === 0;
      next.disabled = index === count - 1;
      const isHidden = root.hidden;
      root.hidden = false;
      body.style.height = "";
      body.scrollTop = 0;
      for (const part of /** @type {Iterable<HTMLElement>} */ (text.children))
        explain(part, wordsBefore(stop, part));
      if (isHidden || document.activeElement === document.body) focusFirst();
      const finding = text.querySelector("[data-found]:not([hidden])");
      if (finding !== null) reveal(finding);
      const words = finding?.textContent ?? wordsAt(stop, predicted) ?? spoken(text);
      const headings = [whereIs(stop), titleOf(stop)].filter(
        (heading) => heading !== "",
      );
      const ringed = rings === "" ? [] : [`In sight: ${rings}.`];
      announcement.textContent = [...headings.map(asSentence), words, ...ringed].join(
        " ",
      );
    },

    /** The task of the stop on show has been solved: what it changed stays in sight. */
    solved() {
      body.style.height = `${body.offsetHeight}px`;
      const finding = text.querySelector("[data-found]");
      const why = text.querySelector("[data-why]");
      for (const paragraph of [finding, why])
        paragraph?.toggleAttribute("hidden", false);
      const first = finding ?? why;
      if (first !== null) reveal(first);
      const outcome =
        finding === null ? "" : ` Your prediction: ${finding.textContent}`;
      announcement.textContent = `Done. ${why?.textContent ?? ""}${outcome}`;
    },

    hide() {
      root.hidden = true;
      announcement.textContent = "";
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
  const steps = chapter.steps.slice(0, last).map((earlier) => wordsOf(earlier.text));
  const siblings = [...(part.parentElement?.children ?? [])];
  const above = siblings
    .slice(0, siblings.indexOf(part))
    .map((sibling) => sibling.textContent);
  return [...steps, ...above].join(" ");
}

/**
 * The words of what stands one below the other, as sentences of their own.
 * @param {Element} text
 */
function spoken(text) {
  const parts = [...text.querySelectorAll("p, button, li, h3")];
  return parts
    .map((part) => (part.textContent ?? "").trim())
    .filter((words) => words !== "")
    .map(asSentence)
    .join(" ");
}

/**
 * What is said at a step: its text, and what it asks.
 * @param {Stop} stop
 * @param {string | null} predicted
 * @returns {string | null} null for other stops
 */
function wordsAt({ step }, predicted) {
  if (step === null) return null;
  const prompt = step.predict && predicted === null ? [step.predict.question] : [];
  return wordsOf([...step.text, ...prompt]);
}

/** @param {Stop} stop */
function whereIs({ chapter: { number, title }, id }) {
  if (id === END) return "";
  return `${number === 0 ? "In short" : `Chapter ${number}`}: ${title}`;
}

/** @param {Stop} stop */
function titleOf({ id, step }) {
  if (step !== null) return step.title;
  if (id === END) return "What you now know";
  return id === "quiz" ? "A question" : "What is still argued about";
}

/**
 * @typedef {{ isDone: boolean, predicted: string | null }} Before what the reader has done
 */

/**
 * @typedef {object} Answered
 * @property {() => void} solve called at the right answer
 * @property {(answer: string | null) => void} predict
 * @property {Ending} ending
 * @property {(reason: Element) => void} reveal bring the reason into sight
 */

/**
 * @param {Stop} stop
 * @param {Before} before
 * @param {Answered} does
 * @returns {Element[]}
 */
function contentOf({ chapter, id, step }, before, does) {
  if (step !== null) {
    const { text, predict, task } = step;
    const asks = predict !== null && before.predicted === null;
    return [
      ...elementsOf(text),
      ...(predict ? [predictionOf(predict, before, task !== null, does.predict)] : []),
      ...(task && !asks ? [taskOf(task, before.isDone)] : []),
    ];
  }
  if (id === END) return endOf(does.ending);
  if (id === "argued") return [...elementsOf(chapter.argued), papersOf(chapter.papers)];
  const { question, answers } = chapter.quiz;
  return [...elementsOf([question]), quizOf(answers, does)];
}

/**
 * The question, until it is answered; then what the reader said, and, once it can be seen,
 * what was found.
 * @param {Prediction} prediction
 * @param {Before} before
 * @param {boolean} hasTask which comes before what was found
 * @param {Answered["predict"]} predict
 */
function predictionOf({ question, answers, found }, before, hasTask, predict) {
  const { predicted, isDone } = before;
  const root = make("div", "guide-predict");
  if (predicted === null) {
    const name = make("strong", "", "Predict first. ");
    const choices = answers.map(({ text }) => {
      const choice = make("button", "", ...nodesOf(text));
      choice.addEventListener("click", () => predict(wordsOf([text])));
      return choice;
    });
    const skip = make("button", "quiet", "Show me");
    skip.addEventListener("click", () => predict(""));
    root.append(
      make("p", "", name, ...nodesOf(question)),
      make("div", { role: "group" }, ...choices, skip),
    );
    return root;
  }
  const right = answers.find((answer) => answer.right);
  const isRight = right !== undefined && wordsOf([right.text]) === predicted;
  const finding = make("span", { "data-found": "" }, ...nodesOf(found));
  finding.hidden = hasTask && !isDone;
  const line = make("p");
  if (predicted !== "") {
    const verdict = make("strong", "", isRight ? "Right. " : "No. ");
    verdict.className = isRight ? "is-right" : "is-wrong";
    finding.prepend(verdict);
    line.append(`You predicted: ${predicted}. `);
  }
  const again = make("button", "quiet", "Ask me again");
  again.addEventListener("click", () => predict(null));
  line.append(finding, " ", again);
  root.append(line);
  return root;
}

/**
 * @param {NonNullable<import("./types.js").Step["task"]>} task
 * @param {boolean} isDone in an earlier visit
 */
function taskOf(task, isDone) {
  const name = make("strong", "", "Try it. ");
  const summary = make("summary", "", "Hint");
  return make(
    "div",
    isDone ? "guide-task was-solved" : "guide-task",
    make("p", "", name, ...nodesOf(task.do)),
    make("details", "", summary, ...elementsOf([task.hint])),
    make("p", { "data-why": "", hidden: "" }, ...nodesOf(task.why)),
  );
}

/** @param {import("./types.js").Chapter["papers"]} papers */
function papersOf(papers) {
  const items = papers.map(({ authors, title, year }) =>
    make("li", "", `${authors} (${year}): ${title}.`),
  );
  return make("ul", "guide-papers fine", ...items);
}

/** @param {Ending} ending */
function endOf({ known, claims, experiments }) {
  const part = (/** @type {string} */ title, /** @type {HTMLElement[]} */ items) =>
    make("section", "", make("h3", "", title), make("ul", "", ...items));
  const promises = make("section");
  fill(
    promises,
    h("h3", {}, "What is promised"),
    valuesTable({
      of: "Capsules …",
      names: claims.map(({ section, promise }) =>
        h("a", { href: `${addressOf("claims")}#${section}` }, promise),
      ),
      columns: [["The promise is", claims.map(({ outcome }) => outcome)]],
    }),
  );
  const items = (/** @type {readonly Paragraph[]} */ all) =>
    all.map((paragraph) => make("li", "", ...nodesOf(paragraph)));
  const next = items(experiments);
  // Who follows one leaves the guide: the Lab needs the room.
  for (const item of next)
    for (const link of item.querySelectorAll("a")) link.href = `./${link.hash}`;
  const network = part("A network of capsules", items(known));
  const trials = part("Three things to try", next);
  return [make("div", "guide-end", network, promises, trials)];
}

/** @param {readonly Answer[]} answers @param {Answered} does */
function quizOf(answers, { reveal, solve }) {
  const why = make("p", { role: "status" });
  const buttons = answers.map(({ text, right, why: reason }) => {
    const button = make("button", { "aria-pressed": "false" }, ...nodesOf(text));
    button.addEventListener("click", () => {
      for (const option of buttons)
        option.setAttribute("aria-pressed", String(option === button));
      const verdict = make("strong", "", right ? "Right. " : "No. ");
      why.replaceChildren(verdict, ...nodesOf(reason));
      why.className = right ? "is-right" : "is-wrong";
      reveal(why);
      if (right) solve();
    });
    return button;
  });
  return make("div", "guide-quiz", ...buttons, why);
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
