/**
 * Pictures of one's own: a folder or file is sent, what was understood of it is shown, and
 * a network is trained on it.
 * @import { Content } from "../../ui/h.js"
 * @import { Origin } from "../starts.js"
 * @import { OwnSet, Recipes, Services, Tensor } from "../../types.js"
 */
import { ApiError } from "../../core/connection.js";
import { picture } from "../../draw/picture.js";
import { rowsOf } from "../../lib/arithmetic.js";
import { asSentence, counted, grouped } from "../../lib/format.js";
import { TooManyFiles } from "../../lib/zip.js";
import { fillMenu, find, findElement, make, writer } from "../../ui/dom.js";
import { fill, h } from "../../ui/h.js";
import { button, menu as menuOf } from "../../ui/inputs.js";
import { valuesTable } from "../../ui/values.js";
import { sizeWords } from "../missing.js";
import { networkTitle } from "../words.js";
import { asOne, droppedIn, filesIn } from "./files.js";
import { leaveOutWords, progressWords, rareOf, recipeOf, setWords } from "./words.js";

const PIECE = 2 << 20; // bytes sent at once
const MOST = 512 << 20; // bytes of a file
const AGAIN_MS = 400; // from one look at a set that is read to the next
const MOST_ROWS = 10; // classes that are shown without scrolling
const EXCHANGE = " exchange light and dark, for ink on paper";
const FOLDERS = [
  ["classes", "Each of the outermost folders is a class"],
  ["parts", "No: they are parts, or have no label"],
];
const SIDES = [16, 28, 32, 48, 64]; // px

/**
 * @param {HTMLElement} root @param {Pick<Services, "server">} services
 * @param {object} does
 * @param {(recipe: Readonly<Record<string, unknown>>, fail: (message: string) => void) => void} does.train
 * @param {(sets: readonly OwnSet[]) => void} does.known told which sets there are
 * @param {(channels: number) => readonly Origin[]} does.starts what a run can start from
 */
