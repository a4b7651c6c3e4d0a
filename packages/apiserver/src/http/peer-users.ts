// Looks up the local user at the other end of a loopback connection in Linux' /proc/self/net. One read of the table at a
// time serves all waiting lookups, off the event loop and within a budget: each read makes the kernel walk every socket of
// the machine, and any client that connects can cause one.

import { close, fstatSync, open, read, readFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { promisify } from 'node:util'
import { isFound, readRows, type Sought, seek, TABLE_WIDTHS } from './peer-table.ts'

/** In the long run reads use at most this share of one of Node's four file threads, after an initial burst. */
const SHARE = 0.5
const CREDIT_MS = 500
/** A read may miss a row while other sockets of its hash bucket change; a second read finds it. */
const TRIES = 2
/** The kernel returns a page at a time. */
const CHUNK_BYTES = 64 << 10

interface Waiting {
  readonly socket: Socket
  readonly sought: Sought
  readonly port: number
  tries: number
  resolve(user: number | undefined): void
}

export class PeerUsers {
  readonly #overflowUser = overflowUser()
  #waiting = new Map<string, Waiting>()
  #reading = false
  #credit = CREDIT_MS
  #creditAt = performance.now()
  #paused: (() => void) | undefined
  #closed = false

  /** Resolves to undefined when the user is unknown: the peer has closed, or is in another network or user namespace. */
  of(socket: Socket): Promise<number | undefined> {
    const { remoteAddress, remotePort, localAddress, localPort } = socket
    const inode = inodeOf(socket)
    if (
      remoteAddress === undefined ||
      remotePort === undefined ||
      localAddress === undefined ||
      localPort === undefined
    )
      return NOBODY
    if (inode === undefined || this.#closed) return NOBODY
    const sought = seek({ address: remoteAddress, port: remotePort }, { address: localAddress, port: localPort }, inode)
    return new Promise((resolve) => {
      // Two connections have the same addresses only if the older one is closed.
      this.#waiting.get(sought.key)?.resolve(undefined)
      this.#waiting.set(sought.key, { socket, sought, port: localPort, tries: 0, resolve })
      this.#start()
    })
  }

  /** Resolves all waiting and future lookups to undefined. */
  close(): void {
    this.#closed = true
    for (const { resolve } of this.#waiting.values()) resolve(undefined)
    this.#waiting.clear()
    this.#paused?.()
  }

  #start(): void {
    if (this.#reading) return
    this.#reading = true
    // Connections accepted in one turn of the event loop are looked up in one batch.
    setImmediate(() => void this.#readWhileAsked())
  }

  async #readWhileAsked(): Promise<void> {
    while (this.#waiting.size > 0) {
      await this.#pause()
      const batch = this.#waiting
      this.#waiting = new Map()
      const started = performance.now()
      await this.#look(batch)
      this.#credit -= performance.now() - started
    }
    this.#reading = false
  }

  async #look(batch: ReadonlyMap<string, Waiting>): Promise<void> {
    for (const table of ['tcp', 'tcp6'] as const) {
      const left = [...batch.values()].filter(({ sought }) => mayBeIn(table, sought))
      if (left.length > 0) await readTable(table, left)
    }
    for (const [key, waiting] of batch) {
      const { sought } = waiting
      if (!isFound(sought) && ++waiting.tries < TRIES && !this.#closed && !this.#waiting.has(key)) {
        // Discard what an earlier read found: it may be stale.
        Object.assign(sought, { live: false, user: undefined })
        this.#waiting.set(key, waiting)
      } else waiting.resolve(isConnected(waiting.socket) ? this.#user(sought) : undefined)
    }
  }

  #user({ live, user }: Sought): number | undefined {
    return !live || user === 'unknown' || user === this.#overflowUser ? undefined : user
  }

  /** Waits until the budget allows another read. */
  async #pause(): Promise<void> {
    const now = performance.now()
    this.#credit = Math.min(CREDIT_MS, this.#credit + (now - this.#creditAt) * SHARE)
    this.#creditAt = now
    if (this.#credit >= 0 || this.#closed) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, -this.#credit / SHARE)
      this.#paused = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    this.#paused = undefined
  }
}

const NOBODY = Promise.resolve(undefined)

const openFile = promisify(open)
const readChunk = promisify(read)
const closeFile = promisify(close)

/** Both ends of an IPv6 connection are in tcp6. Of an IPv4 one, the server's end is in tcp and the peer's in either. */
function mayBeIn(table: keyof typeof TABLE_WIDTHS, { key, live, user }: Sought): boolean {
  const isIPv6 = key.length > TABLE_WIDTHS.tcp6
  return table === 'tcp' ? !isIPv6 : isIPv6 || (live && user === undefined)
}

/** Stops early when everything is found. A table that cannot be read has no rows. */
async function readTable(table: keyof typeof TABLE_WIDTHS, waiting: readonly Waiting[]): Promise<void> {
  const [first] = waiting
  if (first === undefined) return
  const sought = new Map(waiting.map((one) => [one.sought.key, one.sought]))
  const file = await openFile(`/proc/self/net/${table}`, 'r').catch(() => undefined)
  if (file === undefined) return
  try {
    const buffer = Buffer.allocUnsafe(CHUNK_BYTES)
    let kept = 0
    for (;;) {
      const { bytesRead } = await readChunk(file, buffer, kept, CHUNK_BYTES - kept, null)
      if (bytesRead === 0) break
      const filled = kept + bytesRead
      const whole = buffer.lastIndexOf(NEWLINE, filled - 1) + 1
      readRows(buffer.subarray(0, whole), TABLE_WIDTHS[table], first.port, sought)
      if (sought.size === 0) break
      kept = filled - whole
      buffer.copyWithin(0, whole, filled)
    }
  } catch {
    // Rows that were read before the error count.
  } finally {
    await closeFile(file)
  }
}

const NEWLINE = 10

/** The internal handle of a node:net socket. */
interface Handle {
  readonly fd?: number
  /** Returns 0 or an errno. Unlike `remoteAddress` it is not cached. */
  getpeername?(out: object): number
}

function handleOf(socket: Socket): Handle | undefined {
  return (socket as unknown as { _handle?: Handle | null })._handle ?? undefined
}

/** Checked after the read: a socket that is still connected was so then, so its row cannot be of a later connection. */
function isConnected(socket: Socket): boolean {
  return handleOf(socket)?.getpeername?.({}) === 0
}

function inodeOf(socket: Socket): number | undefined {
  const handle = handleOf(socket)
  if (handle?.fd === undefined || handle.fd < 0) return undefined
  try {
    return fstatSync(handle.fd).ino
  } catch {
    return undefined
  }
}

/** The overflow uid, shown for users that are not mapped into this user namespace. Undefined where all are mapped. */
function overflowUser(): number | undefined {
  try {
    const [, , count] = readFileSync('/proc/self/uid_map', 'latin1').trim().split(/\s+/)
    if (Number(count) >= ALL_USERS) return undefined
    return Number(readFileSync('/proc/sys/kernel/overflowuid', 'latin1'))
  } catch {
    return undefined
  }
}

const ALL_USERS = 2 ** 32 - 1
