/**
 * Runs in the measured page before anything of its own, and notes when a person could see
 * what: `readings`, the ten lengths with the strip; `decodings`, the picture behind the
 * sliders. Times are milliseconds since the page was asked for.
 */
(() => {
  const meter = { readings: [], decodings: [], longTasks: [], words: "" };
  window.meter = meter;

  // A length's words change with every reading; nothing else is watched while the page
  // is being built, so that watching costs it nothing.
  watch(document, { attributes: true, attributeFilter: ["aria-label"] }, () => {
    const words = lengths();
    if (words === meter.words || words === "") return;
    meter.words = words;
    whenPainted(() => {
      meter.readings.push(performance.now());
      if (meter.readings.length === 1) console.debug("first reading");
    });
  });
  document.addEventListener("DOMContentLoaded", () => {
    const error = document.querySelector("[data-error]");
    watch(error, { childList: true, characterData: true }, () =>
      whenPainted(() => meter.decodings.push(performance.now())),
    );
  });

  function watch(root, what, job) {
    new MutationObserver(job).observe(root, { subtree: true, ...what });
  }

  /** The words of the ten lengths; empty while there are none. */
  function lengths() {
    const bars = document.querySelectorAll("[data-lengths] button");
    return Array.from(bars, (bar) => bar.getAttribute("aria-label") ?? "").join("");
  }

  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries())
      meter.longTasks.push({ start: startTime, duration });
  }).observe({ type: "longtask", buffered: true });

  /** After the frame that shows what has just changed. */
  function whenPainted(job) {
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = job;
      port2.postMessage(null);
    });
  }
})();