export function mountSets(root, { server }, { train, known, starts }) {
  const part = findElement(root, "[data-sets]");
  const [folder, chooser] = ["folder", "file"].map((name) =>
    find(part, `[data-set-${name}]`, HTMLInputElement),
  );
  const drop = findElement(part, "[data-drop]");
  const bar = find(part, "progress", HTMLProgressElement);
  const cancel = find(part, "[data-set-cancel]", HTMLButtonElement);
  const write = writer(part);
  const wrong = (/** @type {string} */ words) => write("set-problem", words);
  const tell = (/** @type {string} */ words) => write("set-status", words);
  const menu = find(part, "[data-set-menu]", HTMLSelectElement);
  const details = findElement(part, "[data-set-shown]");
  /** @type {Recipes | null} */
  let recipes = null;
  /** @type {readonly OwnSet[]} */
  let sets = [];
  /** @type {string | null} */
  let chosen = null;
  /** @type {AbortController | null} */
  let sending = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  let drawn = "";
  let offerNow = () => {};

  /** @param {unknown} error */
  function fail(error) {
    if (error instanceof DOMException && error.name === "AbortError") return;
    if (!(error instanceof ApiError)) throw error;
    wrong(asSentence(error.message));
  }

  async function look() {
    clearTimeout(timer);
    try {
      sets = await server.fetchSets();
    } catch (error) {
      return fail(error);
    }
    known(sets.filter(({ state }) => state === "ready"));
    if (!sets.some(({ id }) => id === chosen)) chosen = sets[0]?.id ?? null;
    draw();
    if (sets.some(({ state }) => state === "reading"))
      timer = setTimeout(() => void look(), AGAIN_MS);
  }

  function draw() {
    const set = sets.find(({ id }) => id === chosen) ?? null;
    const label = /** @type {HTMLElement} */ (menu.closest("label"));
    label.hidden = sets.length === 0;
    const options = sets.map(({ id, title, state }) => ({
      id,
      words: state === "ready" ? title : `${title} (${state})`,
    }));
    fillMenu(menu, options, chosen ?? "");
    drawProgress(set);
    if (set?.error) wrong(asSentence(set.error));
    const { id, state, shape, inverted, classes } = set ?? {};
    const key = JSON.stringify([id, state, shape, inverted, classes?.length]);
    if (key === drawn) return;
    drawn = key;
    // What has the keyboard's focus is about to go.
    if (details.contains(document.activeElement))
      (set === null ? chooser : menu).focus();
    offerNow = () => {};
    drawSet(set);
  }

  /** How far a set is. @param {OwnSet | null} set */
  function drawProgress(set) {
    const isUnderWay = set?.state === "receiving" || set?.state === "reading";
    bar.hidden = cancel.hidden = !isUnderWay && sending === null;
    if (set && isUnderWay) {
      const [value, max] =
        set.state === "receiving" ? [set.received, set.size] : [set.done, set.total];
      [bar.max, bar.value] = [max || 1, value];
      tell(progressWords(set));
    } else if (sending === null) tell("");
  }

  /** @param {OwnSet | null} set */
  function drawSet(set) {
    if (set?.state === "ready") void showReady(set);
    else if (set?.state === "unclear") fill(details, questionOf(set));
    else fill(details, set?.state === "failed" && removeButton(set));
  }

  /** @param {OwnSet} set */
  async function showReady(set) {
    fill(details);
    try {
      const { images, classes } = await server.fetchSetSamples(set.id);
      if (set.id !== chosen) return;
      fill(
        details,
        understood(set, images, classes),
        set.can_change && formOf(set),
        startOf(set),
      );
    } catch (error) {
      fail(error);
    }
  }

  /** @param {OwnSet} set @param {Tensor} images @param {readonly number[]} classes */
  function understood(set, images, classes) {
    const rare = rareOf(set);
    const pictures = picturesOf(images);
    const samplesOf = (/** @type {number} */ label) =>
      pictures.filter((_, index) => classes[index] === label);
    // Their number is said beside.
    const look = { class: "train-wall", "aria-hidden": "true" };
    const walls = set.classes.map((_, label) =>
      h(
        "div",
        look,
        samplesOf(label).map((sample) => picture(sample)),
      ),
    );
    const table = valuesTable({
      look: "train-classes",
      of: "Class",
      names: set.classes.map(({ name }) => name),
      columns: [
        ["To train on", set.classes.map(({ training }) => grouped(training))],
        ["For the test", set.classes.map(({ test }) => grouped(test))],
        ["The first ones, as the network sees them", walls],
      ],
    });
    const mend = () => void change(set, { left_out: rare });
    const warnings = set.warnings.map((words) => h("li", {}, words));
    return [
      h("p", {}, [setWords(set), ...set.lines].join(" ")),
      warnings.length > 0 && h("ul", { class: "train-warnings" }, warnings),
      rare.length > 0 && set.can_change && button(leaveOutWords(rare), mend),
      inSight(table, set.classes.length),
    ];
  }

  /** What its folders are, for people to say. @param {OwnSet} set */
  function questionOf(set) {
    const answers = FOLDERS.map(([folders, words]) =>
      button(words, () => void change(set, { folders })),
    );
    return [
      h("p", {}, set.question),
      h("div", { class: "tools" }, answers, removeButton(set)),
    ];
  }

  /** What pictures become, and a button that makes it so. @param {OwnSet} set */
  function formOf(set) {
    const [channels, rows] = set.shape;
    const sides = [...new Set([...SIDES, rows])].sort((a, b) => a - b);
    const sizes = sides.map((side) => [String(side), `${side}×${side}`]);
    const colours = [
      ["1", "grey"],
      ["3", "in colour"],
    ];
    // What is chosen counts once the form is sent.
    const pick = (
      /** @type {string} */ title,
      /** @type {string} */ name,
      /** @type {string[][]} */ options,
      /** @type {number} */ now,
    ) => menuOf(title, options, String(now), () => {}, { name });
    const onsubmit = (/** @type {any} */ event) => {
      event.preventDefault();
      const { side, channels, inverted } = event.currentTarget.elements;
      void change(set, {
        size: [Number(side.value), Number(side.value)],
        channels: Number(channels.value),
        inverted: inverted.checked,
      });
    };
    const isInverted = { type: "checkbox", name: "inverted", checked: set.inverted };
    return h(
      "details",
      { class: "numbers" },
      h("summary", {}, "Change what pictures become"),
      h(
        "form",
        { class: "tools", onsubmit },
        pick("Pixels", "side", sizes, rows),
        pick("Pictures", "channels", colours, channels),
        h("label", {}, h("input", isInverted), EXCHANGE),
        h("button", { type: "submit" }, "Read them again so"),
      ),
    );
  }

  /** Which network, and the button that trains it. @param {OwnSet} set */
  function startOf(set) {
    const container = make("div");
    const all = recipes?.architectures ?? [];
    const kinds = all.map(({ name }) => [name, networkTitle(name)]);
    let [kind, begin] = [recipes?.default ?? "", ""];
    const recipe = () => {
      const recipe = recipeOf(set, kind);
      return begin === "" ? recipe : { ...recipe, start: begin };
    };
    const start = () => {
      wrong("");
      train(recipe(), (message) => wrong(asSentence(message)));
    };
    offerNow = () => {
      const origins = starts(set.shape[0]);
      const origin = origins.find(({ id }) => id === begin);
      [kind, begin] = [origin?.architecture ?? kind, origin?.id ?? ""];
      const options = [
        ["", "random weights"],
        ...origins.map(({ id, words }) => [id, words]),
      ];
      const isFixed = { disabled: origin !== undefined };
      fill(
        container,
        h(
          "div",
          { class: "tools" },
          button("Train on these pictures", start, { class: "train-main" }),
          menuOf("Network", kinds, kind, (id) => use(id, begin), isFixed),
          menuOf("starting from", options, begin, (id) => use(kind, id)),
          removeButton(set),
        ),
      );
    };
    const use = (/** @type {string} */ network, /** @type {string} */ from) => {
      [kind, begin] = [network, from];
      offerNow();
    };
    use(kind, begin);
    return container;
  }

  /** @param {OwnSet} set */
  const removeButton = (set) =>
    button(`Delete ${set.title}`, () => void remove(set.id), { class: "quiet" });

  /** @param {() => Promise<unknown>} job */
  async function done(job) {
    wrong("");
    try {
      await job();
      drawn = "";
    } catch (error) {
      fail(error);
    }
    await look();
  }
  const remove = (/** @type {string} */ id) => done(() => server.removeSet(id));
  /** @param {OwnSet} set @param {Readonly<Record<string, unknown>>} changes */
  const change = (set, changes) => done(() => server.changeSet(set.id, changes));

  /** @param {Promise<{ name: string, file: Blob }[]> | { name: string, file: Blob }[]} chosenFiles */
  async function send(chosenFiles) {
    if (sending !== null) return;
    const stop = new AbortController();
    sending = stop;
    wrong("");
    bar.hidden = cancel.hidden = false;
    bar.removeAttribute("value");
    tell("The files are gathered.");
    let id = null;
    try {
      const files = await chosenFiles;
      if (files.length === 0) throw new ApiError("there is no file to send");
      const size = files.reduce((sum, { file }) => sum + file.size, 0);
      if (size > MOST)
        throw new ApiError(
          `a set may have ${sizeWords(MOST)} at most, got ${sizeWords(size)}`,
        );
      const { name, file } = await asOne(files, (done) => {
        stop.signal.throwIfAborted();
        tell(`${counted(done, "file")} of ${files.length} are packed.`);
      });
      id = await server.addSet(name, file.size);
      chosen = id;
      await sendAll(id, file, stop.signal);
    } catch (error) {
      if (id !== null) await server.removeSet(id).catch(() => {});
      if (error instanceof TooManyFiles) wrong("A set may have 65,535 files at most.");
      else fail(error);
    }
    sending = null;
    await look();
  }

  /** @param {string} id @param {Blob} file @param {AbortSignal} signal */
  async function sendAll(id, file, signal) {
    let sent = 0;
    while (sent < file.size) {
      signal.throwIfAborted();
      const piece = file.slice(sent, sent + PIECE);
      ({ received: sent } = await server.sendPiece(id, sent, piece, signal));
      [bar.max, bar.value] = [file.size, sent];
      tell(`${sizeWords(sent)} of ${sizeWords(file.size)} are sent.`);
    }
  }

  for (const input of [folder, chooser])
    input.addEventListener("change", () => {
      const files = filesIn(input.files ?? []);
      input.value = ""; // so that the same can be chosen again
      void send(files);
    });
  for (const name of ["dragover", "dragleave", "drop"])
    drop.addEventListener(name, (event) => {
      event.preventDefault();
      event.stopPropagation(); // a picture dropped on the page is for the bench
      drop.classList.toggle("is-over", name === "dragover");
      if (event instanceof DragEvent && name === "drop" && event.dataTransfer)
        void send(droppedIn(event.dataTransfer));
    });
  cancel.addEventListener("click", () => {
    if (sending !== null) sending.abort();
    else if (chosen !== null) void remove(chosen);
  });
  menu.addEventListener("change", () => {
    chosen = menu.value;
    wrong("");
    draw();
  });

  return {
    /** Offer what a run can start from by now. */
    offerStarts: () => offerNow(),

    /** @param {Recipes} next */
    show(next) {
      recipes = next;
      part.hidden = !next.allowed;
      if (next.allowed) void look();
    },
  };
}

/**
 * A table of classes that leaves in sight what is below it: keys scroll a long one.
 * @param {Content} table @param {number} classes
 */
function inSight(table, classes) {
  const isLong = classes > MOST_ROWS;
  const name = isLong && counted(classes, "class", "classes");
  const keys = {
    tabindex: isLong && "0",
    role: isLong && "region",
    "aria-label": name,
  };
  const look = `train-classes-around${isLong ? " is-long" : ""}`;
  return h("div", { class: look, ...keys }, table);
}

/** @param {Tensor} images */
function picturesOf(images) {
  const [, channels, rows, columns] = images.shape;
  return rowsOf(images).map((row) => ({
    ...{ channels, rows, columns },
    bytes: Uint8Array.from(row),
  }));
}
