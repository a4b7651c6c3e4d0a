// Detects that a file of the data directory was removed or replaced. The process that has it open can still commit to it, and
// loses all these commits when it ends, so the writer checks before it acknowledges a commit. It checks by path alone:
// opening a file and closing it again would free SQLite's locks on it.

import { type BigIntStats, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { WAL_SIZE_LIMIT } from './database.ts'
import { DATA_FILE } from './format.ts'
import { LOCK_FILE } from './lock.ts'
import { messageOf } from './message-of.ts'

export interface FileIdentity {
  readonly dev: bigint
  readonly ino: bigint
}

/** The two files that stay the same while a store is open, even when the connections are opened again. */
export interface LastingFiles {
  readonly data: FileIdentity
  readonly lock: FileIdentity
}

interface Watched extends FileIdentity {
  readonly path: string
  /** What a person can do when it is gone. */
  readonly advice: string
  /** SQLite may make it smaller, but never smaller than this. */
  readonly kept: number
  leastSize: number
}

const BRING_BACK =
  'put that very file back and writing goes on, or stop the server and restore a backup; until then objects can be read'
const RESTART = 'stop this server, make sure that no other uses the directory, and start it again'

/** Called when the directory is locked and its data file is there. */
export function lastingFiles(directory: string): LastingFiles {
  return { data: identify(join(directory, DATA_FILE)), lock: identify(join(directory, LOCK_FILE)) }
}

export class DataFiles {
  readonly #file: string
  readonly #data: Watched
  readonly #lock: Watched
  #wal: Watched | undefined
  #index: Watched | undefined

  constructor(file: string, lasting: LastingFiles) {
    this.#file = file
    this.#data = watched(file, lasting.data, BRING_BACK, 1)
    this.#lock = watched(join(dirname(file), LOCK_FILE), lasting.lock, RESTART)
  }

  /** SQLite has opened the data file and, with it, the WAL and its index, which may be new files each time. */
  opened(): void {
    const [wal, index] = [`${this.#file}-wal`, `${this.#file}-shm`]
    this.#wal = watched(wal, identify(wal), BRING_BACK, WAL_SIZE_LIMIT)
    this.#index = watched(index, identify(index), RESTART)
  }

  get walBytes(): number {
    return statSync(`${this.#file}-wal`).size
  }

  /** What happened to the files; undefined while they are unchanged. Takes some microseconds. */
  trouble(): string | undefined {
    return this.lastingTrouble() ?? look(this.#wal) ?? look(this.#index)
  }

  /** The same for the files that exist before SQLite opens the data. */
  lastingTrouble(): string | undefined {
    return look(this.#data) ?? look(this.#lock)
  }

  /**
   * Called within a transaction, before its commit: a process that takes the directory over has replaced the lock file before
   * it waits for this transaction, and a WAL that was cut is long enough again after the commit.
   */
  troubleBeforeCommit(): string | undefined {
    return (look(this.#lock) ?? look(this.#wal)) === undefined ? undefined : this.trouble()
  }
}

/** Throws unless the data file is still the one that is known. */
export function assertSameFile(path: string, known: FileIdentity): void {
  const trouble = look(watched(path, known, BRING_BACK))
  if (trouble !== undefined) throw new Error(trouble)
}

function identify(path: string): FileIdentity {
  const { dev, ino } = statSync(path, { bigint: true })
  return { dev, ino }
}

function watched(path: string, identity: FileIdentity, advice: string, kept = 0): Watched {
  return { path, ...identity, advice, kept, leastSize: 0 }
}

function look(file: Watched | undefined): string | undefined {
  if (file === undefined) return undefined
  let found: BigIntStats | undefined
  try {
    found = statSync(file.path, { bigint: true, throwIfNoEntry: false })
  } catch (error) {
    return `${file.path} cannot be looked at: ${messageOf(error)}`
  }
  if (found === undefined) return `${file.path} was removed while it is in use; ${file.advice}`
  if (found.ino !== file.ino || found.dev !== file.dev)
    return `${file.path} was replaced while it is in use; ${file.advice}`
  if (found.size < file.leastSize) return `${file.path} was cut while it is in use; ${RESTART}`
  file.leastSize = Math.min(Number(found.size), file.kept)
  return undefined
}
