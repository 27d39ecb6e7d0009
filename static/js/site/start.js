/**
 * What a site's page does before its modules come, and where they never do: it says why, and
 * looks whether the site was published again since the browser kept the page.
 * A classic script: these run from the disk, and in frames where modules are refused.
 */
{
  const script = /** @type {HTMLScriptElement} */ (document.currentScript).src;
  const top = new URL("../../../../", script); // this is in static/v…/js/site/
  const isFile = location.protocol === "file:";

  /** Where no module comes. @param {string} script */
  const wordsFor = (script) => {
    if (isFile)
      return "This page is one of a folder of files that a web server has to serve: a browser runs no part of it from the disk. In that folder, run “python -m http.server” and open http://localhost:8000.";
    if (self.origin === "null")
      return "This page stands in a frame whose sandbox lets none of its scripts in. Open the page itself, or add allow-same-origin to the frame's sandbox.";
    if (!navigator.onLine)
      return `This device is offline, and “${script}” has not been kept on it. Go online, and load the page again.`;
    return `“${script}”, of which this page is made, could not be loaded. Load the page again; if that does not help, whoever published this site can mend it by uploading the folder again.`;
  };

  /** @param {string} words */
  const say = (words) => {
    const notice = document.createElement("p");
    notice.className = "problem";
    notice.role = "alert";
    notice.textContent = words;
    const put = () => document.body.prepend(notice);
    if (document.body) put();
    else addEventListener("DOMContentLoaded", put);
  };

  const onError = (/** @type {Event} */ { target }) => {
    if (!(target instanceof HTMLScriptElement)) return;
    say(wordsFor(target.src.replace(top.href, "")));
    removeEventListener("error", onError, true);
  };
  addEventListener("error", onError, true);

  let isUsed = false;
  for (const kind of ["pointerdown", "keydown"])
    addEventListener(kind, () => {
      isUsed = true;
    });

  /** Load the page again, once for each version that the host has. */
  const renew = async () => {
    const answer = await fetch(new URL("version.json", top), { cache: "no-store" });
    const { version } = await answer.json();
    const isNewest = version === document.documentElement.dataset.version;
    if (isNewest || isUsed || sessionStorage.getItem("version") === version) return;
    sessionStorage.setItem("version", version);
    location.reload();
  };
  // Offline, or where nothing may be remembered, the page stays as it is.
  if (!isFile && navigator.onLine) renew().catch(() => {});
}
