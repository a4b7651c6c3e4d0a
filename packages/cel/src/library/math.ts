// CEL's extension for numbers, which Kubernetes does not have.

import { define, type FunctionDeclaration, global, type Library } from '../functions/declaration.ts'
import { boolType, type CelType, doubleType, dynType, intType, listOf, uintType } from '../types/cel-type.ts'
import { compare } from '../values/compare.ts'
import { intOf, uintOf } from '../values/int64.ts'
import { itemsOf } from '../values/lists.ts'
import { CelDouble, type CelList, CelUint, Failure, type Value } from '../values/value.ts'

const numbers: readonly (readonly [string, CelType])[] = [
  ['int', intType],
  ['uint', uintType],
  ['double', doubleType],
]

function extreme(name: string, sign: 1 | -1): FunctionDeclaration {
  const of = (values: readonly Value[]): Value => {
    if (values.length === 0)
      return new Failure(`math.@${name === 'greatest' ? 'max' : 'min'}(list) argument must not be empty`)
    return values.reduce((best, value) => ((compare(value, best) ?? 0) * sign > 0 ? value : best))
  }
  const all = (...values: Value[]) => of(values)
  const result = (a: CelType, b: CelType) => (a === b ? a : dynType)
  return define(
    `math.${name}`,
    ...numbers.map(([type, one]) => global(`math_@${name}_${type}`, [one], one, all)),
    ...numbers.flatMap(([type, one]) =>
      numbers.map(([otherType, other]) =>
        global(`math_@${name}_${type}_${otherType}`, [one, other], result(one, other), all),
      ),
    ),
    ...numbers.map(([type, one]) =>
      global(`math_@${name}_list_${type}`, [listOf(one)], one, (list: CelList) => of(itemsOf(list))),
    ),
    ...[3, 4, 5, 6, 7, 8].map((count) =>
      global(`math_@${name}_${count}`, new Array(count).fill(dynType), dynType, all),
    ),
  )
}

function onDouble(name: string, call: (value: number) => number): FunctionDeclaration {
  return define(
    `math.${name}`,
    global(`math_${name}_double`, [doubleType], doubleType, ({ value }: CelDouble) => new CelDouble(call(value))),
  )
}

function roundAwayFromZero(value: number): number {
  return Math.sign(value) * Math.round(Math.abs(value))
}

function abs(value: Value): Value {
  if (value instanceof CelDouble) return new CelDouble(Math.abs(value.value))
  if (value instanceof CelUint) return value
  const absolute = intOf((value as number) < 0 ? -BigInt(value as number) : BigInt(value as number))
  return absolute ?? new Failure('integer overflow')
}

function sign(value: Value): Value {
  if (value instanceof CelDouble) return new CelDouble(Math.sign(value.value))
  if (value instanceof CelUint) return new CelUint(Number(value.value) > 0 ? 1 : 0)
  return Number(value) > 0 ? 1 : Number(value) < 0 ? -1 : 0
}

function sqrt(value: Value): Value {
  return new CelDouble(Math.sqrt(Number(value instanceof CelDouble || value instanceof CelUint ? value.value : value)))
}

type BitOperation = (a: bigint, b: bigint) => bigint

function bits(name: string, operation: BitOperation): FunctionDeclaration {
  return define(
    `math.${name}`,
    global(`math_${name}_int_int`, [intType, intType], intType, (a: number, b: number) =>
      signed(operation(BigInt(a), BigInt(b))),
    ),
    global(`math_${name}_uint_uint`, [uintType, uintType], uintType, (a: CelUint, b: CelUint) =>
      unsigned(operation(BigInt(a.value), BigInt(b.value))),
    ),
  )
}

function signed(value: bigint): Value {
  return intOf(BigInt.asIntN(64, value)) as Value
}

function unsigned(value: bigint): Value {
  return new CelUint(uintOf(BigInt.asUintN(64, value)) as number | bigint)
}

function shift(name: string, operation: BitOperation): FunctionDeclaration {
  const by = (count: number | bigint, made: (count: bigint) => Value): Value => {
    if (count < 0) return new Failure(`math.${name}() negative offset: ${count}`)
    return made(BigInt(count) > 64n ? 64n : BigInt(count))
  }
  return define(
    `math.${name}`,
    global(`math_${name}_int_int`, [intType, intType], intType, (value: number, count: number) =>
      by(count, (places) => signed(operation(BigInt.asUintN(64, BigInt(value)), places))),
    ),
    global(`math_${name}_uint_int`, [uintType, intType], uintType, (value: CelUint, count: number) =>
      by(count, (places) => unsigned(operation(BigInt(value.value), places))),
    ),
  )
}

function test(name: string, call: (value: number) => boolean): FunctionDeclaration {
  return define(
    `math.${name}`,
    global(`math_${name}_double`, [doubleType], boolType, ({ value }: CelDouble) => call(value)),
  )
}

export const mathLibrary: Library = {
  functions: [
    extreme('greatest', 1),
    extreme('least', -1),
    onDouble('ceil', Math.ceil),
    onDouble('floor', Math.floor),
    onDouble('trunc', Math.trunc),
    onDouble('round', roundAwayFromZero),
    define('math.abs', ...numbers.map(([type, of]) => global(`math_abs_${type}`, [of], of, abs))),
    define('math.sign', ...numbers.map(([type, of]) => global(`math_sign_${type}`, [of], of, sign))),
    define('math.sqrt', ...numbers.map(([type, of]) => global(`math_sqrt_${type}`, [of], doubleType, sqrt))),
    test('isInf', (value) => Math.abs(value) === Number.POSITIVE_INFINITY),
    test('isNaN', Number.isNaN),
    test('isFinite', Number.isFinite),
    bits('bitAnd', (a, b) => a & b),
    bits('bitOr', (a, b) => a | b),
    bits('bitXor', (a, b) => a ^ b),
    define(
      'math.bitNot',
      global('math_bitNot_int_int', [intType], intType, (value: number) => signed(~BigInt(value))),
      global('math_bitNot_uint_uint', [uintType], uintType, (value: CelUint) => unsigned(~BigInt(value.value))),
    ),
    shift('bitShiftLeft', (value, count) => value << count),
    shift('bitShiftRight', (value, count) => value >> count),
  ],
}
