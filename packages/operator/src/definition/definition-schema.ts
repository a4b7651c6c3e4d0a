// Builds the schema of a whole object from the Zod schemas of its spec and status.

import { compileSchema, type JsonSchema } from '@homeostat/schema'
import { fillsItself, SchemaError, type Structural, structuralSchema, type ZodSchema } from '@homeostat/schema/zod'

const conditions: JsonSchema = {
  description: 'What is known about the object, one entry per type.',
  type: 'array',
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['type'],
  items: {
    type: 'object',
    required: ['type', 'status'],
    properties: {
      type: { description: 'What the condition is about, e.g. Ready.', type: 'string', maxLength: 316 },
      status: { description: 'Whether it holds.', type: 'string', enum: ['True', 'False', 'Unknown'] },
      reason: { description: 'Why, in one word for programs.', type: 'string', maxLength: 1024 },
      message: { description: 'Why, for people.', type: 'string', maxLength: 32768 },
      lastTransitionTime: { description: 'When the status last changed.', type: 'string', format: 'date-time' },
      observedGeneration: {
        description: 'The generation of the object that this was said about.',
        type: 'integer',
        format: 'int64',
      },
    },
  },
}

const observedGeneration: JsonSchema = {
  description: 'The generation of the object that the status is about.',
  type: 'integer',
  format: 'int64',
}

export function specPart(spec: ZodSchema): Structural & { required: boolean } {
  const part = structuralSchema(spec, { path: 'spec' })
  mustBeObject(part.schema, 'spec')
  const required = compileSchema(part.schema, { root: 'object' }).validate({}).length > 0
  return { ...part, schema: fillsItself(part.schema) ? { ...part.schema, default: {} } : part.schema, required }
}

/**
 * A status is written in steps: conditions come before other fields. So no top-level field is required, whatever the
 * Zod schema says; inside the fields `required` applies.
 */
export function statusPart(status: ZodSchema | undefined): Structural {
  const own = { observedGeneration, conditions }
  if (status === undefined) {
    const schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true, properties: own }
    return { schema, warnings: [], columns: [], selectableFields: [], scale: {}, deprecated: false }
  }
  const part = structuralSchema(status, { path: 'status' })
  mustBeObject(part.schema, 'status')
  const { required: _, anyOf: __, oneOf: ___, default: ____, ...open } = part.schema
  const properties = (open.properties ?? {}) as Record<string, JsonSchema>
  return { ...part, schema: { ...open, properties: { ...properties, ...own } } }
}

function mustBeObject(schema: JsonSchema, path: string): void {
  if (schema.type === 'object' && schema.nullable !== true && schema.additionalProperties === undefined) return
  throw new SchemaError([`${path}: has to be an object with fields: use z.object({ … })`])
}
