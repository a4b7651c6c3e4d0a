// The packages of the repository by folder, as their package.json describes them. The checks of dependencies and public
// names read it.

import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { BUNDLED } from './bundle/bundled-packages.ts'
import { sourceFiles } from './source-files.ts'

type Versions = Readonly<Record<string, string>>

export interface Manifest {
  readonly name: string
  readonly version?: string
  /** It is part of a command and not published by itself. */
  readonly private?: boolean
  /** The file of each entry, or the file for each condition. */
  readonly exports?: Readonly<
    Record<string, string | { readonly 'homeostat-source': string; readonly default?: string }>
  >
  /** The source of each command. */
  readonly bin?: Readonly<Record<string, string>>
  /** What is published besides the built files. */
  readonly files?: readonly string[]
  readonly dependencies?: Versions
  readonly peerDependencies?: Versions
  readonly devDependencies?: Versions
}

/** All packages and examples, sorted by folder; the root package is `.`. */
export function readManifests(root: string): Map<string, Manifest> {
  const paths = sourceFiles(root).filter((path) => /^((packages|examples)\/[^/]+\/)?package\.json$/.test(path))
  return new Map(paths.sort().map((path) => [dirname(path), JSON.parse(readFileSync(join(root, path), 'utf8'))]))
}

/**
 * The entries that users can import, as [specifier, source file]; a pattern such as `./kinds/*` is expanded. An entry
 * without a built file is only for the tests of this repository and is left out.
 */
export function publicEntries(root: string, folder: string, { name, exports = {} }: Manifest): [string, string][] {
  return Object.entries(exports).flatMap(([entry, target]): [string, string][] => {
    if (typeof target === 'string' || target.default === undefined) return []
    const source = join(folder, target['homeostat-source'])
    const [before = '', after = ''] = source.split('*')
    const paths = source.includes('*') ? globSync(source, { cwd: root }).sort() : [source]
    return paths.map((path) => [join(name, entry).replace('*', path.slice(before.length, -after.length)), path])
  })
}

/** The packages that are published as libraries: neither commands, which are bundles, nor what only commands hold. */
export function libraries(manifests: ReadonlyMap<string, Manifest>): Map<string, Manifest> {
  return new Map(
    [...manifests].filter(
      ([folder, manifest]) => folder.startsWith('packages/') && !Object.hasOwn(BUNDLED, folder) && !manifest.private,
    ),
  )
}

export const COMMAND = 'packages/cli'
