/** Starts the page that an HTML file holds: its script is unpacked, and run. */
import { SiteError } from "../failing.js";
import { filesOf, scriptAddress, siteHere } from "./contents.js";

const policy = /** @type {any} */ (globalThis).trustedTypes?.createPolicy("boot", {
  createScriptURL: (/** @type {string} */ address) => address,
});

async function start() {
  const address = scriptAddress(await filesOf(siteHere()).load("page.js"));
  const script = document.createElement("script");
  script.src = policy?.createScriptURL(address) ?? address;
  document.head.append(script);
}

start().catch((error) => {
  if (!(error instanceof SiteError)) throw error;
  const notice = document.createElement("p");
  notice.className = "problem";
  notice.role = "alert";
  notice.textContent = error.message;
  document.body.prepend(notice);
});
