// Runs one conformance test. The test and whoever lists the failures call it.

import type { CelEnvironment, EnvironmentOptions } from '../src/contract.ts'
import {
  boolType,
  bytesType,
  type CelType,
  doubleType,
  durationType,
  dynType,
  intType,
  listOf,
  mapOf,
  nullType,
  optionalOf,
  stringType,
  timestampType,
  uintType,
} from '../src/types/cel-type.ts'
import { bytesFromBase64 } from '../src/values/base64.ts'
import { equals } from '../src/values/equals.ts'
import { ValueList } from '../src/values/lists.ts'
import { ValueMap } from '../src/values/maps.ts'
import { typeNameOf } from '../src/values/type-of-value.ts'
import { CelDouble, CelList, CelTypeValue, CelUint, type Value } from '../src/values/value.ts'

type TypeText = string | { list?: TypeText; map?: [TypeText, TypeText]; optional?: TypeText }

export interface Conformance {
  section: string
  name: string
  expression: string
  variables?: Record<string, TypeText>
  bindings?: Record<string, unknown>
  result?: unknown
  error?: boolean
  checkOnly?: boolean
}

/** Empty, or what is different. */
export function conforms(test: Conformance, create: (options: EnvironmentOptions) => CelEnvironment): string {
  const variables = Object.fromEntries(Object.entries(test.variables ?? {}).map(([name, type]) => [name, typeOf(type)]))
  const { program, issues } = create({ variables, libraries: 'all' }).compile(test.expression)
  if (program === undefined) return test.error ? '' : `compile: ${issues?.text}`
  if (test.checkOnly) return ''
  const bindings = Object.fromEntries(
    Object.entries(test.bindings ?? {}).map(([name, value]) => [name, celValue(value)]),
  )
  const { value, error } = program.evaluate(bindings)
  if (test.error) return error === undefined ? `no error, but ${typeNameOf(value as Value)}` : ''
  if (error !== undefined) return `error: ${error.message}`
  return same(value as Value, celValue(test.result))
    ? ''
    : `another value, of ${typeNameOf(value as Value)}: ${String(value)}`
}

function same(a: Value, b: Value): boolean {
  if (typeNameOf(a) !== typeNameOf(b)) return false
  if (a instanceof CelDouble && b instanceof CelDouble) return Object.is(a.value, b.value)
  if (a instanceof CelList && b instanceof CelList && a.size === b.size) {
    return Array.from({ length: a.size }, (_, index) => same(a.get(index), b.get(index))).every(Boolean)
  }
  return equals(a, b) === true
}

const simple: Readonly<Record<string, CelType>> = {
  dyn: dynType,
  null: nullType,
  bool: boolType,
  int: intType,
  uint: uintType,
  double: doubleType,
  string: stringType,
  bytes: bytesType,
  timestamp: timestampType,
  duration: durationType,
}

function typeOf(text: TypeText): CelType {
  if (typeof text === 'string') return simple[text] as CelType
  if (text.list !== undefined) return listOf(typeOf(text.list))
  if (text.map !== undefined) return mapOf(typeOf(text.map[0]), typeOf(text.map[1]))
  return optionalOf(typeOf(text.optional as TypeText))
}

type Tagged = {
  int?: string
  uint?: string
  double?: string
  bytes?: string
  list?: unknown[]
  map?: [unknown, unknown][]
  type?: string
}

function celValue(tagged: unknown): Value {
  if (typeof tagged !== 'object' || tagged === null) return tagged as Value
  const { int, uint, double, bytes, list, map, type } = tagged as Tagged
  if (int !== undefined) return whole(int)
  if (uint !== undefined) return new CelUint(whole(uint))
  if (double !== undefined) return new CelDouble(Number(double))
  if (bytes !== undefined) return bytesFromBase64(bytes) as Uint8Array
  if (list !== undefined) return new ValueList(list.map(celValue))
  if (type !== undefined) return new CelTypeValue(type)
  const made = new ValueMap()
  for (const [key, value] of map ?? []) made.set(celValue(key), celValue(value))
  return made
}

function whole(text: string): number | bigint {
  return Number.isSafeInteger(Number(text)) ? Number(text) : BigInt(text)
}
