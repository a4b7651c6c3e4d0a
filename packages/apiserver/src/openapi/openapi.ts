// Caches the OpenAPI v3 documents, one for each group and version, and their index. A document is rebuilt only when one
// of its types changes, which changes its hash; building runs in time slices, so that it blocks no requests.

import { createHash } from 'node:crypto'
import { TimeSlice } from '@homeostat/base'
import { formatGroupVersion } from '@homeostat/meta'
import type { ResourceType } from '../registry/resource-type.ts'
import type { ResourceTypes } from '../registry/resource-types.ts'
import { buildDocument } from './document.ts'
import type { Schema } from './meta-schemas.ts'
import { schemaFinder, sharedSchema } from './shared-schemas.ts'

export interface OpenApiDocument {
  readonly body: Buffer
  /** Upper-case hexadecimal SHA-512 of the body. */
  readonly hash: string
  /** The URL path, without the hash. */
  readonly path: string
}

interface Known {
  readonly types: readonly ResourceType[]
  readonly document: Promise<OpenApiDocument>
}

export class OpenApi {
  readonly #types: ResourceTypes
  readonly #documents = new Map<string, Known>()
  #byVersion = new Map<string, ResourceType[]>()
  #index: Promise<OpenApiDocument> | undefined
  #find: (component: string) => Schema = sharedSchema
  #generation = -1

  constructor(types: ResourceTypes) {
    this.#types = types
  }

  /** The body of /openapi/v3: the path of each document, with its hash. */
  index(): Promise<OpenApiDocument> {
    this.#refresh()
    this.#index ??= this.#buildIndex()
    return this.#index
  }

  /** The document of a group and version (the core group is empty); undefined when nothing of it is served. */
  async document(group: string, version: string): Promise<OpenApiDocument | undefined> {
    this.#refresh()
    const path = pathOf(group, version)
    const types = this.#byVersion.get(path)
    return types && this.#document(path, types)
  }

  async #buildIndex(): Promise<OpenApiDocument> {
    const slice = new TimeSlice()
    const paths: Record<string, { serverRelativeURL: string }> = {}
    for (const [path, types] of [...this.#byVersion].sort(([a], [b]) => (a < b ? -1 : 1))) {
      const { hash } = await this.#document(path, types, slice)
      paths[path] = { serverRelativeURL: `/openapi/v3/${path}?hash=${hash}` }
    }
    return asDocument(JSON.stringify({ paths }), '/openapi/v3')
  }

  #document(path: string, types: readonly ResourceType[], slice?: TimeSlice): Promise<OpenApiDocument> {
    const known = this.#documents.get(path)
    if (known && sameElements(known.types, types)) return known.document
    const document = buildDocument(types, this.#find, slice).then((json) => asDocument(json, `/openapi/v3/${path}`))
    this.#documents.set(path, { types, document })
    return document
  }

  #refresh(): void {
    if (this.#generation === this.#types.generation) return
    this.#generation = this.#types.generation
    this.#index = undefined
    const all = this.#types.all()
    this.#find = schemaFinder(all)
    this.#byVersion = Map.groupBy(all, (type) => pathOf(type.group, type.version))
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
