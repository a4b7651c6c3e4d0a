// What the packed packages say of themselves: read from the tarballs, as npm does.

import { execFileSync } from 'node:child_process'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { inject } from 'vitest'

export interface Published {
  readonly name: string
  readonly version: string
  readonly exports?: Readonly<Record<string, { readonly types: string; readonly default: string }>>
}

export function tarballs(folder: string): string[] {
  return globSync('*.tgz', { cwd: folder })
    .sort()
    .map((file) => join(folder, file))
}

export function readManifest(tarball: string): Published {
  return JSON.parse(execFileSync('tar', ['-xzOf', tarball, 'package/package.json'], { encoding: 'utf8' }))
}

/** The files in a tarball, as paths below the package's folder. */
export function filesIn(tarball: string): string[] {
  const names = execFileSync('tar', ['-tzf', tarball], { encoding: 'utf8' }).trim().split('\n')
  return names.map((name) => name.replace(/^package\//, ''))
}

/** The packages that can be imported. */
export function publishedLibraries(): Published[] {
  return tarballs(inject('tarballs'))
    .map(readManifest)
    .filter(({ exports }) => exports !== undefined)
}

/** Everything that can be imported, e.g. `@homeostat/client/kinds/apps-v1`. */
export function publishedEntries(): string[] {
  return tarballs(inject('tarballs')).flatMap((tarball) => {
    const { name, exports = {} } = readManifest(tarball)
    return Object.entries(exports).flatMap(([entry, { types }]) => {
      const [before = '', after] = types.slice('./'.length).split('*')
      if (after === undefined) return [join(name, entry)]
      const matches = filesIn(tarball).filter((file) => file.startsWith(before) && file.endsWith(after))
      return matches.map((file) => join(name, entry.replace('*', file.slice(before.length, -after.length))))
    })
  })
}
