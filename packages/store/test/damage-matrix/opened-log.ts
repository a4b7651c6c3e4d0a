// A store opened in this thread, as the writer thread opens it, without the threads around it: a test can open hundreds.

import { join } from 'node:path'
import type { Change, Entry } from '../../src/contract.ts'
import { Checkpoints } from '../../src/sqlite/checkpoints.ts'
import { DataFiles, lastingFiles } from '../../src/sqlite/data-files.ts'
import { Database } from '../../src/sqlite/database.ts'
import { DATA_FILE } from '../../src/sqlite/format.ts'
import { lockDirectory } from '../../src/sqlite/lock.ts'
import { LogReader } from '../../src/sqlite/log-reader.ts'
import { LogWriter } from '../../src/sqlite/log-writer.ts'
import { createPrivate } from '../../src/sqlite/new-file.ts'
import { BatchPacker } from '../../src/sqlite/pack.ts'
import type { ReadAnswer } from '../../src/sqlite/protocol.ts'
import { recordMemory } from '../../src/sqlite/record.ts'
import { type OnLoss, RevisionGuard } from '../../src/sqlite/revision-guard.ts'
import { unpackChanges, unpackEntries } from '../../src/sqlite/unpack.ts'

const note = { time: 1_700_000_000_123, user: 'ada', manager: 'test' }
const limits = { perKey: 10, ageMs: 1e12, bytes: 1e9, kindBytes: 1e9 }

export class OpenedLog {
  readonly warnings: string[] = []
  readonly #lock
  readonly #writer
  readonly #db
  readonly #reader

  constructor(directory: string, onLoss: OnLoss = 'refuse') {
    const file = join(directory, DATA_FILE)
    this.#lock = lockDirectory(directory)
    try {
      const guard = new RevisionGuard(file, onLoss, (warning) => this.warnings.push(warning))
      createPrivate(file)
      const files = new DataFiles(file, lastingFiles(directory))
      const checkpoints = new Checkpoints(8000, () => performance.now())
      this.#writer = new LogWriter({ file, role: 'writer' }, limits, files, checkpoints, guard)
      this.#db = new Database({ file, role: 'reader' })
      this.#reader = new LogReader(this.#db)
    } catch (error) {
      this.#lock.release()
      throw error
    }
  }

  get state() {
    return this.#writer.state
  }

  entries(): Entry[] {
    const entries: Entry[] = []
    let answer: ReadAnswer | undefined
    do {
      answer = this.#reader.read({
        type: 'range',
        prefix: '',
        after: answer?.lastKey,
        revision: this.state.revision,
        limit: 1000,
        filled: false,
      })
      for (const entry of unpackEntries(answer.page)) if (entry !== undefined) entries.push(entry)
    } while (!answer.done)
    return entries
  }

  changes(after: number): Change[] {
    const changes: Change[] = []
    for (let through = after; through < this.state.revision; ) {
      const answer = this.#reader.read({ type: 'changes', after: through, upto: this.state.revision })
      changes.push(...unpackChanges(answer.page))
      through = answer.through ?? this.state.revision
    }
    return changes
  }

  /** Creates keys and answers the newest revision. */
  create(contents: Readonly<Record<string, string>>): number {
    const writes = Object.entries(contents).map(([key, text]) => ({
      key,
      value: { bytes: Buffer.from(text), gap: 0, metaEnd: 0 },
      expected: undefined,
      note,
      resolve: () => {},
    }))
    const { memory, count } = new BatchPacker().pack(writes, new SharedArrayBuffer(1 << 16))
    const reply = this.#writer.commit(recordMemory(memory), count)
    if (typeof reply !== 'number') throw new Error(`not written: ${JSON.stringify(reply)}`)
    return reply
  }

  close(): void {
    try {
      this.#db.close()
      this.#writer.close()
    } finally {
      this.#lock.release()
    }
  }
}
