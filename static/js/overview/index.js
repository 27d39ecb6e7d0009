/**
 * The whole network in one picture: at the left the image, at the right what the network
 * says and draws of it, between them every layer, and between the layers what flows.
 * @import { AppState, Network, Services, Store } from "../types.js"
 * @import { Room } from "../core/rooms.js"
 * @import { Steps } from "../core/steps.js"
 * @import { Scene } from "./types.js"
 */
import { asSeenBy } from "../core/rooms.js";
import { OVERVIEW, shownView } from "../core/state.js";
import { selector } from "../core/store.js";
import { clamp } from "../lib/arithmetic.js";
import { inFrame } from "../lib/timing.js";
import { listenToClicks, stand } from "../ui/controls.js";
import { find, findElement, setText } from "../ui/dom.js";
import { fill, h } from "../ui/h.js";
import { mountPlay, tween } from "../ui/motion.js";
import { createDrawn } from "./drawn.js";
import { listen } from "./hands.js";
import { NARROW } from "./layout.js";
import { legend } from "./legend.js";
import { answersOf, ownersOf } from "./owners.js";
import { createPainter } from "./painter.js";
import { sentence } from "./words.js";

const HIGHEST = 0.62; // of the width
const LEAST = 300; // CSS px
const ON_PHONES = { least: 440, most: 620, beside: 400 }; // CSS px, and what else is in sight
const BELOW = 14; // CSS px below the legend
const AT_A_DESK = 1180; // CSS px; what is wider is drawn larger while one presents

/**
 * @param {HTMLElement} root @param {Store<AppState>} store
 * @param {(network: Network) => Room} roomOf @param {Services} services
 * @param {Steps} steps what Undo takes back
 */
