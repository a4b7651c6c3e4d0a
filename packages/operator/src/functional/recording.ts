// Children that must be on record before they are made need a second run at once. Should the record not be kept, because
// the definition on the server has no place for it, that must not become a loop.

const MAX_REMEMBERED = 10_000

export class Recording {
  readonly #asked = new Set<string>()

  /** Whether to run again at once. Asked with every run of an object. */
  isDue(uid: string, unrecorded: boolean): boolean {
    const again = this.#asked.delete(uid)
    if (!unrecorded || again) return false
    if (this.#asked.size >= MAX_REMEMBERED) this.#asked.clear()
    this.#asked.add(uid)
    return true
  }
}
