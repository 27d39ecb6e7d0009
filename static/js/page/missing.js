/** A part of the page whose scripts could not be had says so. */

/** @param {HTMLElement} root */
export function showMissing(root) {
  const notice = document.createElement("p");
  notice.className = "problem";
  notice.setAttribute("role", "alert");
  notice.textContent =
    "This part of the page could not be loaded. Check that the server is running, then reload the page: the address keeps what you see.";
  root.prepend(notice);
}
