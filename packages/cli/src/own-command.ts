// How to run this very command as another process, on the same Node and, in a clone, on the sources.

import { getCompileCacheDir } from 'node:module'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('./main.ts', import.meta.url))
const isSource = main.endsWith('.ts')

/** Before its arguments, e.g. `executor run`. */
export const ownCommand: readonly string[] = [
  process.execPath,
  ...(isSource ? ['--conditions=homeostat-source', '--disable-warning=ExperimentalWarning'] : []),
  main,
]

/** Variables that make it start faster, when this process has compiled code to share. */
export function ownCommandEnv(): Record<string, string> {
  // It names the folder of this version of Node, inside the one that was asked for.
  const cache = getCompileCacheDir()
  return cache === undefined ? {} : { NODE_COMPILE_CACHE: dirname(cache) }
}
