// The package.json of a package as it is published, from the one in the clone: entries lead to built files, with their types, and
// what only the clone needs is gone. Pure.

import { builtCode, builtDeclarations } from '../build/entry-files.ts'
import { INLINED } from '../build/inlined-packages.ts'
import type { Manifest } from '../packages.ts'

/** Fields that every published package shares; the root's package.json has them. */
export interface Shared {
  readonly license: string
  readonly keywords: readonly string[]
  /** Known once the repository has a home: a release adds it. */
  readonly repository?: { readonly type: string; readonly url: string }
}

/** `folder` is the package's place in the repository. */
export function publishedManifest(manifest: Manifest, shared: Shared, folder: string): object {
  const { devDependencies: _, exports = {}, bin, files = [], dependencies: all = {}, ...kept } = manifest
  const dependencies = Object.fromEntries(Object.entries(all).filter(([name]) => !INLINED[folder]?.includes(name)))
  return {
    ...kept,
    ...sharedFields(shared, folder),
    ...(bin && { bin: Object.fromEntries(Object.entries(bin).map(([name, file]) => [name, builtCode(file)])) }),
    ...(Object.keys(exports).length > 0 && { exports: publishedExports(exports) }),
    files: [...new Set(['dist', ...files])],
    ...(Object.keys(dependencies).length > 0 && { dependencies }),
  }
}

export function sharedFields({ license, keywords, repository }: Shared, folder: string): object {
  return { license, keywords, ...(repository && { repository: { ...repository, directory: folder } }) }
}

/** An entry without a built file is only for the tests of the clone. */
function publishedExports(exports: NonNullable<Manifest['exports']>): object {
  const entries: Record<string, string | { types: string; default: string }> = {}
  for (const [entry, target] of Object.entries(exports)) {
    if (typeof target === 'string') entries[entry] = target
    else if (target.default !== undefined)
      entries[entry] = { types: builtDeclarations(target['homeostat-source']), default: target.default }
  }
  return entries
}