export function mountOverview(root, store, roomOf, services, steps) {
  const figure = findElement(root, "[data-figure]");
  const painter = createPainter(figure, draw);
  const words = findElement(root, "[data-told]");
  const key = findElement(root, "[data-key]");
  const routed = findElement(root, "[data-routed]");
  const changed = findElement(root, "[data-changed]");
  const bars = ['[data-part="presentation"]', '[data-part="guide"]'].map((each) =>
    findElement(document, each),
  );

  const open = selector(store, (state) => {
    const { network } = state;
    if (shownView(state) !== OVERVIEW || network === null) return null;
    const own = asSeenBy(network, state);
    const scene = own && network.overview.of(own);
    return own && scene && { ...own, network, scene };
  });
  // In haste the next reading shows what has come.
  const drawnOf = createDrawn(open, services, () => {
    if (!painter.isHasty()) draw();
  });

  /** The iteration on show, from 0; with a fraction while it moves. */
  let step = 0;
  let goal = 0;
  const move = tween(
    (/** @type {number} */ at) => {
      step = at;
      draw();
    },
    (from, to, share) => from + share * (to - from),
  );

  function actions() {
    const network = open.get()?.network;
    return network && roomOf(network).actions;
  }

  function draw() {
    inFrame(drawNow);
  }

  /** Whether the picture is still as high as its room, which costs a layout to find out. */
  let isFitting = false;
  function refit() {
    isFitting = false;
    draw();
  }

  /** Its buttons are about to go. */
  function leaveChanged() {
    if (changed.contains(document.activeElement)) stand(root.querySelector("h2"));
  }

  function drawNow() {
    const state = open.get();
    if (state === null) return;
    const { scene, classIndex: held, isPresenting } = state;
    figure.classList.toggle("is-empty", scene.isEmpty);
    figure.classList.remove("is-blank");
    if (!isFitting) fit(isPresenting);
    const focus = hands.hovered() ?? held;
    const at = Math.min(step, scene.steps - 1);
    const both = ownersOf(scene, state.source);
    const owners = focus === null ? both : [];
    const wanted = owners.length > 0 ? owners : [focus ?? scene.prediction];
    const now = Math.round(at);
    const answers = answersOf(scene, held, both);
    const look = { scene, step: at, focus, held, part: hands.part(), owners, answers };
    const shown = hands.keepFocus(() =>
      painter.paint(look, (types) =>
        drawnOf({
          ...{ scene, wanted, answers, step: now, types },
          isHasty: painter.isHasty(),
        }),
      ),
    );
    if (shown === null) return;
    const { flows, layout } = shown;
    const { head, rest } = scene.stage?.isChanged
      ? { head: "", rest: scene.stage.words }
      : sentence({
          scene,
          flows,
          step: Math.round(at),
          focus,
          isBrief: !layout.isWide,
        });
    root.classList.toggle("is-wide", layout.isWide);
    if (!scene.stage?.isChanged) leaveChanged();
    changed.hidden = !scene.stage?.isChanged;
    fill(words, h("b", {}, head), h("span", {}, rest));
    fill(key, legend(scene, flows, layout, owners));
    showSteps(scene);
    hands.tell();
  }

  /**
   * The picture is as high as the window leaves room for.
   * @param {boolean} isPresenting
   */
  function fit(isPresenting) {
    const { width, top } = figure.getBoundingClientRect();
    const heights = bars.map(({ offsetHeight }) => offsetHeight);
    const covered = isPresenting ? Math.max(...heights) : 0; // one of them shows
    const taken = top + scrollY + key.offsetHeight + BELOW + covered;
    const room = innerHeight - taken;
    const height =
      width > NARROW
        ? Math.max(LEAST, Math.min(room, HIGHEST * width))
        : clamp(innerHeight - ON_PHONES.beside, ON_PHONES.least, ON_PHONES.most);
    painter.fit(width, height, isPresenting ? Math.max(1, width / AT_A_DESK) : 1);
    isFitting = width > 0;
  }

  /** @param {Scene} scene */
  function showSteps({ steps: count, step: chosen }) {
    routed.hidden = count === 1;
    const numbers = Array.from({ length: count }, (_, at) =>
      h(
        "button",
        {
          "aria-label": `Iteration ${at + 1}`,
          "aria-pressed": String(at === chosen),
          "data-iteration": at + 1,
          onclick: () => showStep(at + 1),
        },
        String(at + 1),
      ),
    );
    fill(findElement(routed, "[data-each-step]"), numbers);
  }

  /** @param {number} at from 1 */
  function showStep(at) {
    const network = open.get()?.network;
    if (network) roomOf(network).store.set(network.overview.stepTo(at - 1));
  }

  const timed = () => {
    const scene = open.get()?.scene;
    return scene && scene.steps > 1
      ? { step: scene.step + 1, iterations: scene.steps }
      : null;
  };
  mountPlay(
    root,
    { get: timed, shown: timed, whenClosed: (job) => void open.whenGone(job) },
    { showStep },
  );
  const hands = listen(figure, {
    draw,
    shown: painter.shown,
    step: () => Math.round(Math.min(step, (open.get()?.scene.steps ?? 1) - 1)),
    lead: () => open.get()?.classIndex ?? open.get()?.scene.prediction ?? 0,
    open: ({ id, ...at }) => actions()?.openAt(id, at),
    hold: (classIndex) => actions()?.focusClass(classIndex),
    operate: (gesture) => actions()?.operate(gesture),
  });
  listenToClicks(changed, {
    "undo-change": () => void steps.undo(),
    restore: () => actions()?.restore(),
  });
  const undo = find(changed, "[data-undo-change]", HTMLButtonElement);
  steps.watch(() => {
    const name = steps.earlier();
    if (name === undefined) leaveChanged();
    undo.disabled = name === undefined;
    setText(undo, name ? `Undo: ${name}` : "Undo");
  });

  open.watch(["scene", "classIndex", "isPresenting"], ({ scene }) => {
    const isSameImage = painter.shown()?.scene.rivers === scene.rivers;
    if (isSameImage && goal !== scene.step) move(step, scene.step);
    else if (!isSameImage) move(scene.step, scene.step);
    goal = scene.step;
    draw();
  });
  open.watch(["isPresenting"], refit);
  open.whenGone(() => figure.classList.toggle("is-blank", store.get().pixels === null));
  const sizes = new ResizeObserver(refit);
  for (const each of [document.body, root, key, ...bars]) sizes.observe(each);
  addEventListener("resize", refit);
}
