// Optional values. `?.`, `[?]`, or and orValue, which do not always evaluate both sides, are the evaluator's; these are the functions.

import { noValue } from '../evaluate/failures.ts'
import { define, global, type Library, member } from '../functions/declaration.ts'
import { boolType, dynType, intType, listOf, mapOf, optionalOf, stringType, typeParameter } from '../types/cel-type.ts'
import { itemsOf, ValueList } from '../values/lists.ts'
import {
  CelDouble,
  CelDuration,
  CelList,
  CelMap,
  CelOptional,
  CelTimestamp,
  CelUint,
  Failure,
  type Value,
} from '../values/value.ts'

const k = typeParameter('K')
const v = typeParameter('V')
const optionalOfV = optionalOf(v)
const listOfV = listOf(v)
const mapOfKV = mapOf(k, v)

/** Empty, zero or null. */
function isZero(value: Value): boolean {
  if (value === null || value === false || value === 0 || value === '') return true
  if (value instanceof CelDouble || value instanceof CelUint) return Number(value.value) === 0
  if (value instanceof CelList || value instanceof CelMap) return value.size === 0
  if (value instanceof Uint8Array) return value.length === 0
  if (value instanceof CelDuration) return value.nanoseconds === 0n
  if (value instanceof CelTimestamp) return value.seconds === -62_135_596_800 && value.nanoseconds === 0
  return value instanceof CelOptional && value.value === undefined
}

function unwrap(list: CelList): Value {
  const items: Value[] = []
  for (const item of itemsOf(list)) {
    if (!(item instanceof CelOptional)) return new Failure('value is not optional')
    if (item.value !== undefined) items.push(item.value)
  }
  return new ValueList(items)
}

const at = (list: CelList, index: number) => (list.size === 0 ? CelOptional.none : new CelOptional(list.get(index)))

export const optionalLibrary: Library = {
  functions: [
    define(
      'optional.of',
      global('optional_of', [v], optionalOfV, (value: Value) => new CelOptional(value)),
    ),
    define(
      'optional.ofNonZeroValue',
      global('optional_ofNonZeroValue', [v], optionalOfV, (value: Value) =>
        isZero(value) ? CelOptional.none : new CelOptional(value),
      ),
    ),
    define(
      'optional.none',
      global('optional_none', [], optionalOfV, () => CelOptional.none),
    ),
    define(
      'value',
      member('optional_value', [optionalOfV], v, ({ value }: CelOptional) => (value === undefined ? noValue : value)),
    ),
    define(
      'hasValue',
      member('optional_hasValue', [optionalOfV], boolType, ({ value }: CelOptional) => value !== undefined),
    ),
    define('or', member('optional_or_optional', [optionalOfV, optionalOfV], optionalOfV)),
    define('orValue', member('optional_orValue_value', [optionalOfV, v], v)),
    define('_?._', global('select_optional_field', [dynType, stringType], optionalOfV)),
    define(
      '_[?_]',
      global('list_optindex_optional_int', [listOfV, intType], optionalOfV),
      global('optional_list_optindex_optional_int', [optionalOf(listOfV), intType], optionalOfV),
      global('map_optindex_optional_value', [mapOfKV, k], optionalOfV),
      global('optional_map_optindex_optional_value', [optionalOf(mapOfKV), k], optionalOfV),
    ),
    define(
      '_[_]',
      global('optional_list_index_int', [optionalOf(listOfV), intType], optionalOfV),
      global('optional_map_index_value', [optionalOf(mapOfKV), k], optionalOfV),
    ),
    define(
      'last',
      member('list_last', [listOfV], optionalOfV, (list: CelList) => at(list, list.size - 1)),
    ),
    define(
      'first',
      member('list_first', [listOfV], optionalOfV, (list: CelList) => at(list, 0)),
    ),
    define('optional.unwrap', global('optional_unwrap', [listOf(optionalOfV)], listOfV, unwrap)),
    define('unwrapOpt', member('optional_unwrapOpt', [listOf(optionalOfV)], listOfV, unwrap)),
  ],
}
