/**
 * The other pages of the explorer, such as chapters of the guide, as views of the same file:
 * `#page=guide/routing` opens one over the page, and closing it leads back.
 */
import { cover, put, uncover } from "../../lib/place.js";
import { findElement, make } from "../../ui/dom.js";
import { filesOf, siteHere } from "./contents.js";
import { parsed } from "./trusted.js";

const LINK = /^#page=([^#]+)(?:#(.*))?$/;

export function mountPages() {
  const dialog = /** @type {HTMLDialogElement} */ (
    findElement(document, "dialog[data-page]")
  );
  const holder = findElement(dialog, "[data-content]");
  const content = holder.attachShadow({ mode: "open" }); // a page has styles of its own
  const files = filesOf(siteHere());
  let isLeft = false; // for a view that a link names

  /** @param {string} hash of a link to a page */
  async function open(hash) {
    const [, name = "", fragment = ""] = LINK.exec(hash) ?? [];
    content.replaceChildren(...(await nodesOf(name)));
    if (!dialog.open) dialog.showModal();
    cover(hash);
    const target = content.getElementById(decodeURIComponent(fragment));
    if (target) target.scrollIntoView();
    else dialog.scrollTop = 0;
  }

  /** @param {string} name of a page, or of a text that the file holds */
  async function nodesOf(name) {
    const pages = await files.json("pages.json");
    if (Object.hasOwn(pages, name)) {
      const { head, body } = parsed(pages[name]);
      return [...head.querySelectorAll("style"), ...body.childNodes];
    }
    const text = new TextDecoder().decode(await files.load(name));
    const lines = make("pre", "", text);
    lines.style.whiteSpace = "pre-wrap";
    return [lines];
  }

  /** @param {string} hash */
  const show = (hash) => void open(hash).catch(() => dialog.close());

  /** Links of a page lead to another, to a place in it, or to a view. @param {Event} event */
  function follow(event) {
    const link = /** @type {Element} */ (event.target).closest("a[href]");
    const to = link?.getAttribute("href") ?? "";
    if (!/^[#?]/.test(to)) return;
    event.preventDefault();
    const target = to.startsWith("#") && content.getElementById(to.slice(1));
    if (target) return target.scrollIntoView();
    if (LINK.test(to)) return show(to);
    isLeft = to !== "#";
    if (isLeft) put(to);
    dialog.close();
  }

  content.addEventListener("click", follow);
  document.addEventListener("click", (event) => {
    const link = /** @type {Element} */ (event.target).closest?.('a[href^="#page="]');
    if (!link) return;
    event.preventDefault();
    for (const other of document.querySelectorAll("dialog[open]"))
      if (other !== dialog) /** @type {HTMLDialogElement} */ (other).close();
    show(link.getAttribute("href") ?? "");
  });
  dialog.addEventListener("close", () => {
    uncover(!LINK.test(location.hash));
    if (isLeft) dispatchEvent(new PopStateEvent("popstate"));
    isLeft = false;
  });
  findElement(dialog, "[data-print]").addEventListener("click", () => print());
  addEventListener("popstate", (event) => {
    if (LINK.test(location.hash)) {
      event.stopImmediatePropagation(); // it says nothing of the explorer
      show(location.hash);
    } else if (dialog.open && !isLeft) dialog.close(); // Back
  });
  const { hash } = location;
  if (LINK.test(hash)) {
    put("#"); // before the explorer reads it
    show(hash);
  }
}
