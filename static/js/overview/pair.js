/**
 * Two readings, the picture of each, one below the other: of the kept image and of the one on
 * show, or of two networks and one image. What is pointed at in one is lit in both.
 * @import { Room } from "../core/rooms.js"
 * @import { Actions, AppState, Model, Network, NetworkState, Pixels, Services, Store, Trace } from "../types.js"
 * @import { Scene } from "./types.js"
 * @import { Opening } from "./units.js"
 */
import { startOf } from "../core/schema.js";
import { SCORES } from "../core/scores.js";
import { COMPARE, fittedTo, shownView } from "../core/state.js";
import { selector } from "../core/store.js";
import { ownOf } from "../lib/own.js";
import { inFrame, latest } from "../lib/timing.js";
import { find, findElement, setText } from "../ui/dom.js";
import { fill, h } from "../ui/h.js";
import { createDrawn } from "./drawn.js";
import { listen } from "./hands.js";
import { NARROW } from "./layout.js";
import { legend } from "./legend.js";
import { answersOf, ownersOf } from "./owners.js";
import { createPainter } from "./painter.js";
import { sentence } from "./words.js";

const HEIGHT = { least: 160, most: 400, share: 0.36 }; // CSS px, and of the width
const BELOW = 8; // CSS px below the second
const ON_PHONES = 620; // CSS px

/**
 * What one network says of the image.
 * @typedef {object} Reading
 * @property {Side} side
 * @property {NetworkState} state of it, with its own trace
 * @property {Scene | null} scene
 */

/**
 * What reads which image.
 * @typedef {{ title: string, model: Model, pixels: Pixels, isKept?: boolean }} Side
 */

/** @typedef {{ pixels: Pixels, sides: readonly Side[] }} Wish */
/** @typedef {Services & { loadNetwork: (model: Model) => Promise<Network>, roomOf: (network: Network) => Room }} Networks */

/** Stands for the kept image among the networks to choose from. */
const KEPT = "";

/**
 * @param {HTMLElement} root
 * @param {Store<AppState>} store @param {Actions} actions
 * @param {Networks} services
 */
export function mountPair(root, store, actions, services) {
  const choice = find(root, "[data-second]", HTMLSelectElement);
  const heading = findElement(root, "[data-pair-title]");
  const open = selector(store, (state) => {
    const { pixels, model, models } = state;
    if (shownView(state) !== COMPARE || pixels === null || model === null) return null;
    const others = models.filter((each) => isAlike(each, model));
    const other = otherOf({ ...state, model }, others);
    return { ...state, pixels, model, others, other };
  });
  /** @type {readonly Reading[]} */
  let readings = [];
  const figures = [...root.querySelectorAll("[data-figure]")];
  /** Each picture is as high as the window leaves room for both, as the view opens. */
  const room = () => {
    const boxes = figures.map((each) => each.getBoundingClientRect());
    const taken = boxes[0].top + scrollY + boxes[1].top - boxes[0].bottom;
    return (innerHeight - taken - BELOW) / boxes.length;
  };
  const sides = [...root.querySelectorAll("[data-side]")].map((side, at) =>
    mountSide(/** @type {HTMLElement} */ (side), {
      services,
      draw,
      room,
      reading: () => readings[at] ?? null,
      actions: {
        focusClass: actions.focusClass,
        async open({ id, ...part }) {
          const { model, isKept } = readings[at].side;
          if (isKept) actions.swapKept();
          if (model !== store.get().model) await actions.useModel(model, { view: id });
          const room = services.roomOf(await services.loadNetwork(model));
          room.actions.openAt(id, part);
        },
      },
    }),
  );

  function draw() {
    inFrame(drawNow);
  }

  function drawNow() {
    const state = open.get();
    if (state === null) return;
    const hovered = sides.map((side) => side.hovered()).find((each) => each !== null);
    for (const side of sides) side.show(state.classIndex, hovered ?? null);
    // Marks of one network mean the same in both pictures.
    const [first, other] = readings;
    root
      .querySelector("[data-key]")
      ?.toggleAttribute("hidden", first?.side.model === other?.side.model);
  }

  const ask = latest(
    services.guarded(async (/** @type {Wish} */ { pixels, sides }) => {
      const found = await Promise.all(
        sides.map((side) => read(side, store.get(), services)),
      );
      if (store.get().pixels !== pixels) return; // changed meanwhile
      readings = found;
      draw();
    }),
  );
  open.watch(["pixels", "kept", "model", "other", "slices"], (state) => {
    const found = sidesOf(state);
    root.hidden = found === null;
    setText(
      heading,
      state.other ? "Two networks, one image" : "Two images, one network",
    );
    if (found !== null) ask({ pixels: state.pixels, sides: found });
  });
  open.watch(["others", "other", "kept"], ({ others, other, kept }) =>
    fill(choice, [
      kept && h("option", { value: KEPT, selected: other === null }, "the kept image"),
      others.map(({ id, title }) =>
        h("option", { value: id, selected: id === other?.id }, title),
      ),
    ]),
  );
  choice.addEventListener("change", () => store.set({ second: choice.value }));
  open.watch(["classIndex"], draw);
  new ResizeObserver(draw).observe(root);
}

