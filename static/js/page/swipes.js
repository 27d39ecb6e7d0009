/**
 * A finger that scrolls the page moves no slider: browsers move the thumb to where a finger
 * is put down, before they know that it scrolls. What it moved is put back.
 * @param {HTMLElement} page
 */
export function forgiveSwipes(page) {
  /** @type {{ slider: HTMLInputElement, value: string } | null} */
  let touched = null;

  page.addEventListener(
    "pointerdown",
    ({ target, pointerType }) => {
      const isSlider = target instanceof HTMLInputElement && target.type === "range";
      touched =
        isSlider && pointerType === "touch"
          ? { slider: target, value: target.value }
          : null;
    },
    true, // before anything else has a say
  );
  // The browser takes the finger over only to scroll.
  page.addEventListener("pointercancel", () => {
    if (touched === null) return;
    const { slider, value } = touched;
    touched = null;
    if (slider.value === value) return;
    slider.value = value;
    slider.dispatchEvent(new Event("input", { bubbles: true }));
  });
}
