// Checks that a name which users may import comes from one package, so that it means one thing and has one home. The entries are
// those in the `exports` of each package.json. Two entries of one package may share a name.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { exportedNames } from './exported-names.ts'
import { type Manifest, publicEntries } from './packages.ts'

export function checkPublicNames(
  root: string,
  manifests: ReadonlyMap<string, Manifest>,
): { problems: string[]; seen: string } {
  const names = new Map<string, ReadonlySet<string>>()
  for (const [folder, manifest] of manifests) {
    if (!folder.startsWith('packages/')) continue
    const sources = publicEntries(root, folder, manifest).map(([, path]) => readFileSync(join(root, path), 'utf8'))
    names.set(folder.slice('packages/'.length), new Set(sources.flatMap(exportedNames)))
  }
  const total = [...names.values()].reduce((sum, { size }) => sum + size, 0)
  return { problems: sharedNames(names), seen: `${total} names in ${names.size} packages` }
}

export function sharedNames(names: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  const owners = new Map<string, string[]>()
  for (const [owner, own] of names) for (const name of own) owners.set(name, [...(owners.get(name) ?? []), owner])
  return [...owners]
    .filter(([, packages]) => packages.length > 1)
    .map(([name, packages]) => `${name}: is exported by ${packages.join(' and ')}`)
}
