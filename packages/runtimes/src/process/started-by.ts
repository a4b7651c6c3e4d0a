// Finds the descendants of a process, also after that process has ended and in any session: they inherit an environment
// variable (the cookie) that names it. Reads /proc; on macOS, untested, the output of ps.

import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { identityOf, isAlive, type ProcessIdentity } from './process-identity.ts'

export const STARTED_BY = 'HOMEOSTAT_STARTED_BY'

const LOOK_AGAIN_MS = 20
/** How long to wait after SIGKILL; a process that is still alive then hangs in the kernel. */
const KILLED_MS = 10_000

/** The value of STARTED_BY for children of this process; `run` separates children of different purposes. */
export function cookieOf({ pid, started, boot }: ProcessIdentity, run = ''): string {
  return [pid, started.replaceAll(' ', '_'), boot.replaceAll(' ', '_'), run].join('/')
}

/** Sends SIGTERM to all processes with this cookie, and SIGKILL after the grace period. Returns how many there were. */
export async function endStartedBy(cookie: string, graceMs: number): Promise<number> {
  return end(() => processesWith((value) => value === cookie), graceMs)
}

/** Ends the descendants of processes that have ended themselves. */
export async function endOrphans(graceMs: number): Promise<number> {
  return end(() => processesWith((value) => !isOwnerAlive(value)), graceMs)
}

async function end(find: () => ProcessIdentity[], graceMs: number): Promise<number> {
  let left = find()
  const count = left.length
  if (graceMs > 0) for (const one of left) send(one, 'SIGTERM')
  for (let looks = graceMs / LOOK_AGAIN_MS; left.length > 0 && looks > 0; looks--) {
    await delay(LOOK_AGAIN_MS)
    left = find()
  }
  for (let looks = KILLED_MS / LOOK_AGAIN_MS; left.length > 0 && looks > 0; looks--) {
    // Lists them again each time, since a process may start others until it is dead.
    for (const one of left) send(one, 'SIGKILL')
    await delay(LOOK_AGAIN_MS)
    left = find()
  }
  return count
}

function send(identity: ProcessIdentity, signal: NodeJS.Signals): void {
  try {
    if (isAlive(identity)) process.kill(identity.pid, signal)
  } catch {
    // The process has ended, or belongs to another user.
  }
}

function isOwnerAlive(cookie: string): boolean {
  const [pid = '', started = '', boot = ''] = cookie.split('/')
  const owner = identityOf(Number(pid))
  return owner !== undefined && cookieOf(owner).startsWith(`${pid}/${started}/${boot}/`)
}

function processesWith(isWanted: (cookie: string) => boolean): ProcessIdentity[] {
  const found: ProcessIdentity[] = []
  for (const { pid, cookie } of process.platform === 'linux' ? cookiesInProc() : cookiesByPs()) {
    if (pid === process.pid || !isWanted(cookie)) continue
    const identity = identityOf(pid)
    if (identity !== undefined) found.push(identity)
  }
  return found
}

interface Found {
  readonly pid: number
  readonly cookie: string
}

/** Only in this pid namespace: in a container, the pid in a cookie means another process. */
function* cookiesInProc(): Generator<Found> {
  const namespace = pidNamespace('self')
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    let environ: string
    try {
      environ = readFileSync(`/proc/${name}/environ`, 'latin1')
    } catch {
      // The process belongs to another user, or has ended.
      continue
    }
    const at = `\0${environ}`.indexOf(`\0${STARTED_BY}=`)
    if (at < 0 || pidNamespace(name) !== namespace) continue
    const value = environ.slice(at + STARTED_BY.length + 1)
    const length = value.indexOf('\0')
    yield { pid: Number(name), cookie: length < 0 ? value : value.slice(0, length) }
  }
}

function pidNamespace(pid: string): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/ns/pid`)
  } catch {
    return undefined
  }
}

function* cookiesByPs(): Generator<Found> {
  const env = { PATH: '/bin:/usr/bin', LC_ALL: 'C' }
  for (const line of execFileSync('ps', ['-E', '-ww', '-o', 'pid=,command='], { encoding: 'utf8', env }).split('\n')) {
    const [, pid, cookie] = new RegExp(`^\\s*(\\d+) .*\\b${STARTED_BY}=(\\S+)`).exec(line) ?? []
    if (pid !== undefined && cookie !== undefined) yield { pid: Number(pid), cookie }
  }
}
