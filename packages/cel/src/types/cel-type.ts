// The types of CEL as the checker sees them. A declared type also knows how large its values can be in one request, from which costs
// are estimated. Two types are compared with type-relations.ts, which ignores sizes.

export type Kind =
  | 'bool'
  | 'int'
  | 'uint'
  | 'double'
  | 'string'
  | 'bytes'
  | 'null'
  | 'dyn'
  | 'duration'
  | 'timestamp'
  | 'list'
  | 'map'
  | 'object'
  | 'optional'
  | 'opaque'
  | 'type'
  | 'parameter'

/** How the items of a list belong together: by place, as a set, or by the values of these keys. */
export type ListKind = 'atomic' | 'set' | readonly string[]

export interface ObjectField {
  /** The key in JSON; expressions use the escaped name. */
  readonly key: string
  readonly type: CelType
}

export interface CelType {
  readonly kind: Kind
  /** As messages show it: `int`, `list`, `google.protobuf.Timestamp`, `kubernetes.URL`, the name of an object type. */
  readonly name: string
  /** Of a list its items, of a map its keys and values, of an optional and a type what they hold. */
  readonly parameters: readonly CelType[]
  /** The fields of an object type by escaped name. */
  readonly fields?: ReadonlyMap<string, ObjectField>
  readonly listKind?: ListKind
  /** The most characters, bytes, items or entries that a value in one request can have; 0 where the size does not vary. */
  readonly maxElements: number
  /** The shortest JSON text of a value. */
  readonly minSerializedSize: number
}

function simple(kind: Kind, name: string, minSerializedSize: number): CelType {
  return { kind, name, parameters: [], maxElements: 0, minSerializedSize }
}

export const boolType = simple('bool', 'bool', 4)
export const intType = simple('int', 'int', 1)
export const uintType = simple('uint', 'uint', 1)
export const doubleType = simple('double', 'double', 1)
export const stringType = simple('string', 'string', 2)
export const bytesType = simple('bytes', 'bytes', 2)
export const nullType = simple('null', 'null_type', 4)
export const dynType = simple('dyn', 'dyn', 1)
export const durationType = simple('duration', 'google.protobuf.Duration', 3)
export const timestampType = simple('timestamp', 'google.protobuf.Timestamp', 12)

/** A value of a library, such as a quantity: known by its name alone. */
export function opaqueType(name: string, ...parameters: CelType[]): CelType {
  return { ...simple('opaque', name, 1), parameters }
}

/** Stands for a type in the signature of a function. */
export function typeParameter(name: string): CelType {
  return simple('parameter', name, 1)
}

export function listOf(items: CelType, maxItems = Infinity, listKind: ListKind = 'atomic'): CelType {
  return { kind: 'list', name: 'list', parameters: [items], listKind, maxElements: maxItems, minSerializedSize: 2 }
}

export function mapOf(keys: CelType, values: CelType, maxProperties = Infinity): CelType {
  return { kind: 'map', name: 'map', parameters: [keys, values], maxElements: maxProperties, minSerializedSize: 2 }
}

export function optionalOf(held: CelType): CelType {
  return { ...simple('optional', 'optional_type', 1), parameters: [held] }
}

/** The type of a type: `type(1)` is an `int` of type `type(int)`. */
export function typeOfType(held: CelType): CelType {
  return { ...simple('type', 'type', 1), parameters: [held] }
}

/** An object with these fields and no others. Equal names mean equal types. */
export function objectType(
  name: string,
  fields: Readonly<Record<string, CelType>> | ReadonlyMap<string, ObjectField>,
  minSerializedSize = 2,
): CelType {
  const byName = fields instanceof Map ? fields : namedFields(fields as Readonly<Record<string, CelType>>)
  return { kind: 'object', name, parameters: [], fields: byName, maxElements: 0, minSerializedSize }
}

function namedFields(fields: Readonly<Record<string, CelType>>): ReadonlyMap<string, ObjectField> {
  return new Map(Object.entries(fields).map(([key, type]) => [key, { key, type }]))
}

/** The same type for values of at most this size. */
export function bounded(type: CelType, maxElements: number): CelType {
  return { ...type, maxElements }
}
