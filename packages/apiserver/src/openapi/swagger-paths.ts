// The paths of a resource in OpenAPI v2, converted from v3. Shared parameters are defined once and referenced, except
// for the two that kubectl expects in the operation itself.

import type { Parameter } from './parameters.ts'
import { swaggerReference } from './swagger-schema.ts'

type Json = Readonly<Record<string, unknown>>

interface Operation {
  readonly tags: readonly string[]
  readonly operationId: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content: Content; readonly required?: true }
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: Content }>>
  readonly [extension: string]: unknown
}

type Content = Readonly<Record<string, { readonly schema: { readonly $ref: string } }>>

const INLINE = ['dryRun', 'fieldValidation']
const PRODUCES = ['application/json', 'application/yaml']

/** Collects the definitions that operations reference. */
export type SharedParameters = Map<string, Json>

export function swaggerPathItem(item: Json, shared: SharedParameters): Json {
  const out: Record<string, unknown> = {}
  for (const [key, value] of Object.entries(item)) {
    out[key] =
      key === 'parameters'
        ? (value as Parameter[]).map((parameter) => swaggerParameter(parameter, shared))
        : swaggerOperation(value as Operation, shared)
  }
  return out
}

function swaggerOperation(operation: Operation, shared: SharedParameters): Json {
  const { tags, operationId, parameters = [], requestBody, responses, ...extensions } = operation
  const accepted = Object.keys(requestBody?.content ?? {})
  const taken = [
    ...(requestBody ? [bodyParameter(requestBody, shared)] : []),
    ...parameters.map((parameter) => swaggerParameter(parameter, shared)),
  ]
  return {
    consumes: accepted.some((type) => type.includes('patch')) ? accepted : ['*/*'],
    produces: PRODUCES,
    schemes: ['https'],
    tags,
    operationId,
    ...(taken.length > 0 && { parameters: taken }),
    responses: Object.fromEntries(
      Object.entries(responses).map(([code, { description, content }]) => {
        const schema = schemaOf(content)
        return [code, { description, ...(schema && { schema }) }]
      }),
    ),
    ...extensions,
  }
}

function swaggerParameter({ schema, ...rest }: Parameter, shared: SharedParameters): Json {
  const parameter = { ...schema, ...rest }
  return INLINE.includes(rest.name) || rest.name === 'name' ? parameter : refer(rest.name, parameter, shared)
}

function bodyParameter(body: NonNullable<Operation['requestBody']>, shared: SharedParameters): Json {
  const schema = schemaOf(body.content)
  const parameter = { name: 'body', in: 'body', ...(body.required && { required: true }), schema }
  const kind = /[^.]+$/.exec(schema?.$ref ?? '')?.[0] ?? ''
  return COMMON_BODIES.includes(kind) ? refer(`body-${kind}`, parameter, shared) : parameter
}

const COMMON_BODIES = ['Patch', 'DeleteOptions']

function refer(name: string, parameter: Json, shared: SharedParameters): Json {
  shared.set(name, parameter)
  return { $ref: `#/parameters/${name}` }
}

function schemaOf(content: Content | undefined): { readonly $ref: string } | undefined {
  const [first] = Object.values(content ?? {})
  return first && { $ref: swaggerReference(first.schema.$ref) }
}
