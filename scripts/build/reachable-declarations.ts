// Which declarations a user's compiler can come to: those of the entries, and what they import. tsc also writes those of all other
// sources, which nobody reads. Pure but for `read`.

import { join } from 'node:path'
import { importsOf } from '../imports-of.ts'

/** `read` answers the text of a finished declaration file. Paths are relative to one folder. */
export function reachableDeclarations(entries: readonly string[], read: (file: string) => string): Set<string> {
  const reached = new Set(entries)
  // A set that grows while it is walked gives what was added too.
  for (const file of reached) {
    for (const path of importsOf(read(file))) {
      if (path.startsWith('.')) reached.add(join(file, '..', path).replace(/\.js$/, '.d.ts'))
    }
  }
  return reached
}
