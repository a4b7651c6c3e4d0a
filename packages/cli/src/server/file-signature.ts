// A text that differs when one of the files was changed or replaced. Looking at files works where watching by the kernel
// does not: files that are replaced by a rename, and mounted volumes.

import { statSync } from 'node:fs'

export function fileSignature(files: readonly string[]): string {
  return files
    .map((file) => {
      const stat = statSync(file, { throwIfNoEntry: false })
      return stat === undefined ? 'none' : `${stat.ino} ${stat.size} ${stat.mtimeMs} ${stat.ctimeMs}`
    })
    .join('\n')
}
