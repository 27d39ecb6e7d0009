/** Writing numbers into the formulas of a template, whose `mn`s name what belongs there. */

/**
 * @param {Element} root
 * @param {Readonly<Record<string, string>>} texts by name; others stay as they are
 */
export function fillNumbers(root, texts) {
  for (const place of root.querySelectorAll("[data-number]")) {
    const text = texts[place.getAttribute("data-number") ?? ""];
    if (text !== undefined && place.textContent !== text) place.textContent = text;
  }
}
