/**
 * Earlier values to go back to: a history with a place in it, and a stack of changes to
 * undo.
 */

const MOST = 100;

/**
 * Values one after another. One of them is on show; others come before or after it.
 * @template Value
 */
export class History {
  /** @type {Value[]} */
  #values;
  #at = 0;

  /** @param {readonly Value[]} values at least one, the oldest first */
  constructor(values, at = values.length - 1) {
    this.#values = [...values];
    this.#at = at;
  }

  /** What is on show. */
  get now() {
    return this.#values[this.#at];
  }

  get hasEarlier() {
    return this.#at > 0;
  }

  get hasLater() {
    return this.#at < this.#values.length - 1;
  }

  /** Show something new; what came after is forgotten. @param {Value} value */
  add(value) {
    this.#values.splice(this.#at + 1, Infinity, value);
    if (this.#values.length > MOST) this.#values.shift();
    this.#at = this.#values.length - 1;
  }

  /** Put something else in the place of what is on show. @param {Value} value */
  replace(value) {
    this.#values[this.#at] = value;
  }

  /** @returns {Value} what is on show then: the first stays */
  back() {
    if (this.hasEarlier) this.#at--;
    return this.now;
  }

  /** @returns {Value} what is on show then: the last stays */
  forward() {
    if (this.hasLater) this.#at++;
    return this.now;
  }

  /**
   * A part to keep elsewhere, from which a history can be made again.
   * @param {number} most values around the one on show
   * @returns {{ values: Value[], at: number }}
   */
  excerpt(most) {
    const first = Math.max(0, this.#at - most + 1);
    const values = this.#values.slice(first, first + most);
    return { values, at: this.#at - first };
  }
}

/**
 * Earlier values, the newest last.
 * @template Value
 */
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
