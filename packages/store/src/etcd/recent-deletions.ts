// The revisions at which keys were deleted lately. A key that is created again must name that of its last deletion; one that is
// not known here costs the create another question. The live watch fills it, the writer reads it.

const MOST = 4096

export class RecentDeletions {
  /** Oldest first. */
  readonly #revisions = new Map<string, number>()

  /** The etcd revision, or 0 when none is known. */
  at(key: string): number {
    return this.#revisions.size === 0 ? 0 : (this.#revisions.get(key) ?? 0)
  }

  /** 0: the record of the deletion is gone. */
  learn(key: string, etcdRevision: number): void {
    this.#revisions.delete(key)
    if (etcdRevision === 0) return
    this.#revisions.set(key, etcdRevision)
    if (this.#revisions.size <= MOST) return
    const [oldest] = this.#revisions.keys()
    if (oldest !== undefined) this.#revisions.delete(oldest)
  }
}
