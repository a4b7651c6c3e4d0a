// What the clients of a run were told, in the form the checker reads. Writers and lists add to it.

import type { KubeObject } from '@homeostat/meta'
import { revisionOf } from '../http-call.ts'
import type { LogEntry, Picture, Write } from './checker.ts'
import { tokenOf } from './token.ts'

export class Ledger {
  readonly #writes: Write[] = []
  #waiting: { readonly count: number; readonly resolve: () => void } | undefined
  readonly reads: LogEntry[] = []
  readonly pictures: Picture[] = []
  /** Answers that a sound server does not give. */
  readonly surprises: string[] = []
  /** The highest revision that anyone was told of. */
  seen = 0

  get writes(): readonly Write[] {
    return this.#writes
  }

  addWrite(write: Write): void {
    this.#writes.push(write)
    if (write.revision !== undefined) this.tell(write.revision)
    if (this.#waiting !== undefined && this.#writes.length >= this.#waiting.count) this.#waiting.resolve()
  }

  /** Resolves after so many more writes. */
  written(more: number): Promise<void> {
    if (more === 0) return Promise.resolve()
    return new Promise((resolve) => {
      this.#waiting = { count: this.#writes.length + more, resolve }
    })
  }

  tell(revision: number): void {
    this.seen = Math.max(this.seen, revision)
  }

  addRead(object: KubeObject): void {
    this.reads.push({ key: keyOf(object), revision: revisionOf(object), token: tokenOf(object) })
    this.tell(revisionOf(object))
  }

  addList(list: { metadata: { resourceVersion?: string }; items?: readonly KubeObject[] }, seen: number): void {
    const objects = (list.items ?? []).map((object) => ({
      key: keyOf(object),
      revision: revisionOf(object),
      token: tokenOf(object),
    }))
    this.pictures.push({ revision: revisionOf(list), seen, objects })
    this.tell(revisionOf(list))
  }
}

export function keyOf({ metadata }: KubeObject): string {
  return `${metadata.namespace}/${metadata.name}`
}
