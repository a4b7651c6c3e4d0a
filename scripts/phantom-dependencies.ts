// Checks that a package declares what it imports in its own package.json: in this clone, dependencies of other packages
// resolve, too, but not in an installation. Tests may also use devDependencies of the package or the repository.

import type { Modules } from './modules.ts'
import type { Manifest } from './packages.ts'

const TESTS = /\.(test|fixture)\.ts$|^packages\/[^/]+\/test\//

export function checkDependencies(
  modules: Modules,
  manifests: ReadonlyMap<string, Manifest>,
): { problems: string[]; seen: string } {
  const problems = new Set<string>()
  for (const [path, specifiers] of modules) {
    const folder = path.split('/').slice(0, 2).join('/')
    const manifest = manifests.get(folder)
    if (manifest === undefined) continue
    const declared = declaredBy(manifest, TESTS.test(path) ? manifests.get('.') : undefined)
    for (const name of specifiers.filter(isBare).map(packageOf)) {
      if (!declared.has(name)) problems.add(`${path}: ${name} is not a dependency in ${folder}/package.json`)
    }
  }
  return { problems: [...problems], seen: `${manifests.size - 1} packages` }
}

/** What the package may import. For its tests, `repository` is the root package, whose devDependencies count, too. */
function declaredBy(manifest: Manifest, repository: Manifest | undefined): Set<string> {
  const forTests = repository && { ...manifest.devDependencies, ...repository.devDependencies }
  return new Set(
    [{ [manifest.name]: '' }, manifest.dependencies, manifest.peerDependencies, forTests].flatMap((versions) =>
      Object.keys(versions ?? {}),
    ),
  )
}

function isBare(specifier: string): boolean {
  return !specifier.startsWith('.') && !specifier.startsWith('node:')
}

/** The package of a specifier: `@scope/name` for `@scope/name/entry`. */
function packageOf(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
}
