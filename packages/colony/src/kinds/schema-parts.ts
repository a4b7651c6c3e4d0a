// Parts that the schemas of the colony's kinds share.

export type Schema = Readonly<Record<string, unknown>>

export const text: Schema = { type: 'string' }
export const flag: Schema = { type: 'boolean' }
export const time: Schema = { type: 'string', format: 'date-time' }
export const anything: Schema = { 'x-kubernetes-preserve-unknown-fields': true }
export const freeObject: Schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }
export const texts: Schema = { type: 'array', items: text }
export const textMap: Schema = { type: 'object', additionalProperties: text }
export const quantity: Schema = { 'x-kubernetes-int-or-string': true }

/** The limit for seconds and counts: the largest int32, which is 68 years in seconds. */
export const MAX_INT32 = 2 ** 31 - 1

export function integer(minimum?: number, maximum?: number): Schema {
  return { type: 'integer', ...(minimum !== undefined && { minimum }), ...(maximum !== undefined && { maximum }) }
}

export function object(properties: Readonly<Record<string, Schema>>, required: readonly string[] = []): Schema {
  return { type: 'object', properties, ...(required.length > 0 && { required }) }
}

export const conditions: Schema = {
  type: 'array',
  'x-kubernetes-list-type': 'map',
  'x-kubernetes-list-map-keys': ['type'],
  items: {
    type: 'object',
    required: ['type', 'status'],
    properties: {
      type: text,
      status: text,
      reason: text,
      message: text,
      lastTransitionTime: time,
      observedGeneration: { type: 'integer', format: 'int64' },
    },
  },
}
