/**
 * Where MNIST is not on the machine: pictures of the digits that the project draws itself,
 * which are there to learn from, and one line that offers the download.
 * @import { Download, Recipes, Services, TrainingData } from "../types.js"
 */
import { testImagesOf } from "../core/state.js";
import { picture } from "../draw/picture.js";
import { asSentence, capitalized, grouped, listed, percent } from "../lib/format.js";
import { listenToClicks } from "../ui/controls.js";
import { find, findElement, writer } from "../ui/dom.js";
import { fill } from "../ui/h.js";
import { networkTitle } from "./words.js";

const DIGITS = 10; // classes of drawn digits
const AGAIN_MS = 400; // from one look at a download to the next

/** @param {number} bytes */
export function sizeWords(bytes) {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

/**
 * How well networks that learnt from drawn digits read real ones.
 * @param {TrainingData["real"]} real by architecture
 */
function realWords(real) {
  const counts = Object.entries(real).map(
    ([name, { wrong, images }]) =>
      `a small ${networkTitle(name)} reads ${percent((images - wrong) / images, 1)}`,
  );
  const [{ images = 0 } = {}] = Object.values(real);
  return counts.length === 0
    ? ""
    : `Trained on drawn digits, ${listed(counts)} of MNIST’s ${grouped(images)} test digits correctly.`;
}

/** What can be downloaded, and how large it is. @param {TrainingData} data */
function offerWords({ title, download_bytes, hosts }) {
  return `${title} can be had, too: ${sizeWords(download_bytes)} from ${hosts[0]}. Nothing is sent but the request for its files.`;
}

/** @param {Download} download */
export function progressWords({ state, bytes, total, message }) {
  if (state === "none") return "";
  if (state === "running")
    return `${sizeWords(bytes)} of ${sizeWords(total)} have come.`;
  if (state === "done") return "It is here, and every file is right.";
  if (state === "stopped")
    return "The download was cancelled, and what had come is deleted.";
  return asSentence(capitalized(message ?? "the download failed"));
}

/** Of each class, so many drawn digits are shown. */
const OF_EACH = 2;

/**
 * What drawn digits look like.
 * @param {HTMLElement} root
 * @param {Pick<Services, "server" | "guarded">} services
 * @returns {(isLearnt: boolean, recipes: Recipes) => void} told whether they are learnt from
 */
export function mountDrawnDigits(root, { server, guarded }) {
  const panel = findElement(root, "[data-drawn-digits]");
  const write = writer(panel);
  let isAsked = false;
  const ask = guarded(async (/** @type {undefined} */ _wish) => {
    const classes = Array.from({ length: DIGITS }, (_, label) => label);
    const samples = await Promise.all(
      classes.map((label) =>
        server.fetchImages(testImagesOf("drawn"), { label, limit: OF_EACH }),
      ),
    );
    const pictures = samples.flatMap(({ digits }) =>
      digits.map(({ pixels }) => picture(pixels)),
    );
    fill(findElement(panel, "div"), pictures);
  });
  return (isLearnt, { datasets }) => {
    panel.hidden = !isLearnt;
    const drawn = datasets.find(({ real }) => Object.keys(real).length > 0);
    write("real", realWords(drawn?.real ?? {}));
    if (isLearnt && !isAsked) void ask(undefined);
    isAsked ||= isLearnt;
  };
}

/**
 * @param {HTMLElement} root
 * @param {Services["server"]} server
 * @param {(error: unknown) => void} failed
 * @param {() => Promise<void>} arrived called when the data set has come
 */
export function mountMissing(root, server, failed, arrived) {
  const panel = findElement(root, "[data-missing]");
  const write = writer(panel);
  const [begin, cancel] = ["download", "cancel-download"].map((name) =>
    find(panel, `[data-${name}]`, HTMLButtonElement),
  );
  const bar = find(panel, "progress", HTMLProgressElement);
  /** @type {TrainingData | null} */
  let data = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;

  /** @param {Download} download */
  function show(download) {
    const { state, bytes, total } = download;
    const isRunning = state === "running";
    bar.hidden = cancel.hidden = !isRunning;
    begin.hidden = isRunning || state === "done";
    [bar.max, bar.value] = [total, bytes];
    write("download-words", progressWords(download));
    clearTimeout(timer);
    if (isRunning) timer = setTimeout(() => void ask(server.fetchDownload), AGAIN_MS);
    if (state === "done") void arrived();
  }
  /** @param {(name: string) => Promise<Download>} job */
  async function ask(job) {
    if (data === null) return;
    try {
      show(await job(data.name));
    } catch (error) {
      failed(error);
    }
  }
  listenToClicks(panel, {
    download: () => ask(server.startDownload),
    "cancel-download": () => ask(server.stopDownload),
  });

  return {
    /** @param {Recipes} recipes */
    show({ allowed, datasets }) {
      const [first] = datasets;
      panel.hidden = !allowed || first === undefined || first.ready;
      if (panel.hidden) return;
      data = first;
      begin.hidden = first.download_bytes === 0;
      write("offer", offerWords(first));
      write("download", `Download it (${sizeWords(first.download_bytes)})`);
      void ask(server.fetchDownload); // another tab may have started it
    },
  };
}
