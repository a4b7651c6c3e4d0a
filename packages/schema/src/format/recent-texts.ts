// The last few short texts that passed a check. Patterns and formats ask here first: objects of one kind mostly say what
// others said before them.

const SLOTS = 4
/** Longer texts seldom come again, and are dear to compare. */
const MAX_LENGTH = 256

export class RecentTexts {
  readonly #texts: string[] = []
  #next = 0

  has(text: string): boolean {
    return this.#texts.includes(text)
  }

  /** In place of the oldest. */
  add(text: string): void {
    if (text.length > MAX_LENGTH) return
    this.#texts[this.#next] = text
    this.#next = (this.#next + 1) % SLOTS
  }
}
