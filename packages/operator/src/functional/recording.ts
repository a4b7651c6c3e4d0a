// Children that must be on record before they are made need a second run at once; a third when the record could not be
// written. Should the record not be kept, because the definition on the server has no place for it, that must not become
// a loop.

const MAX_REMEMBERED = 10_000
const MAX_TRIES = 20

export class Recording {
  readonly #tries = new Map<string, number>()

  /** Whether to run again at once. Asked with every run of an object. */
  isDue(uid: string, unrecorded: boolean): boolean {
    const tries = (this.#tries.get(uid) ?? 0) + 1
    if (!unrecorded) {
      this.#tries.delete(uid)
      return false
    }
    if (this.#tries.size >= MAX_REMEMBERED) this.#tries.clear()
    this.#tries.set(uid, tries)
    return tries <= MAX_TRIES
  }
}
