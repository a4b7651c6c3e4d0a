// Kubernetes' quantities, such as `500m` and `1Gi`.

import { compareQuantities, isQuantityText, parseQuantity, type Quantity } from '@homeostat/meta'
import { define, global, type Library, member } from '../functions/declaration.ts'
import { boolType, doubleType, intType, opaqueType, stringType } from '../types/cel-type.ts'
import { intOf } from '../values/int64.ts'
import { CelDouble, Failure, Opaque, type Value } from '../values/value.ts'

const quantityType = opaqueType('kubernetes.Quantity')

class QuantityValue extends Opaque {
  readonly type = quantityType
  readonly quantity: Quantity

  constructor(quantity: Quantity) {
    super()
    this.quantity = quantity
  }

  equals(other: Opaque): boolean {
    return other instanceof QuantityValue && other.quantity.nanos === this.quantity.nanos
  }
}

const shape = /^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$/

function parse(text: string): QuantityValue | Failure {
  if (text === '')
    return new Failure("quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'")
  const quantity = text === text.trim() ? parseQuantity(text) : undefined
  if (quantity !== undefined) return new QuantityValue(quantity)
  const suffix = shape.exec(text)
  if (suffix === null || !/^[+-]?\d*\.?\d*$/.test(suffix[1] as string)) {
    return new Failure("quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'")
  }
  return new Failure("unable to parse quantity's suffix")
}

const billion = 1_000_000_000n

function integer({ quantity }: QuantityValue): number | bigint | undefined {
  return quantity.nanos % billion === 0n ? intOf(quantity.nanos / billion) : undefined
}

const of = (nanos: bigint, like: QuantityValue) => new QuantityValue({ nanos, format: like.quantity.format })
const nanosOf = (other: QuantityValue | number | bigint) =>
  other instanceof QuantityValue ? other.quantity.nanos : BigInt(other) * billion

const add = (one: QuantityValue, other: QuantityValue | number | bigint) => of(one.quantity.nanos + nanosOf(other), one)
const subtract = (one: QuantityValue, other: QuantityValue | number | bigint) =>
  of(one.quantity.nanos - nanosOf(other), one)
const order = (one: QuantityValue, other: QuantityValue) => compareQuantities(one.quantity, other.quantity)

function asInteger(quantity: QuantityValue): Value {
  return integer(quantity) ?? new Failure('cannot convert value to integer')
}

function sign({ quantity }: QuantityValue): Value {
  return quantity.nanos === 0n ? 0 : quantity.nanos < 0n ? -1 : 1
}

const two = [quantityType, quantityType]
const withInt = [quantityType, intType]

export const quantityLibrary: Library = {
  functions: [
    define('quantity', global('string_to_quantity', [stringType], quantityType, parse)),
    define('isQuantity', global('is_quantity_string', [stringType], boolType, isQuantityText)),
    define('sign', global('quantity_sign', [quantityType], intType, sign)),
    define(
      'isGreaterThan',
      member('quantity_is_greater_than', two, boolType, (a: QuantityValue, b: QuantityValue) => order(a, b) > 0),
    ),
    define(
      'isLessThan',
      member('quantity_is_less_than', two, boolType, (a: QuantityValue, b: QuantityValue) => order(a, b) < 0),
    ),
    define('compareTo', member('quantity_compare_to', two, intType, order)),
    define(
      'asApproximateFloat',
      member(
        'quantity_get_float',
        [quantityType],
        doubleType,
        ({ quantity }: QuantityValue) => new CelDouble(Number(quantity.nanos) / 1e9),
      ),
    ),
    define('asInteger', member('quantity_get_int', [quantityType], intType, asInteger)),
    define(
      'isInteger',
      member(
        'quantity_is_integer',
        [quantityType],
        boolType,
        (quantity: QuantityValue) => integer(quantity) !== undefined,
      ),
    ),
    define(
      'add',
      member('quantity_add', two, quantityType, add),
      member('quantity_add_int', withInt, quantityType, add),
    ),
    define(
      'sub',
      member('quantity_sub', two, quantityType, subtract),
      member('quantity_sub_int', withInt, quantityType, subtract),
    ),
  ],
  types: [quantityType],
}
