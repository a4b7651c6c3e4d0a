// When what the page is built of was last changed, in a clone. Its build and the site ask, to build no more often than needed.

import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** From the page's folder. */
const SOURCES = [
  'src',
  'index.html',
  'build.ts',
  'vite.config.ts',
  'package-lock.json',
  '../../client/src',
  '../../meta/src',
  '../../base/src',
]

/** In milliseconds, as `mtimeMs` of a file. */
export function newestSource(page: string): number {
  return Math.max(...SOURCES.map((name) => newest(join(page, name))))
}

function newest(path: string): number {
  const found = statSync(path)
  if (!found.isDirectory()) return found.mtimeMs
  return Math.max(0, ...readdirSync(path).map((name) => newest(join(path, name))))
}
