// What the current run of a key wrote. An AsyncLocalStorage follows the awaits of a run, so that writes count for it whichever
// client of the operator they take. The dispatcher opens the notes around a run; nothing is noted after its end.

import { AsyncLocalStorage } from 'node:async_hooks'
import { rfc3339Micro } from '@homeostat/meta'
import type { RunRecord, RunWrite } from '@homeostat/meta/events'
import type { Trigger } from './triggers.ts'

/** More writes of one run are counted only. */
const MAX_WRITES = 20

export class RunNotes {
  readonly #current = new AsyncLocalStorage<Notes>()

  /** Takes a write of the current run; undefined outside of runs. */
  get taker(): ((write: RunWrite) => void) | undefined {
    const notes = this.#current.getStore()
    return notes === undefined || notes.isOver ? undefined : (write) => notes.add(write)
  }

  /** Calls `work` as a run. Calls back with its writes, if there were any. */
  async around<R>(work: () => Promise<R>, wrote: (writes: readonly RunWrite[], more: number) => void): Promise<R> {
    const notes = new Notes()
    try {
      return await this.#current.run(notes, work)
    } finally {
      notes.isOver = true
      if (notes.writes.length > 0) wrote(notes.writes, notes.more)
    }
  }
}

class Notes {
  readonly writes: RunWrite[] = []
  more = 0
  isOver = false

  add(write: RunWrite): void {
    // A second write of the same kind to the same object replaces the first: the newest revision is the one that others see.
    const known = this.writes.findIndex((one) => one.did === write.did && isSame(one, write))
    if (known >= 0) this.writes.splice(known, 1)
    if (this.writes.length < MAX_WRITES) this.writes.push(write)
    else this.more++
  }
}

function isSame({ object: a }: RunWrite, { object: b }: RunWrite): boolean {
  return a.name === b.name && a.kind === b.kind && a.namespace === b.namespace && a.apiVersion === b.apiVersion
}

/**
 * The record of a run, or undefined for one that is not told: a run that Events alone caused, since its own Event would cause the
 * next.
 */
export function runRecord(
  triggers: readonly Trigger[],
  writes: readonly RunWrite[],
  moreWrites: number,
): RunRecord | undefined {
  if (triggers.length > 0 && triggers.every(({ object }) => object?.kind === 'Event')) return undefined
  return {
    triggers: triggers.map(({ text, at, object, resourceVersion, generation, manager }) => ({
      text,
      time: rfc3339Micro(at),
      ...(object && { object }),
      ...(resourceVersion !== undefined && { resourceVersion }),
      ...(generation !== undefined && { generation }),
      ...(manager !== undefined && { manager }),
    })),
    writes,
    ...(moreWrites > 0 && { moreWrites }),
  }
}
