/**
 * Do a job only when something that it depends on is another than the last time.
 * @template {unknown[]} Causes
 * @param {(...causes: Causes) => void} job
 * @returns {(...causes: Causes) => void}
 */
export function onChange(job) {
  /** @type {Causes | null} */
  let last = null;
  return (...causes) => {
    if (last?.every((cause, i) => cause === causes[i])) return;
    last = causes;
    job(...causes);
  };
}
