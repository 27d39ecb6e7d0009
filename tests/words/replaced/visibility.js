/** Draws at once. */
export const showSeenFirst =
  (_element, draw) =>
  (...what) =>
    draw(...what);

export function onPrinting() {}

export function drawFolded() {}
