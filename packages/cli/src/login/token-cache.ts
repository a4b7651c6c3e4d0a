// The tokens of earlier logins, a file each in a folder that only its owner may enter. A damaged or foreign file counts as none.

import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
} from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Clock, systemClock } from '@homeostat/base'
import { isObject, writeJson } from '@homeostat/meta'
import { Fault, systemCode } from '../fault.ts'
import { replaceDurable, writeDurable } from '../server/durable-file.ts'
import type { Tokens } from './tokens.ts'

const LOOK_AGAIN_MS = 100
/** No request to an issuer takes longer. */
const STALE_MS = 120_000

export class TokenCache {
  readonly #folder: string
  readonly #file: string
  readonly #clock: Pick<Clock, 'now'>

  /** Throws a Fault when the folder cannot be made or is somebody else's. */
  constructor(folder: string, name: string, clock: Pick<Clock, 'now'> = systemClock) {
    this.#clock = clock
    this.#folder = folder
    this.#file = join(folder, name)
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      if (statSync(folder).uid !== process.getuid?.()) throw new Fault(`${folder} belongs to another user`)
      chmodSync(folder, 0o700)
    } catch (cause) {
      if (cause instanceof Fault) throw cause
      throw new Fault(`${folder} cannot keep tokens (${systemCode(cause)}); set XDG_CACHE_HOME to a folder that can`, {
        cause,
      })
    }
  }

  read(): Tokens | undefined {
    let fd: number
    try {
      // A link could lead to a file of somebody else.
      fd = openSync(this.#file, constants.O_RDONLY | constants.O_NOFOLLOW)
    } catch {
      return undefined
    }
    try {
      const { uid, mode } = fstatSync(fd)
      if (uid !== process.getuid?.() || (mode & 0o077) !== 0) return undefined
      const value: unknown = JSON.parse(readFileSync(fd, 'utf8'))
      if (!isObject(value)) return undefined
      const { idToken, expiresAt, refreshToken } = value
      if (typeof idToken !== 'string' || typeof expiresAt !== 'number') return undefined
      return { idToken, expiresAt, refreshToken: typeof refreshToken === 'string' ? refreshToken : undefined }
    } catch {
      return undefined
    } finally {
      closeSync(fd)
    }
  }

  write(tokens: Tokens): void {
    replaceDurable(this.#file, writeJson(tokens))
  }

  /** One process at a time: many issuers accept a refresh token once. */
  async locked<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    const lock = `${this.#file}.lock`
    for (;;) {
      signal.throwIfAborted()
      try {
        writeDurable(lock, `${process.pid}\n`)
        break
      } catch (error) {
        if (systemCode(error) !== 'EEXIST') throw new Fault(`${this.#folder} cannot be written (${systemCode(error)})`)
        if (isStale(lock, this.#clock.now())) rmSync(lock, { force: true })
        else await delay(LOOK_AGAIN_MS, undefined, { signal })
      }
    }
    try {
      return await work()
    } finally {
      rmSync(lock, { force: true })
    }
  }
}

/** Of a process that was killed. */
function isStale(lock: string, now: number): boolean {
  try {
    return now - statSync(lock).mtimeMs > STALE_MS
  } catch {
    return false
  }
}
