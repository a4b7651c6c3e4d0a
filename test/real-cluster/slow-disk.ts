// A member whose disk is slow: each of its fsyncs takes longer, as strace injects it into the running process. Whatever else it calls
// costs more meanwhile, too.

import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** Slows the process down until the returned function is called. */
export function slowDisk(pid: number, delayMs: number): () => Promise<void> {
  const calls = 'fsync,fdatasync'
  const delay = `inject=${calls}:delay_enter=${delayMs * 1000}`
  const args = ['-f', '-qq', '-o', '/dev/null', '-p', `${pid}`, '-e', `trace=${calls}`, '-e', delay]
  const strace = spawn('strace', args, { stdio: 'ignore' })
  const ended = once(strace, 'exit').catch(() => {})
  return async () => {
    // It lets the process go.
    strace.kill('SIGINT')
    await ended
  }
}
