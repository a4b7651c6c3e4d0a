// Values that may be null.

import { type JsonSchema, schemasOf } from '../json-schema.ts'

/** To a server a null is in no enum, even one that lists it; what stands below allOf it does not ask of a null. */
export function withNull(node: JsonSchema): JsonSchema {
  const { enum: values, ...rest } = node
  if (!Array.isArray(values)) return { ...node, nullable: true }
  return { ...rest, nullable: true, allOf: [...schemasOf(node.allOf), { enum: values.filter((one) => one !== null) }] }
}
