// The JSON types as bits, so that a type check is one comparison.

export const OBJECT = 1
export const ARRAY = 2
export const STRING = 4
export const INTEGER = 8
export const NUMBER = 16
const BOOLEAN = 32
export const NULL = 64

const bits: Readonly<Record<string, number>> = {
  object: OBJECT,
  array: ARRAY,
  string: STRING,
  integer: INTEGER,
  number: NUMBER,
  boolean: BOOLEAN,
  null: NULL,
}

export function typeBits(type: string): number {
  return Object.hasOwn(bits, type) ? (bits[type] ?? 0) : 0
}

/** Integers up to int64 are `integer`: safe numbers and bigints. Whole floats beyond are `number`. */
export function kindOf(value: unknown): number {
  switch (typeof value) {
    case 'string':
      return STRING
    case 'number':
      return Number.isSafeInteger(value) ? INTEGER : NUMBER
    case 'boolean':
      return BOOLEAN
    case 'bigint':
      return INTEGER
    default:
      if (value === null || value === undefined) return NULL
      return Array.isArray(value) ? ARRAY : OBJECT
  }
}

export function kindName(kind: number): string {
  for (const name of Object.keys(bits)) if (bits[name] === kind) return name
  return 'null'
}
