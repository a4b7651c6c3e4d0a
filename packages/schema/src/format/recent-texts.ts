// A cache of the last few short texts that passed a pattern or a format: objects of one kind mostly repeat the values of
// others.

const SLOTS = 4
/** Longer texts seldom repeat, and are expensive to compare. */
const MAX_LENGTH = 256

export class RecentTexts {
  readonly #texts: string[] = []
  #next = 0

  has(text: string): boolean {
    return this.#texts.includes(text)
  }

  /** Replaces the oldest. */
  add(text: string): void {
    if (text.length > MAX_LENGTH) return
    this.#texts[this.#next] = text
    this.#next = (this.#next + 1) % SLOTS
  }
}
