// Caches the OpenAPI v2 document, which holds every group and version, as JSON and as protobuf. After a type changed,
// the next request builds it in time slices; concurrent requests share that build.

import { createHash } from 'node:crypto'
import { TimeSlice } from '@homeostat/base'
import { writeJson } from '@homeostat/meta'
import { encodeOpenApiV2 } from '@homeostat/protobuf'
import { GIT_VERSION } from '../ops/version.ts'
import type { ResourceType } from '../registry/resource-type.ts'
import type { ResourceTypes } from '../registry/resource-types.ts'
import { addReferenced } from './component-text.ts'
import { schemaFinder } from './shared-schemas.ts'
import { type SwaggerForm, type SwaggerPart, sharedPart, typePart } from './swagger-part.ts'
import type { SharedParameters } from './swagger-paths.ts'

export interface SwaggerDocument {
  readonly body: Buffer
  /** In quotes. */
  readonly etag: string
}

interface Built extends SwaggerDocument {
  /** The generation of the ResourceTypes that the document shows. */
  readonly generation: number
}

const HEAD = {
  swagger: '2.0',
  info: { title: 'Homeostat', version: GIT_VERSION },
  securityDefinitions: {
    BearerToken: { description: 'A bearer token.', type: 'apiKey', name: 'authorization', in: 'header' },
  },
  security: [{ BearerToken: [] }],
}

export class Swagger {
  readonly #types: ResourceTypes
  readonly #built = new Map<SwaggerForm, Built>()
  readonly #building = new Map<SwaggerForm, Promise<Built>>()
  readonly #shared: Record<SwaggerForm, Map<string, SwaggerPart>> = { json: new Map(), protobuf: new Map() }

  constructor(types: ResourceTypes) {
    this.#types = types
  }

  /** The document of all types that are served now. */
  async document(form: SwaggerForm): Promise<SwaggerDocument> {
    const { generation } = this.#types
    for (;;) {
      const built = this.#built.get(form)
      if (built && built.generation >= generation) return built
      await (this.#building.get(form) ?? this.#start(form))
    }
  }

  #start(form: SwaggerForm): Promise<Built> {
    const building = this.#build(form).finally(() => this.#building.delete(form))
    this.#building.set(form, building)
    return building
  }

  async #build(form: SwaggerForm): Promise<Built> {
    const { generation } = this.#types
    const types = [...this.#types.all()].sort(byPath)
    const slice = new TimeSlice()
    const parts: SwaggerPart[] = []
    for (const type of types) {
      parts.push(typePart(type, form))
      await slice.next()
    }
    parts.push(...(await this.#sharedParts(parts, types, form, slice)))
    const pieces = form === 'json' ? composeJson(parts) : composeProtobuf(parts)
    const built = { ...(await joinPieces(pieces, slice)), generation }
    this.#built.set(form, built)
    return built
  }

  /** The definitions that types reference and no type provides. */
  async #sharedParts(
    parts: readonly SwaggerPart[],
    types: readonly ResourceType[],
    form: SwaggerForm,
    slice: TimeSlice,
  ): Promise<SwaggerPart[]> {
    const own = new Map<string, SwaggerPart>()
    for (const part of parts) for (const name of part.names) own.set(name, part)
    const all = new Map(own)
    const find = schemaFinder(types)
    for (const part of parts) {
      addReferenced(all, part.references, (name) => this.#sharedPart(name, find, form))
      await slice.next()
    }
    return [...all].filter(([name]) => !own.has(name)).map(([, part]) => part)
  }

  #sharedPart(name: string, find: ReturnType<typeof schemaFinder>, form: SwaggerForm): SwaggerPart {
    const known = this.#shared[form].get(name)
    if (known) return known
    const part = sharedPart(name, find(name), form)
    this.#shared[form].set(name, part)
    return part
  }
}

/** Copies and hashes in time slices too: with hundreds of definitions the document has many megabytes. */
async function joinPieces(pieces: readonly Buffer[], slice: TimeSlice): Promise<SwaggerDocument> {
  const body = Buffer.allocUnsafeSlow(pieces.reduce((sum, piece) => sum + piece.length, 0))
  const hash = createHash('sha512')
  let at = 0
  for (const piece of pieces) {
    at += piece.copy(body, at)
    hash.update(piece)
    await slice.next()
  }
  return { body, etag: `"${hash.digest('hex').toUpperCase()}"` }
}

function composeJson(parts: readonly SwaggerPart[]): Buffer[] {
  const head = writeJson({ ...HEAD, parameters: Object.fromEntries(sharedParameters(parts)) })
  return [
    Buffer.from(`${head.slice(0, -1)},"paths":{`),
    ...joined(parts.map(({ paths }) => paths)),
    Buffer.from('},"definitions":{'),
    ...joined(parts.map(({ definitions }) => definitions)),
    Buffer.from('}}'),
  ]
}

function composeProtobuf(parts: readonly SwaggerPart[]): Buffer[] {
  const head = encodeOpenApiV2({ ...HEAD, parameters: Object.fromEntries(sharedParameters(parts)) })
  return [head, ...parts.map(({ paths }) => paths)]
}

function sharedParameters(parts: readonly SwaggerPart[]): SharedParameters {
  const all: SharedParameters = new Map()
  for (const { parameters } of parts) for (const [name, parameter] of parameters) all.set(name, parameter)
  return all
}

function joined(texts: readonly Buffer[]): Buffer[] {
  return texts.filter((text) => text.length > 0).flatMap((text, index) => (index === 0 ? [text] : [COMMA, text]))
}

const COMMA = Buffer.from(',')

function byPath(a: ResourceType, b: ResourceType): number {
  const [left, right] = [a, b].map(({ group, version, resource }) => `${group}/${version}/${resource}`)
  return (left ?? '') < (right ?? '') ? -1 : 1
}
