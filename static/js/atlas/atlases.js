/**
 * What is known of the test sets of networks: fetched where it was measured, read now where
 * it was not, each when it is first needed; and what of it is on show.
 * @import { AppState, Model, Services } from "../types.js"
 * @import { Selection } from "../lib/selections.js"
 * @import { Atlas } from "../lib/tested.js"
 */
import { comparableModels, isSameNetwork, madeFrom, trainedOn } from "../core/state.js";
import { asSentence, grouped, messageOf } from "../lib/format.js";
import { momentOf } from "../lib/moments.js";
import { ALL, isKnown, selected } from "../lib/selections.js";
import { atlasOf, readTested, withMoments, withOther } from "./reading.js";

/** The state while the Atlas is open. @typedef {AppState & AppState["atlas"] & { model: Model }} OnShow */

/** @typedef {ReturnType<typeof createAtlases>} Atlases */

/**
 * @param {{ get: () => OnShow | null }} shown
 * @param {Pick<Services, "server" | "during" | "guarded">} services
 * @param {object} page
 * @param {() => void} page.changed something more is known, or it is known why it is not
 * @param {() => void} page.progressed more of the test images have been read
 */
export function createAtlases(
  shown,
  { server, during, guarded },
  { changed, progressed },
) {
  /** @type {Map<string, Atlas | string>} by model; words: why there is none */
  const known = new Map();
  /** Why a model's test images have no pictures; "" where they have. @type {Map<string, string>} */
  const lacking = new Map();
  /** What is on show, of the moment before while a moment of a run is read. */
  let before = /** @type {{ model: Model, atlas: Atlas } | null} */ (null);
  /** How far test images are read, in words; "" where none are. */
  let progress = "";
  /** Of the models whose test images are read. @type {Set<string>} */
  const underWay = new Set();
  /** Which moments there are of each run. @type {Map<string, readonly number[]>} */
  const steps = new Map();
  /** @type {{ atlas: Atlas | null, selection: Selection | null, images: number[] }} */
  let last = { atlas: null, selection: null, images: [] };

  /** The atlas on show, once it is there. @returns {Atlas | null} */
  function atlas() {
    const model = shown.get()?.model;
    if (model === undefined) return null;
    const result = known.get(model.id);
    if (typeof result === "object") before = { model, atlas: result };
    else if (result !== undefined || !isSameNetwork(before?.model, model))
      before = null;
    return before?.atlas ?? null;
  }

  /** The map on show. */
  function map() {
    const positions = atlas()?.positions ?? {};
    const wanted = shown.get()?.map ?? "";
    const names = Object.keys(positions);
    const id = names.includes(wanted) ? wanted : (names[0] ?? "");
    return { id, places: positions[id] ?? [] };
  }

  /** What is selected; everything where this network has no such selection. */
  function selection() {
    const now = atlas();
    const wanted = shown.get()?.selection ?? ALL;
    return now !== null && isKnown(now, wanted) ? wanted : ALL;
  }

  /** The numbers of the images selected. */
  function images() {
    const now = { atlas: atlas(), selection: selection() };
    if (last.atlas !== now.atlas || last.selection !== now.selection)
      last = { ...now, images: now.atlas ? selected(now.atlas, now.selection) : [] };
    return last.images;
  }

  const fetchSteps = guarded(async (/** @type {string} */ run) => {
    const { snapshots } = await server.fetchRun(run);
    steps.set(run, snapshots);
    changed();
  });
  /** Read the moment that the selection compares with. */
  const fetchCompared = guarded(async (/** @type {OnShow} */ state) => {
    const { model, models } = state;
    const from = state.selection.kind === "differ" ? state.selection.from : "";
    const isMoment = momentOf(from) !== null && isSameNetwork(model, { id: from });
    if (!isMoment || known.has(from) || underWay.has(from)) return;
    const other = await server.fetchModel(from);
    await during(() => fetchAtlas(other, models));
  });

  /** @param {Model} model */
  async function lookForImages(model) {
    const { datasets } = await server.fetchDatasets();
    const source = madeFrom(model);
    const isThere = datasets.some(({ dataset }) => dataset === source);
    lacking.set(model.id, isThere ? "" : howToGet(source));
    if (shown.get()?.model === model) changed();
  }
  const lookAgain = guarded(lookForImages);

  /** @param {Model} model @param {Model[]} models */
  async function fetchAtlas(model, models) {
    if (underWay.has(model.id)) return;
    underWay.add(model.id);
    try {
      await lookForImages(model);
      const alike = comparableModels({ models, model });
      if (model.card.atlas === undefined) {
        const read = await readTested(server, model, isStillRead);
        if (read === null) return;
        known.set(model.id, atlasOf(model, alike, read.tensors, read.total));
        bringMomentsTogether(model);
      } else {
        const tensors = await server.fetchOwnTensors(model, "atlas");
        known.set(model.id, atlasOf(model, alike, tensors));
        void during(() => fetchOthers(model, alike));
      }
    } catch (error) {
      known.set(model.id, asSentence(messageOf(error)));
    } finally {
      underWay.delete(model.id);
    }
    progress = "";
    changed();

    /** @param {number} count @param {number} of */
    function isStillRead(count, of) {
      const now = shown.get();
      const { selection: chosen } = now ?? {};
      const isCompared = chosen?.kind === "differ" && chosen.from === model.id;
      if (now?.model.id !== model.id && !isCompared) return false;
      progress = `Reading the test images with ${model.title}: ${grouped(count)} of ${grouped(of)} so far.`;
      progressed();
      return true;
    }
  }

  /**
   * What other networks read, of those whose cards do not list it.
   * @param {Model} model @param {Model[]} alike
   */
  async function fetchOthers(model, alike) {
    for (const other of alike) {
      const { atlas: measured, mistakes } = other.card;
      const isSame = trainedOn(other) === trainedOn(model);
      if (other.id === model.id || !isSame || !measured || mistakes) continue;
      const tensors = await server.fetchOwnTensors(other, "atlas");
      const now = known.get(model.id);
      if (typeof now === "object")
        known.set(model.id, withOther(now, other.id, atlasOf(other, [], tensors)));
      if (shown.get()?.model === model) changed();
    }
  }

  /** Moments of a run that were read are compared. @param {Model} model */
  function bringMomentsTogether(model) {
    const moments = [...known].flatMap(([id, result]) =>
      typeof result === "object" &&
      momentOf(id) !== null &&
      isSameNetwork(model, { id })
        ? [/** @type {const} */ ([id, result])]
        : [],
    );
    for (const [id, atlas] of moments) {
      const others = moments.filter(([other]) => other !== id);
      known.set(id, withMoments(atlas, others));
    }
  }

  return {
    atlas,
    map,
    selection,
    images,
    progress: () => progress,
    /** Why a network has no atlas; "" where it has one, or may yet. @param {Model} model */
    whyNone({ id }) {
      const result = known.get(id);
      return typeof result === "string" ? result : "";
    },
    /**
     * Why a network's test images have no pictures; "" where they have.
     * @param {Model} model
     * @returns {string | undefined} undefined while nobody knows
     */
    whyBare: ({ id }) => lacking.get(id),
    /** The other moments of its run. @param {Model} model */
    momentsBeside({ id }) {
      const { run = "", step = 0 } = momentOf(id) ?? {};
      return (steps.get(run) ?? []).flatMap((other) =>
        other === step ? [] : [{ id: `${run}@${other}`, step: other }],
      );
    },
    /** A network is on show. @param {OnShow} state */
    need({ model, models }) {
      progress = "";
      // What could not be read, or had no pictures, may have come since.
      if (typeof known.get(model.id) !== "object")
        void during(() => fetchAtlas(model, models));
      else if (lacking.get(model.id)) void lookAgain(model);
      const moment = momentOf(model.id);
      if (moment !== null) void fetchSteps(moment.run);
    },
    /** Something is selected by it. @param {OnShow} state */
    needParts(state) {
      void fetchCompared(state);
    },
  };
}

/** What is said where points have no pictures. @param {string} dataset */
function howToGet(dataset) {
  if (dataset === "mnist")
    return "Points get their own pictures once MNIST is on this machine.";
  const [which, how] =
    dataset === "toys"
      ? ["", "have the toys drawn"]
      : [` (${dataset})`, "download them"];
  return `The test images themselves${which} are not on this server, so points have no pictures. Whoever runs it can ${how}.`;
}
