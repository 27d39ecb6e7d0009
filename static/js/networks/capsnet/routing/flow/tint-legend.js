/** The legend of colours from less over even to more, as the theme has them. */

/**
 * @param {HTMLElement} root filled once
 * @param {{ format: (most: number) => string }} options
 * @returns {{ show: (most: number, unit: string) => void }} most: what the full colour
 *   stands for
 */
export function tintLegend(root, { format }) {
  const [name, ramp, ends] = [
    "legend-unit",
    "legend-ramp tint-ramp",
    "legend-ends",
  ].map((names) => {
    const made = document.createElement("span");
    made.className = names;
    return made;
  });
  const [low, middle, high] = ["", "0", ""].map((text) => {
    const made = document.createElement("span");
    made.textContent = text;
    return made;
  });
  ends.append(low, middle, high);
  root.classList.add("legend");
  root.append(name, ramp, ends);
  return {
    show(most, unit) {
      name.textContent = unit;
      low.textContent = `−${format(most)}`;
      high.textContent = `+${format(most)}`;
    },
  };
}
