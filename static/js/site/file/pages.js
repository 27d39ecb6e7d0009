/**
 * The other pages of the explorer, such as chapters of the guide, as views of the same file:
 * `#page=guide/01-what` opens one over the page, and closing it leads back.
 */
import { filesOf, siteHere } from "./held.js";
import { trustedPage } from "./trusted.js";

const LINK = /^#page=([^#]+)(?:#(.*))?$/;

export function mountPages() {
  const found = document.querySelector("dialog[data-page]");
  const frame = found?.querySelector("iframe");
  if (!(found instanceof HTMLDialogElement) || !frame) return;
  const dialog = found;
  const files = filesOf(siteHere());
  /** What was on show before, as its address has it. */
  let before = "#";

  /** @param {string} hash of a link */
  async function open(hash) {
    const [, name = "", place = ""] = LINK.exec(hash) ?? [];
    const page = await pageOf(name);
    if (!dialog.open) before = LINK.test(location.hash) ? "#" : location.hash;
    frame.onload = () => {
      const content = frame.contentDocument;
      if (content === null) return;
      const { theme } = document.documentElement.dataset;
      if (theme) content.documentElement.dataset.theme = theme;
      content.addEventListener("click", follow);
      content.addEventListener(
        "keydown",
        ({ key }) => key === "Escape" && dialog.close(),
      );
      content.getElementById(decodeURIComponent(place))?.scrollIntoView();
    };
    frame.srcdoc = trustedPage(page);
    if (!dialog.open) dialog.showModal();
    frame.focus();
  }

  /** @param {string} name */
  async function pageOf(name) {
    const pages = await files.json("pages.json");
    if (Object.hasOwn(pages, name)) return pages[name];
    const text = new TextDecoder().decode(await files.load(name));
    const holder = document.createElement("pre");
    holder.textContent = text;
    return `<!doctype html><meta charset="utf-8">${holder.outerHTML}`;
  }

  /** A link in a page, whose own address is none. @param {MouseEvent} event */
  function follow(event) {
    const link = /** @type {Element | null} */ (event.target)?.closest?.("a[href]");
    const to = link?.getAttribute("href") ?? "";
    if (!/^[#?]/.test(to)) return;
    event.preventDefault();
    if (LINK.test(to)) return void show(to);
    const place = to.startsWith("#") && to !== "#" && frame.contentDocument;
    const target = place && place.getElementById(decodeURIComponent(to.slice(1)));
    if (target) return target.scrollIntoView();
    if (to !== "#") before = to;
    dialog.close();
  }

  /** @param {string} hash */
  const show = (hash) => open(hash).catch(() => dialog.close());

  dialog.addEventListener("close", () => {
    history.pushState(null, "", before);
    dispatchEvent(new PopStateEvent("popstate"));
  });
  dialog
    .querySelector("[data-print]")
    ?.addEventListener("click", () => frame.contentWindow?.print());
  document.addEventListener("click", (event) => {
    const link = /** @type {Element} */ (event.target).closest?.('a[href^="#page="]');
    if (!link) return;
    event.preventDefault();
    show(link.getAttribute("href") ?? "");
  });
  const look = () => LINK.test(location.hash) && show(location.hash);
  addEventListener("hashchange", look);
  look();
}
