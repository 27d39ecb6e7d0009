/**
 * Do a job only when something that it depends on is another than the last time.
 * @template {unknown[]} Causes
 * @template Result
 * @param {(...causes: Causes) => Result} job
 * @returns {(...causes: Causes) => Result} answers with what the job returned last
 */
export function onChange(job) {
  /** @type {{ causes: Causes, result: Result } | null} */
  let last = null;
  return (...causes) => {
    if (!last?.causes.every((cause, i) => cause === causes[i]))
      last = { causes, result: job(...causes) };
    return last.result;
  };
}
