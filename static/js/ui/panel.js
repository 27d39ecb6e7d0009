/**
 * What every panel of a view does: it has a heading, folds, says in a line what is found in
 * it, is drawn only where it is seen, has words and a table. A panel is one value, which says
 * what differs.
 * @import { Content } from "./h.js"
 * @import { Table } from "../lib/numbers.js"
 * @import { Values } from "./values.js"
 */
import { memoize } from "../lib/memoize.js";
import { keepNumbers } from "../lib/numbers.js";
import { findElement, make, setText, uniqueId } from "./dom.js";
import { kept } from "./guard.js";
import { fill, h } from "./h.js";
import { fold, numbersIn, valuesTable } from "./values.js";
import { showSeenFirst } from "./visibility.js";

/**
 * @template {object} Scene what all panels of a view are drawn from
 * @template [Numbers=Scene]
 * @template [Act=any]
 * @typedef {object} Panel
 * @property {string} id names its slot in the template, and its fold in links
 * @property {string} [hook] by which the page finds it, `data-HOOK`; the id when absent
 * @property {string} [look] its class
 * @property {boolean} [isFolded] until it is opened
 * @property {string | ((scene: Scene) => Content)} title written at once, seen or not
 * @property {(scene: Scene) => Numbers | null} [numbers] what it works out; the scene when
 *   absent. Null while a part is on its way: what stands there stays, dimmed
 * @property {string} [wait] what stands there until the first of it has come
 * @property {(n: Numbers) => string} [line] what is found: in the summary while it is folded,
 *   else below the picture
 * @property {(n: Numbers, act: Act) => Content} picture what it shows; `act` is what the view
 *   lets readers do
 * @property {readonly Content[] | ((n: Numbers) => readonly Content[])} [words] what the
 *   picture cannot say
 * @property {(n: Numbers) => readonly Table[]} [behind] the numbers behind its picture, where
 *   no table has them
 * @property {{ title: string, of: (n: Numbers) => readonly Values[] }} [table] stands in the
 *   view's slot for tables
 */

/**
 * What tells of scenes, now and whenever there is another: see core/scenes.js.
 * @template {object} Scene
 * @typedef {{ watch: (draw: (scene: Scene) => void) => void }} Watched
 */

/**
 * Put panels in the places of the slots that have their ids. One that fails says so itself,
 * and the others go on.
 * @template {object} Scene
 * @param {HTMLElement} root of the view
 * @param {{ scenes: Watched<Scene>, act?: any }} view
 * @param {readonly Panel<Scene, any>[]} panels
 */
export function mountPanels(root, { scenes, act }, panels) {
  for (const panel of panels) {
    const numbersOf = memoize(panel.numbers ?? ((/** @type {Scene} */ scene) => scene));
    slotIn(root, panel.id).replaceWith(mountPanel(panel, numbersOf, scenes, act));
    if (panel.table)
      slotIn(root, "tables").before(mountTable(panel, numbersOf, scenes));
  }
  tellOf(root);
}

/** There is more to unfold, or a picture to save. @param {HTMLElement} root */
const tellOf = (root) => root.dispatchEvent(new Event("panels", { bubbles: true }));

/** @param {HTMLElement} root @param {string} name */
const slotIn = (root, name) => findElement(root, `slot[name="${name}"]`);

/**
 * @template {object} Scene
 * @param {Panel<Scene, any>} panel @param {(scene: Scene) => any} numbersOf
 * @param {Watched<Scene>} scenes @param {unknown} act
 */
function mountPanel(panel, numbersOf, scenes, act) {
  const {
    id,
    hook = id,
    look = "",
    isFolded,
    title,
    line,
    picture,
    words = [],
    wait,
  } = panel;
  const hooks = { class: `panel ${look}`.trim(), [`data-${hook}`]: "" };
  const headingId = uniqueId(id);
  const named = typeof title === "string" ? title : "";
  const heading = make("h3", { id: headingId }, named);
  const finding = make("p", { "data-finding": "" });
  const body = make("figure", { "aria-labelledby": headingId });
  const root = isFolded
    ? make(
        "details",
        { ...hooks, "data-panel": id },
        make("summary", "", heading, finding),
        body,
      )
    : make("section", { ...hooks, "aria-labelledby": headingId }, heading, body);

  const askLine = showSeenFirst(finding, (/** @type {Scene} */ scene) => {
    const n = numbersOf(scene);
    setText(finding, n === null ? "" : (line?.(n) ?? ""));
  });
  let isFirst = true;
  const askBody = showSeenFirst(body, (/** @type {Scene} */ scene) => {
    const n = numbersOf(scene);
    body.classList.toggle("is-old", n === null && !isFirst);
    if (n === null) {
      if (isFirst) fill(body, h("p", { class: "fine", role: "status" }, wait));
      return;
    }
    const finding = isFolded ? "" : (line?.(n) ?? "");
    const notes = typeof words === "function" ? words(n) : words;
    const caption = [finding !== "" && h("p", {}, finding), howToRead(notes)];
    const hasWords = finding !== "" || notes.length > 0;
    fill(body, picture(n, act), hasWords && h("figcaption", {}, caption));
    const { behind, table } = panel;
    keepNumbers(body, () => behind?.(n) ?? table?.of(n).map(numbersIn) ?? []);
    if (isFirst) tellOf(root);
    isFirst = false;
  });
  scenes.watch(
    kept(root, (scene) => {
      if (typeof title !== "string") fill(heading, title(scene));
      if (isFolded) askLine(scene);
      askBody(scene);
    }),
  );
  return root;
}

/** What the picture cannot say, for who wants to know. @param {readonly Content[]} words */
const howToRead = (words) =>
  words.length > 0 &&
  h(
    "details",
    { class: "more fine" },
    h("summary", {}, "How to read it"),
    words.map((note) => h("p", {}, note)),
  );

/**
 * @template {object} Scene
 * @param {Panel<Scene, any>} panel @param {(scene: Scene) => any} numbersOf
 * @param {Watched<Scene>} scenes
 */
function mountTable({ id, table }, numbersOf, scenes) {
  const root = make("div");
  scenes.watch(
    kept(root, (scene) => {
      const n = numbersOf(scene);
      if (n === null) return;
      const tables = () => table?.of(n).map(valuesTable);
      const look = { class: "numbers", "data-numbers": id };
      fill(root, table && fold(table.title, tables, look));
    }),
  );
  return root;
}
