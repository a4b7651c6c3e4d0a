// Tells when files change, by looking at them every second. Editors and mounted volumes replace files in ways that watching by the
// kernel misses.

import { statSync } from 'node:fs'
import { type Clock, systemClock } from '@homeostat/base'

const EVERY_MS = 1000

/** Calls back once for all that changed since the last look, until the signal aborts. It keeps no process alive. */
export function followFiles(
  files: readonly string[],
  changed: () => void,
  signal: AbortSignal,
  clock: Clock = unheldClock,
): void {
  if (files.length === 0) return
  let before = lookAt(files)
  let cancel = () => {}
  const look = () => {
    const now = lookAt(files)
    if (now !== before) {
      before = now
      changed()
    }
    cancel = clock.setTimer(EVERY_MS, look)
  }
  cancel = clock.setTimer(EVERY_MS, look)
  signal.addEventListener('abort', () => cancel(), { once: true })
}

const unheldClock: Clock = {
  ...systemClock,
  setTimer(ms, callback) {
    const timer = setTimeout(callback, ms).unref()
    return () => clearTimeout(timer)
  },
}

function lookAt(files: readonly string[]): string {
  return files
    .map((file) => {
      const stat = statSync(file, { throwIfNoEntry: false })
      return stat === undefined ? 'none' : `${stat.ino} ${stat.size} ${stat.mtimeMs} ${stat.ctimeMs}`
    })
    .join('\n')
}
