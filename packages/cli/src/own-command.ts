// How to run this very command as another process, on the same Node and, in a clone, on the sources.

import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('./main.ts', import.meta.url))
const isSource = main.endsWith('.ts')

/** Flags for another Node that loads this command's files: in a clone these are sources. */
export const nodeFlags: readonly string[] = isSource
  ? ['--conditions=homeostat-source', '--disable-warning=ExperimentalWarning']
  : []

/** The program and its first arguments; the verb follows, e.g. `executor run`. */
export const ownCommand: readonly string[] = [process.execPath, ...nodeFlags, main]

/** Variables that share this process's compile cache with the new one. */
export function ownCommandEnv(): Record<string, string> {
  // Node returns the subfolder of its own version; NODE_COMPILE_CACHE wants the parent.
  const cache = getCompileCacheDir()
  return cache === undefined ? {} : { NODE_COMPILE_CACHE: dirname(cache) }
}
