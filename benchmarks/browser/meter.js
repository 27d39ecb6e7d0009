/**
 * Runs in the measured page before the page's own scripts, and records when results become
 * visible: `readings`, the ten lengths and the strip; `decodings`, the picture of the sliders.
 * Times are milliseconds since the page was requested.
 */
(() => {
  const meter = { readings: [], decodings: [], longTasks: [], words: "" };
  window.meter = meter;

  // The label of a length changes with every reading. Nothing else is observed while the
  // page is built, so that observing takes no time.
  watch(document, { attributes: true, attributeFilter: ["aria-label"] }, () => {
    const words = lengths();
    if (words === meter.words || words === "") return;
    meter.words = words;
    whenPainted(() => {
      meter.readings.push(performance.now());
      if (meter.readings.length === 1) console.debug("first reading");
    });
  });

  /** Records from now on when the sliders' picture has become that of the moved pose. */
  meter.watchPicture = () => {
    const picture = document.querySelector("#view-reconstruction .decoded");
    if (picture === null) throw new Error("the page shows no picture of the sliders");
    const isCurrent = () => !picture.matches(".is-late, .is-empty");
    let was = isCurrent();
    watch(picture, { attributeFilter: ["class"] }, () => {
      const is = isCurrent();
      if (is && !was) whenPainted(() => meter.decodings.push(performance.now()));
      was = is;
    });
  };

  function watch(root, what, job) {
    new MutationObserver(job).observe(root, { subtree: true, ...what });
  }

  /** The labels of the ten lengths; empty while there are none. */
  function lengths() {
    const bars = document.querySelectorAll("[data-lengths] button");
    return Array.from(bars, (bar) => bar.getAttribute("aria-label") ?? "").join("");
  }

  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries())
      meter.longTasks.push({ start: startTime, duration });
  }).observe({ type: "longtask", buffered: true });

  /** Runs `job` after the frame that shows the latest change. */
  function whenPainted(job) {
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = job;
      port2.postMessage(null);
    });
  }
})();
