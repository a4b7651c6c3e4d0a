// Publishes the schemas of everything served: the index at /openapi/v3 and one document per group and version.
// Documents are built when first asked for and kept until a type of their group and version changes, so a new
// definition costs nothing until somebody asks, and then only its own document.

import { createHash } from 'node:crypto'
import { formatGroupVersion } from '@homeostat/meta'
import { GIT_VERSION } from '../ops/version.ts'
import type { ResourceType } from '../registry/resource-type.ts'
import type { ResourceTypes } from '../registry/resource-types.ts'
import { buildDocument } from './document.ts'

export interface OpenApiDocument {
  readonly body: Buffer
  /** Upper-case hexadecimal SHA-512 of the body. */
  readonly hash: string
  /** Where it is served, without the hash. */
  readonly path: string
}

interface Known {
  readonly types: readonly ResourceType[]
  readonly document: OpenApiDocument
}

export class OpenApi {
  readonly #types: ResourceTypes
  readonly #documents = new Map<string, Known>()
  #byVersion = new Map<string, ResourceType[]>()
  #index: OpenApiDocument | undefined
  #generation = -1

  constructor(types: ResourceTypes) {
    this.#types = types
  }

  /** The body of /openapi/v3: where each document is, with its hash. */
  index(): OpenApiDocument {
    this.#refresh()
    this.#index ??= this.#buildIndex()
    return this.#index
  }

  /** The document of a group and version (the core group is empty); undefined when nothing of it is served. */
  document(group: string, version: string): OpenApiDocument | undefined {
    this.#refresh()
    return this.#document(pathOf(group, version))
  }

  #buildIndex(): OpenApiDocument {
    const paths = [...this.#byVersion.keys()].sort().map((path) => {
      const document = this.#document(path)
      return [path, { serverRelativeURL: `/openapi/v3/${path}?hash=${document?.hash ?? ''}` }]
    })
    return asDocument(JSON.stringify({ paths: Object.fromEntries(paths) }), '/openapi/v3')
  }

  #document(path: string): OpenApiDocument | undefined {
    const types = this.#byVersion.get(path)
    if (!types) return undefined
    const known = this.#documents.get(path)
    if (known && sameElements(known.types, types)) return known.document
    const document = asDocument(buildDocument(types, GIT_VERSION), `/openapi/v3/${path}`)
    this.#documents.set(path, { types, document })
    return document
  }

  #refresh(): void {
    if (this.#generation === this.#types.generation) return
    this.#generation = this.#types.generation
    this.#index = undefined
    this.#byVersion = Map.groupBy(this.#types.all(), (type) => pathOf(type.group, type.version))
    for (const path of this.#documents.keys()) if (!this.#byVersion.has(path)) this.#documents.delete(path)
  }
}

function pathOf(group: string, version: string): string {
  return `${group === '' ? 'api' : 'apis'}/${formatGroupVersion({ group, version })}`
}

function asDocument(json: string, path: string): OpenApiDocument {
  const body = Buffer.from(json)
  return { body, hash: createHash('sha512').update(body).digest('hex').toUpperCase(), path }
}

function sameElements(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((element, index) => element === b[index])
}
