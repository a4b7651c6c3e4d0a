// The files of the project as git lists them: committed or new, but not ignored. The checks read them.

import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** Paths relative to the root, with forward slashes. */
export function sourceFiles(root: string): string[] {
  const listing = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 << 20,
  })
  return listing.split('\0').filter((path) => path !== '' && existsSync(join(root, path)))
}
