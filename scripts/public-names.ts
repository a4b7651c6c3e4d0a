// Checks that a public name has one meaning: all packages that export it export the same declaration. The entries are
// the `exports` of each package.json. Generated entries are skipped: they declare the types of Kubernetes under
// Kubernetes' names.

import { readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { readDeclarations } from './declarations.ts'
import { exportedNames } from './exported-names.ts'
import { isGenerated } from './file-size.ts'
import { type Manifest, publicEntries } from './packages.ts'

/** Exported names with the place of their declaration. */
type Homes = ReadonlyMap<string, string>

export function checkPublicNames(
  root: string,
  manifests: ReadonlyMap<string, Manifest>,
): { problems: string[]; seen: string } {
  const read = (path: string) => readFileSync(join(root, path), 'utf8')
  const packages = [...manifests].filter(([folder]) => folder.startsWith('packages/'))
  const entries = new Map(packages.flatMap(([folder, manifest]) => publicEntries(root, folder, manifest)))
  const names = packages.map(([folder, manifest]): [string, Homes] => {
    const homes = publicEntries(root, folder, manifest)
      .filter(([, path]) => !isGenerated(read(path)))
      .flatMap(([, path]) =>
        exportedNames(read(path)).map((name): [string, string] => [name, homeOf(name, path, entries, read)]),
      )
    return [folder.slice('packages/'.length), new Map(homes)]
  })
  const total = names.reduce((sum, [, { size }]) => sum + size, 0)
  return { problems: sharedNames(new Map(names)), seen: `${total} names in ${names.length} packages` }
}

/** Follows a name through re-exports, also into other packages of the repository, to the file that declares it. */
export function homeOf(
  name: string,
  path: string,
  entries: ReadonlyMap<string, string>,
  read: (path: string) => string,
): string {
  const origin = readDeclarations(read(path)).others.get(name)
  if (origin === undefined) return `${path}#${name}`
  const next = origin.from.startsWith('.') ? normalize(join(dirname(path), origin.from)) : entries.get(origin.from)
  return next === undefined ? `${origin.from}#${origin.name}` : homeOf(origin.name, next, entries, read)
}

export function sharedNames(names: ReadonlyMap<string, Homes>): string[] {
  const owners = new Map<string, { packages: string[]; homes: Set<string> }>()
  for (const [owner, own] of names) {
    for (const [name, home] of own) {
      const known = owners.get(name) ?? { packages: [], homes: new Set() }
      owners.set(name, { packages: [...known.packages, owner], homes: known.homes.add(home) })
    }
  }
  return [...owners]
    .filter(([, { homes }]) => homes.size > 1)
    .map(([name, { packages }]) => `${name}: is declared more than once, in what ${packages.join(' and ')} export`)
}
