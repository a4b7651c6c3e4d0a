// The name of the type that a value has while it runs: what type() answers, and by which an overload for dyn is chosen.

import {
  CelDouble,
  CelDuration,
  CelList,
  CelMap,
  CelOptional,
  CelTimestamp,
  CelTypeValue,
  CelUint,
  Failure,
  type Opaque,
  type Value,
} from './value.ts'

export function typeNameOf(value: Value): string {
  switch (typeof value) {
    case 'boolean':
      return 'bool'
    case 'number':
    case 'bigint':
      return 'int'
    case 'string':
      return 'string'
    default:
      return value === null ? 'null_type' : objectTypeName(value)
  }
}

function objectTypeName(value: Exclude<Value, null | boolean | number | bigint | string>): string {
  if (value instanceof CelList) return 'list'
  if (value instanceof CelMap) return 'map'
  if (value instanceof CelDouble) return 'double'
  if (value instanceof CelUint) return 'uint'
  if (value instanceof Uint8Array) return 'bytes'
  if (value instanceof CelDuration) return 'google.protobuf.Duration'
  if (value instanceof CelTimestamp) return 'google.protobuf.Timestamp'
  if (value instanceof CelOptional) return 'optional_type'
  if (value instanceof CelTypeValue) return 'type'
  if (value instanceof Failure) return 'error'
  return (value as Opaque).type.name
}
