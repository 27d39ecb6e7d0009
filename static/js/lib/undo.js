/** What can be taken back: earlier values, the newest last. */

const MOST = 100;

/** @template Value */
export class Undo {
  /** @type {Value[]} */
  #earlier = [];
  /** @type {string | null} */
  #kind = null;

  /** Whether there is anything to take back. */
  get isEmpty() {
    return this.#earlier.length === 0;
  }

  /**
   * Keep what is about to be changed.
   * @param {Value} before
   * @param {string | null} [kind] changes of one kind in a row are taken back together,
   *   such as all strokes of a key in one cell; null: taken back by itself
   */
  keep(before, kind = null) {
    const isSame = kind !== null && kind === this.#kind;
    this.#kind = kind;
    if (isSame) return;
    this.#earlier.push(before);
    if (this.#earlier.length > MOST) this.#earlier.shift();
  }

  /** @returns {Value | undefined} what to go back to; nothing when there is nothing */
  back() {
    this.#kind = null;
    return this.#earlier.pop();
  }
}
