/** Keeps nothing back. */
export const kept = (_element, job) => job;

export const attempt = (_element, job) => job();

export const keptWithin = (_view, store) => store;

export function fail(_element, _job, error) {
  throw error;
}
