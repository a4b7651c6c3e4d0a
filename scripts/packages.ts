// The packages of the repository as their package.json describes them, by folder. Checks of dependencies and public names read it.

import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { sourceFiles } from './source-files.ts'

type Versions = Readonly<Record<string, string>>

export interface Manifest {
  readonly name: string
  /** Of an entry: the file, or the file under each condition. */
  readonly exports?: Readonly<Record<string, string | { readonly 'homeostat-source': string }>>
  readonly dependencies?: Versions
  readonly peerDependencies?: Versions
  readonly devDependencies?: Versions
}

/** Of packages and examples, sorted by folder; the repository's own under `.`. */
export function readManifests(root: string): Map<string, Manifest> {
  const paths = sourceFiles(root).filter((path) => /^((packages|examples)\/[^/]+\/)?package\.json$/.test(path))
  return new Map(paths.sort().map((path) => [dirname(path), JSON.parse(readFileSync(join(root, path), 'utf8'))]))
}
