// Ends the children of this process when it ends, even after kill -9: a small helper process waits at the other end of a
// pipe and finds the children by their cookie. Programs that run commands for others start one.

import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { identityOf } from './process-identity.ts'
import { cookieOf, STARTED_BY } from './started-by.ts'

export interface Reaper {
  /** Environment variables that every child must get. */
  readonly env: Readonly<Record<string, string>>
  /** Ends the remaining children now. Resolves when they have ended. */
  close(): Promise<void>
}

const PROGRAM = fileURLToPath(new URL('./reaper-process.ts', import.meta.url))

/** `graceMs`: between SIGTERM and SIGKILL. Default 5 s. */
export function startReaper(graceMs = 5000): Reaper {
  const own = identityOf(process.pid) ?? { pid: process.pid, started: '', boot: '' }
  const cookie = cookieOf(own, randomUUID())
  const child = spawn(process.execPath, ['--max-old-space-size=32', PROGRAM, cookie, String(graceMs)], {
    // In a session of its own, so that a signal to this process group, such as Ctrl+C, does not end the helper first.
    detached: true,
    cwd: '/',
    env: {},
    stdio: ['pipe', 'ignore', 'ignore'],
  })
  const ended = new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.once('error', () => resolve())
  })
  child.stdin.on('error', () => {})
  child.unref()
  ;(child.stdin as unknown as { unref?(): void }).unref?.()
  return {
    env: { [STARTED_BY]: cookie },
    close() {
      child.ref()
      child.stdin.end()
      return ended
    },
  }
}
