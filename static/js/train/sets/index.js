/**
 * Pictures of one's own: a folder or file is sent, what was understood of it is shown, and
 * a network is trained on it.
 * @import { Origin } from "../starts.js"
 * @import { OwnSet, Recipes, Services, Tensor } from "../../types.js"
 */
import { ApiError } from "../../core/connection.js";
import { asSentence, counted, grouped } from "../../lib/format.js";
import { TooManyFiles } from "../../lib/zip.js";
import { paintPixels } from "../../paint/heatmap.js";
import { fillMenu, find, findElement, make, setText } from "../../ui/dom.js";
import { createEstimates } from "../estimate.js";
import { sizeWords } from "../missing.js";
import { networkTitle } from "../words.js";
import { asOne, droppedIn, filesIn } from "./files.js";
import { leaveOutWords, progressWords, rareOf, recipeOf, setWords } from "./words.js";

const PIECE = 2 << 20; // bytes sent at once
const MOST = 512 << 20; // bytes of a file
const AGAIN_MS = 400; // from one look at a set that is read to the next
const MOST_ROWS = 10; // classes that are shown without scrolling
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
  const problem = findElement(part, "[data-set-problem]");
  const status = findElement(part, "[data-set-status]");
  const menu = find(part, "[data-set-menu]", HTMLSelectElement);
  const shown = findElement(part, "[data-set-shown]");
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
  const folded = find(part, "details", HTMLDetailsElement);
  const estimates = createEstimates(server);
  let estimateNow = () => {};
  let offerNow = () => {};
  folded.addEventListener("toggle", () =>
    folded.open ? estimateNow() : estimates.rest(),
  );

  /** @param {unknown} error */
  function fail(error) {
    if (error instanceof DOMException && error.name === "AbortError") return;
    if (!(error instanceof ApiError)) throw error;
    setText(problem, asSentence(error.message));
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
    const one = sets.find(({ id }) => id === chosen) ?? null;
    const label = /** @type {HTMLElement} */ (menu.closest("label"));
    label.hidden = sets.length === 0;
    menu.replaceChildren(
      ...sets.map(({ id, title, state }) =>
        make(
          "option",
          { value: id },
          state === "ready" ? title : `${title} (${state})`,
        ),
      ),
    );
    menu.value = chosen ?? "";
    const isUnderWay = one?.state === "receiving" || one?.state === "reading";
    bar.hidden = cancel.hidden = !isUnderWay && sending === null;
    if (one && isUnderWay) {
      const [value, max] =
        one.state === "receiving" ? [one.received, one.size] : [one.done, one.total];
      [bar.max, bar.value] = [max || 1, value];
      setText(status, progressWords(one));
    } else if (sending === null) setText(status, "");
    if (one?.state === "failed") setText(problem, progressWords(one));
    const key =
      one === null
        ? "none"
        : `${one.id} ${one.state} ${JSON.stringify(one.shape)} ${one.inverted} ${one.classes.length}`;
    if (key === drawn) return;
    drawn = key;
    // What has the keyboard's focus is about to go.
    if (shown.contains(document.activeElement)) (one === null ? chooser : menu).focus();
    estimates.rest();
    estimateNow = offerNow = () => {};
    if (one === null) shown.replaceChildren();
    else if (one.state === "ready") void showReady(one);
    else shown.replaceChildren(one.state === "failed" ? removeButton(one) : "");
  }

  /** @param {OwnSet} one */
  async function showReady(one) {
    shown.replaceChildren();
    try {
      const { images, classes } = await server.fetchSetSamples(one.id);
      if (one.id === chosen) shown.replaceChildren(...understood(one, images, classes));
    } catch (error) {
      fail(error);
    }
  }

  /** @param {OwnSet} one @param {Tensor} images @param {readonly number[]} classes */
  function understood(one, images, classes) {
    const rows = one.classes.map((each, label) => {
      const own = classes.flatMap((found, place) => (found === label ? [place] : []));
      const wall = make("div", "train-wall");
      wall.setAttribute("aria-hidden", "true"); // their number is said beside
      wall.append(...own.map((place) => pictureOf(images, place)));
      return make(
        "tr",
        "",
        make("th", { scope: "row" }, each.name),
        make("td", "", grouped(each.training)),
        make("td", "", grouped(each.test)),
        make("td", "", wall),
      );
    });
    const head = [
      ...["Class", "To train on", "For the test"],
      "The first ones, as the network sees them",
    ];
    const table = make(
      "table",
      "train-classes",
      make(
        "thead",
        "",
        make("tr", "", ...head.map((text) => make("th", { scope: "col" }, text))),
      ),
      make("tbody", "", ...rows),
    );
    const rare = rareOf(one);
    const mend = make("button", "", leaveOutWords(rare));
    mend.addEventListener("click", () => void change(one, { left_out: rare }));
    const warnings = one.warnings.map((words) => make("li", "", words));
    return [
      make("p", "", setWords(one), ...one.lines.map((line) => ` ${line}`)),
      ...(warnings.length > 0 ? [make("ul", "train-warnings", ...warnings)] : []),
      ...(rare.length > 0 && one.can_change ? [mend] : []),
      inSight(table, rows.length),
      ...(one.can_change ? [formOf(one)] : []),
      ...startOf(one),
    ];
  }

  /** What pictures become, and a button that makes it so. @param {OwnSet} one */
  function formOf(one) {
    const [channels, rows] = one.shape;
    const side = make("select", "");
    side.append(
      ...[...new Set([...SIDES, rows])]
        .sort((a, b) => a - b)
        .map((each) => make("option", { value: String(each) }, `${each}×${each}`)),
    );
    side.value = String(rows);
    const colour = make("select", "");
    colour.append(
      make("option", { value: "1" }, "grey"),
      make("option", { value: "3" }, "in colour"),
    );
    colour.value = String(channels);
    const inverted = make("input", { type: "checkbox" });
    inverted.checked = one.inverted;
    const again = make("button", "", "Read them again so");
    again.addEventListener("click", () => {
      const size = [Number(side.value), Number(side.value)];
      const asked = {
        size,
        channels: Number(colour.value),
        inverted: inverted.checked,
      };
      void change(one, asked);
    });
    const fields = make(
      "div",
      "train-tools",
      make("label", "", "Pixels ", side),
      make("label", "", "Pictures ", colour),
      make("label", "", inverted, " exchange light and dark, for ink on paper"),
      again,
    );
    return make(
      "details",
      "numbers",
      make("summary", "", "Change what pictures become"),
      fields,
    );
  }

  /** Which network, and the button that trains it. @param {OwnSet} one */
  function startOf(one) {
    const kinds = make("select", "");
    const all = recipes?.architectures ?? [];
    kinds.append(
      ...all.map(({ name }) => make("option", { value: name }, networkTitle(name))),
    );
    kinds.value = recipes?.default ?? "";
    const begin = make("select", "");
    const offer = () => {
      const origins = starts(one.shape[0]);
      const options = [{ id: "", words: "random weights" }, ...origins];
      const isThere = options.some(({ id }) => id === begin.value);
      fillMenu(begin, options, isThere ? begin.value : "");
      const origin = origins.find(({ id }) => id === begin.value);
      if (origin) kinds.value = origin.architecture;
      kinds.disabled = origin !== undefined;
    };
    offer();
    offerNow = offer;
    const recipe = () => {
      const own = recipeOf(one, kinds.value);
      return begin.value === "" ? own : { ...own, start: begin.value };
    };
    begin.addEventListener("change", () => {
      offer();
      estimateNow();
    });
    const cost = make("p", { class: "fine", role: "status" });
    const estimate = () => {
      if (folded.open) void estimates.show(cost, recipe());
    };
    kinds.addEventListener("change", estimate);
    estimateNow = estimate;
    estimate();
    const start = make("button", "train-main", "Train on these pictures");
    start.addEventListener("click", () => {
      setText(problem, "");
      estimates.rest(); // measuring would compete with the run
      setText(cost, "");
      train(recipe(), (message) => setText(problem, asSentence(message)));
    });
    return [
      make(
        "div",
        "train-tools",
        start,
        make("label", "", "Network ", kinds),
        make("label", "", "starting from ", begin),
        removeButton(one),
      ),
      cost,
    ];
  }

  /** @param {OwnSet} one */
  function removeButton(one) {
    const button = make("button", "quiet", `Delete ${one.title}`);
    button.addEventListener("click", () => void remove(one.id));
    return button;
  }

  /** @param {string} id */
  async function remove(id) {
    setText(problem, "");
    estimates.rest(); // they would ask for a set that is gone
    try {
      await server.removeSet(id);
    } catch (error) {
      fail(error);
    }
    drawn = "";
    await look();
  }

  /** @param {OwnSet} one @param {Readonly<Record<string, unknown>>} asked */
  async function change(one, asked) {
    setText(problem, "");
    estimates.rest();
    try {
      await server.changeSet(one.id, asked);
    } catch (error) {
      return fail(error);
    }
    drawn = "";
    await look();
  }

  /** @param {Promise<{ name: string, file: Blob }[]> | { name: string, file: Blob }[]} chosenFiles */
  async function send(chosenFiles) {
    if (sending !== null) return;
    const stop = new AbortController();
    sending = stop;
    setText(problem, "");
    bar.hidden = cancel.hidden = false;
    bar.removeAttribute("value");
    setText(status, "The files are gathered.");
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
        setText(status, `${counted(done, "file")} of ${files.length} are packed.`);
      });
      id = await server.addSet(name, file.size);
      chosen = id;
      await sendAll(id, file, stop.signal);
    } catch (error) {
      if (id !== null) await server.removeSet(id).catch(() => {});
      if (error instanceof TooManyFiles)
        setText(problem, "A set may have 65,535 files at most.");
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
      setText(status, `${sizeWords(sent)} of ${sizeWords(file.size)} are sent.`);
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
    setText(problem, "");
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
 * A table of classes that leaves in sight what is below it: a long one is scrolled.
 * @param {HTMLElement} table @param {number} classes
 */
function inSight(table, classes) {
  const around = make("div", "train-classes-around", table);
  if (classes > MOST_ROWS) {
    around.classList.add("is-long");
    around.tabIndex = 0; // so that keys scroll it
    around.setAttribute("role", "region");
    around.setAttribute("aria-label", counted(classes, "class", "classes"));
  }
  return around;
}

/** @param {Tensor} images @param {number} place */
function pictureOf({ shape, data }, place) {
  const [, channels, rows, columns] = shape;
  const size = channels * rows * columns;
  const bytes = Uint8Array.from(data.subarray(place * size, (place + 1) * size));
  const canvas = make("canvas");
  paintPixels(canvas, { channels, rows, columns, bytes });
  return canvas;
}