/** Another one with the same classes. @param {Model} other @param {Model} model */
const isAlike = (other, model) =>
  other.id !== model.id && other.class_names.join() === model.class_names.join();

/**
 * The network whose picture stands below that of the chosen one: at first one that reads
 * the same kind of image, and names as many classes in it.
 * @param {Pick<AppState, "second" | "kept"> & { model: Pick<Model, "input_shape" | "present"> }} state
 * @param {readonly Model[]} others
 * @returns {Model | null} null: the kept image is compared, or there is no other
 */
export function otherOf({ second, kept, model }, others) {
  const chosen = others.find(({ id }) => id === second);
  if (chosen !== undefined) return chosen;
  if (kept !== null) return null;
  const peer = others.find(
    ({ input_shape, present }) =>
      input_shape.join() === model.input_shape.join() &&
      present.at_most === model.present.at_most,
  );
  return peer ?? others[0] ?? null;
}

/**
 * What stands above and what below.
 * @param {Pick<AppState, "kept"> & { pixels: Pixels, model: Model, other: Model | null }} state
 * @returns {readonly [Side, Side] | null} null: there is nothing to compare with
 */
export function sidesOf({ pixels, kept, model, other }) {
  if (other !== null)
    return [
      { title: model.title, model, pixels },
      { title: other.title, model: other, pixels },
    ];
  if (kept === null) return null;
  return [
    { title: "The kept image", model, pixels: kept.pixels, isKept: true },
    { title: "The image on show", model, pixels },
  ];
}

/**
 * @param {Side} side @param {AppState} state
 * @param {Pick<Networks, "loadNetwork" | "server">} services
 * @returns {Promise<Reading>}
 */
async function read(side, state, { loadNetwork, server }) {
  const { model, pixels } = side;
  const network = await loadNetwork(model);
  const own = ownOf(state.slices, model.id) ?? startOf(network.schema(model));
  const before = { ...state, ...own, model };
  const names = [...new Set([SCORES, ...network.overview.needs])];
  const trace = await server.fetchTrace(
    ...[model, fittedTo(pixels, model), names, network.options?.(before) ?? {}],
  );
  const now = /** @type {NetworkState & { trace: Trace }} */ ({ ...before, trace });
  return { side, state: now, scene: network.overview.of(now) };
}

/**
 * @param {HTMLElement} root
 * @param {object} does
 * @param {Services} does.services
 * @param {() => void} does.draw both
 * @param {() => number} does.room that there is for the picture of each, in CSS px
 * @param {() => Reading | null} does.reading
 * @param {Pick<Actions, "focusClass"> & { open: (opening: Opening) => void }} does.actions
 */
function mountSide(root, { services, draw, room, reading, actions }) {
  const figure = findElement(root, "[data-figure]");
  const [title, told, key] = ["network", "told", "key"].map((name) =>
    findElement(root, `[data-${name}]`),
  );
  const painter = createPainter(figure);
  const get = () => {
    const { side, state, scene } = reading() ?? {};
    return side && state && scene ? { ...state, scene, title: side.title } : null;
  };
  const drawnOf = createDrawn({ get }, services, draw);
  const hands = listen(figure, {
    draw,
    shown: painter.shown,
    step: () => get()?.scene.step ?? 0,
    lead: () => get()?.scene.prediction ?? 0,
    open: actions.open,
    hold: actions.focusClass,
  });

  return {
    hovered: hands.hovered,

    /** @param {number | null} held the class chosen @param {number | null} hovered */
    show(held, hovered) {
      const now = get();
      if (now === null) return;
      const { scene } = now;
      const { width } = figure.getBoundingClientRect();
      const most = Math.min(HEIGHT.most, HEIGHT.share * width);
      const high = Math.max(HEIGHT.least, Math.min(most, room()));
      painter.fit(width, width > NARROW ? high : ON_PHONES);
      const focus = hovered ?? held;
      const { step } = scene;
      const both = ownersOf(scene, now.source);
      const owners = focus === null ? both : [];
      const answers = answersOf(scene, held, both);
      const wanted = owners.length > 0 ? owners : [focus ?? scene.prediction];
      const look = { scene, step, focus, held, part: hands.part(), owners, answers };
      const shown = hands.keepFocus(() =>
        painter.paint(look, (types) =>
          drawnOf({ scene, wanted, answers, step, types }),
        ),
      );
      if (shown === null) return;
      const { flows, layout } = shown;
      const { head, rest } = sentence({ scene, flows, step, focus, isBrief: true });
      setText(title, now.title);
      fill(told, h("b", {}, head), h("span", {}, rest));
      fill(key, [h("li", {}, `${now.title}:`), legend(scene, flows, layout, owners)]);
      hands.tell();
    },
  };
}
