// Where the entries of the workspace's packages are, from their package.json: Node looks through folders and conditions for each.
// quick-imports.ts asks for each import of a package by another.

import { readFileSync } from 'node:fs'

interface Manifest {
  readonly exports?: Readonly<Record<string, { readonly 'homeostat-source'?: string } | undefined>>
}

export class PackageEntries {
  readonly #folder: string
  readonly #manifests = new Map<string, Manifest | undefined>()

  /** `folder` ends with a slash; packages are named as their folders in it. */
  constructor(folder: string) {
    this.#folder = folder
  }

  /** `meta/server` becomes `meta/src/server/index.ts`; undefined for what Node itself must find or refuse. */
  sourceOf(specifier: string): string | undefined {
    const slash = specifier.indexOf('/')
    const name = slash < 0 ? specifier : specifier.slice(0, slash)
    const entry = slash < 0 ? '.' : `.${specifier.slice(slash)}`
    const source = this.#manifest(name)?.exports?.[entry]?.['homeostat-source']
    return source?.startsWith('./') ? `${name}/${source.slice(2)}` : undefined
  }

  #manifest(name: string): Manifest | undefined {
    if (!this.#manifests.has(name)) this.#manifests.set(name, readManifest(`${this.#folder}${name}/package.json`))
    return this.#manifests.get(name)
  }
}

function readManifest(file: string): Manifest | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}
