// How long a replica waits before it tries again, so that a server that comes back is not met by all tabs at once.

import { isStatusError } from '@homeostat/meta'

const FIRST_MS = 300
const LONGEST_MS = 8000
/** What is refused stays so until somebody changes the rights, which is seldom. */
const REFUSED_MS = 30_000

export function pauseBefore(failures: number, signal: AbortSignal, error?: unknown): Promise<void> {
  const isRefused = isStatusError(error, 'Forbidden')
  const longest = isRefused ? REFUSED_MS : Math.min(LONGEST_MS, FIRST_MS * 2 ** (failures - 1))
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, longest * (0.5 + Math.random() / 2))
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
