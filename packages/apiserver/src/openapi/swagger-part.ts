// The part of the OpenAPI v2 document that one type or one shared schema adds. It is built once per type, so that a
// changed definition costs only its own part. In each form (JSON, protobuf) parts are concatenated.

import { encodeOpenApiV2 } from '@homeostat/protobuf'
import type { ResourceType } from '../registry/resource-type.ts'
import { componentText } from './component-text.ts'
import { kindSchemas } from './kind-schemas.ts'
import type { Schema } from './meta-schemas.ts'
import { resourcePaths } from './paths.ts'
import { type SharedParameters, swaggerPathItem } from './swagger-paths.ts'
import { swaggerKind, swaggerSchema } from './swagger-schema.ts'

export type SwaggerForm = 'json' | 'protobuf'

export interface SwaggerPart {
  /** Members of the `paths` object, without braces; in protobuf the whole part. */
  readonly paths: Buffer
  /** Members of the `definitions` object, without braces; empty in protobuf. */
  readonly definitions: Buffer
  /** The names of its definitions. */
  readonly names: readonly string[]
  /** The names of the definitions that it references. */
  readonly references: readonly string[]
  readonly parameters: SharedParameters
}

export function typePart(type: ResourceType, form: SwaggerForm): SwaggerPart {
  const known = typeParts[form].get(type)
  if (known) return known
  const parameters: SharedParameters = new Map()
  const paths = resourcePaths(type).map(([path, item]): [string, object] => [path, swaggerPathItem(item, parameters)])
  const definitions = kindSchemas(type).map(([name, schema]): [string, Schema] => [name, swaggerKind(schema)])
  const part = makePart(paths, definitions, parameters, form)
  typeParts[form].set(type, part)
  return part
}

export function sharedPart(name: string, schema: Schema, form: SwaggerForm): SwaggerPart {
  return makePart([], [[name, swaggerSchema(schema)]], new Map(), form)
}

const typeParts: Record<SwaggerForm, WeakMap<ResourceType, SwaggerPart>> = {
  json: new WeakMap(),
  protobuf: new WeakMap(),
}

function makePart(
  paths: readonly (readonly [string, object])[],
  definitions: readonly (readonly [string, object])[],
  parameters: SharedParameters,
  form: SwaggerForm,
): SwaggerPart {
  const pathsText = componentText(Object.fromEntries(paths))
  const definitionsText = componentText(Object.fromEntries(definitions))
  const common = {
    names: definitions.map(([name]) => name),
    references: [...pathsText.references, ...definitionsText.references, ...referredBy(parameters)],
    parameters,
  }
  if (form === 'json') return { ...common, paths: inside(pathsText.json), definitions: inside(definitionsText.json) }
  // Protobuf merges concatenated messages: the result has the paths and definitions of all parts.
  const message = encodeOpenApiV2({ paths: Object.fromEntries(paths), definitions: Object.fromEntries(definitions) })
  return { ...common, paths: message, definitions: EMPTY }
}

function referredBy(parameters: SharedParameters): readonly string[] {
  return componentText([...parameters.values()]).references
}

/** Encodes the members without the braces. */
function inside(json: string): Buffer {
  return Buffer.from(json.slice(1, -1))
}

const EMPTY = Buffer.alloc(0)
