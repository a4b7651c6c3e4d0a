// Waits for the reason to shut down: a signal, or the end of the process that started this one.

import { fstatSync } from 'node:fs'
import { Socket } from 'node:net'

/** npm, its shell and the terminal may each deliver the same Ctrl-C. */
const SAME_SIGNAL_MS = 500

/** Resolves with the reason. From then on, another signal ends the process at once. */
export function waitForEnding(env: NodeJS.ProcessEnv = process.env): Promise<string> {
  return new Promise((resolve) => {
    let asked: number | undefined
    const ask = (reason: string) => {
      asked ??= performance.now()
      resolve(reason)
    }
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => {
        if (asked !== undefined && performance.now() - asked > SAME_SIGNAL_MS) process.exit(1)
        ask(signal)
      })
    }
    watchLifeline(env, () => ask('the process that started the server is gone'))
  })
}

/** HOMEOSTAT_LIFELINE names the descriptor of a pipe from the parent process; the pipe closes when the parent ends. */
function watchLifeline(env: NodeJS.ProcessEnv, onGone: () => void): void {
  const fd = Number(env.HOMEOSTAT_LIFELINE || Number.NaN)
  delete env.HOMEOSTAT_LIFELINE
  if (!Number.isInteger(fd) || !isPipe(fd)) return
  const pipe = new Socket({ fd, readable: true, writable: false })
  pipe.on('error', () => {})
  pipe.on('close', onGone)
  pipe.resume()
  pipe.unref()
}

function isPipe(fd: number): boolean {
  try {
    const stat = fstatSync(fd)
    return stat.isFIFO() || stat.isSocket()
  } catch {
    return false
  }
}
