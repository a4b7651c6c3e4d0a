// Ends what this process started when this process ends, also by kill -9: a small process of its own waits at the other end
// of a pipe, and finds by their cookie whom to end. Programs that run commands for others start one.

import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { identityOf } from './process-identity.ts'
import { cookieOf, STARTED_BY } from './started-by.ts'

export interface Reaper {
  /** For the environment of whatever is started. */
  readonly env: Readonly<Record<string, string>>
  /** Ends what is left now. Resolves when it has ended. */
  close(): Promise<void>
}

const PROGRAM = fileURLToPath(new URL('./reaper-process.ts', import.meta.url))

/** `graceMs`: between the wish to end and the end by force. Default 5 s. */
export function startReaper(graceMs = 5000): Reaper {
  const own = identityOf(process.pid) ?? { pid: process.pid, started: '', boot: '' }
  const cookie = cookieOf(own, randomUUID())
  const child = spawn(process.execPath, ['--max-old-space-size=32', PROGRAM, cookie, String(graceMs)], {
    // A session of its own: a signal to our group, such as Ctrl+C, must not end it before us.
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
