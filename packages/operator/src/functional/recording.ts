// Decides whether to reconcile again at once, after children were recorded in the inventory but not created yet.
// Attempts are limited, so that an inventory that is never stored (the served definition lacks the field) does not
// become an endless loop.

const MAX_REMEMBERED = 10_000
const MAX_TRIES = 20

export class Recording {
  readonly #tries = new Map<string, number>()

  /** Whether to reconcile again at once. Called in every reconcile of an object. */
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
