// Lists: Kubernetes' sums, extremes and places, and CEL's own slices, orders and flat lists.

import { plus } from '../evaluate/arithmetic.ts'
import { define, type FunctionDeclaration, global, type Library, member } from '../functions/declaration.ts'
import {
  boolType,
  bytesType,
  type CelType,
  doubleType,
  durationType,
  dynType,
  intType,
  listOf,
  stringType,
  timestampType,
  typeParameter,
  uintType,
} from '../types/cel-type.ts'
import { compare } from '../values/compare.ts'
import { equals } from '../values/equals.ts'
import { hashKeyOf } from '../values/hash-key.ts'
import { itemsOf, ValueList } from '../values/lists.ts'
import { CelDouble, CelDuration, CelList, CelUint, Failure, type Value } from '../values/value.ts'

const summable: readonly (readonly [string, CelType, Value])[] = [
  ['int', intType, 0],
  ['uint', uintType, new CelUint(0)],
  ['double', doubleType, new CelDouble(0)],
  ['duration', durationType, new CelDuration(0n)],
]

const comparable: readonly (readonly [string, CelType])[] = [
  ['int', intType],
  ['uint', uintType],
  ['double', doubleType],
  ['bool', boolType],
  ['duration', durationType],
  ['timestamp', timestampType],
  ['string', stringType],
  ['bytes', bytesType],
]

function isSorted(list: CelList): Value {
  for (let index = 1; index < list.size; index++) {
    const order = compare(list.get(index - 1), list.get(index))
    if (order !== undefined && order > 0) return false
  }
  return true
}

function sum(zero: Value): (list: CelList) => Value {
  return (list) => itemsOf(list).reduce((total, item) => plus(total, item), zero)
}

function extreme(name: string, sign: 1 | -1): (list: CelList) => Value {
  return (list) => {
    if (list.size === 0) return new Failure(`${name} called on empty list`)
    let best = list.get(0)
    for (let index = 1; index < list.size; index++) {
      const item = list.get(index)
      if ((compare(item, best) ?? 0) * sign > 0) best = item
    }
    return best
  }
}

function indexOf(list: CelList, wanted: Value): Value {
  for (let index = 0; index < list.size; index++) if (equals(list.get(index), wanted) === true) return index
  return -1
}

function lastIndexOf(list: CelList, wanted: Value): Value {
  for (let index = list.size - 1; index >= 0; index--) if (equals(list.get(index), wanted) === true) return index
  return -1
}

const ofEach = (make: (name: string, list: CelType, item: CelType) => ReturnType<typeof member>) =>
  comparable.map(([name, item]) => make(name, listOf(item), item))

const a = typeParameter('A')
const listOfA = listOf(a)

export const kubernetesListsLibrary: Library = {
  functions: [
    define('isSorted', ...ofEach((name, list) => member(`list_${name}_is_sorted_bool`, [list], boolType, isSorted))),
    define(
      'sum',
      ...summable.map(([name, type, zero]) => member(`list_${name}_sum_${name}`, [listOf(type)], type, sum(zero))),
    ),
    define('max', ...ofEach((name, list, item) => member(`list_${name}_max_${name}`, [list], item, extreme('max', 1)))),
    define(
      'min',
      ...ofEach((name, list, item) => member(`list_${name}_min_${name}`, [list], item, extreme('min', -1))),
    ),
    define('indexOf', member('list_a_index_of_int', [listOfA, a], intType, indexOf)),
    define('lastIndexOf', member('list_a_last_index_of_int', [listOfA, a], intType, lastIndexOf)),
  ],
}

function slice(list: CelList, from: number | bigint, to: number | bigint): Value {
  const call = `cannot slice(${from}, ${to})`
  if (from < 0 || to < 0) return new Failure(`${call}, negative indexes not supported`)
  if (from > to) return new Failure(`${call}, start index must be less than or equal to end index`)
  if (list.size < to) return new Failure(`${call}, list is length ${list.size}`)
  return new ValueList(Array.from({ length: Number(to) - Number(from) }, (_, index) => list.get(Number(from) + index)))
}

function flatten(list: CelList, depth: number | bigint = 1): Value {
  if (depth < 0) return new Failure('level must be non-negative')
  return new ValueList(flattened(list, Number(depth)))
}

function flattened(list: CelList, depth: number): Value[] {
  return itemsOf(list).flatMap((item) => (item instanceof CelList && depth > 0 ? flattened(item, depth - 1) : [item]))
}

const mostInRange = 1_000_000

/** Its cost is known only afterwards, so that its size is bounded by what a call may cost. */
function range(count: number | bigint): Value {
  if (count > mostInRange) return new Failure(`lists.range: ${count} items are more than ${mostInRange}`)
  return new ValueList(Array.from({ length: Math.max(0, Number(count)) }, (_, index) => index))
}

function reverse(list: CelList): Value {
  return new ValueList([...itemsOf(list)].reverse())
}

function distinct(list: CelList): Value {
  const hashes = new Set<unknown>()
  const others: Value[] = []
  return new ValueList(itemsOf(list).filter((item) => isNew(item, hashes, others)))
}

function isNew(item: Value, hashes: Set<unknown>, others: Value[]): boolean {
  const hash = hashKeyOf(item)
  if (hash !== undefined) {
    if (hashes.has(hash)) return false
    hashes.add(hash)
    return true
  }
  if (others.some((other) => equals(other, item) === true)) return false
  others.push(item)
  return true
}

function sort(list: CelList): Value {
  return sortByKeys(list, list)
}

function sortByKeys(list: CelList, keys: CelList): Value {
  if (list.size !== keys.size) {
    return new Failure(
      `@sortByAssociatedKeys() expected a list of the same size as the associated keys list, but got ${list.size} and ${keys.size} elements respectively`,
    )
  }
  const pairs = itemsOf(list).map((item, index) => ({ item, key: keys.get(index) }))
  if (pairs.length > 0 && pairs.some(({ key }) => compare(key, (pairs[0] as { key: Value }).key) === undefined)) {
    return new Failure('list elements must have the same type')
  }
  return new ValueList(pairs.sort((one, other) => compare(one.key, other.key) ?? 0).map(({ item }) => item))
}

export const listsLibrary: Library = {
  functions: [
    define('slice', member('list_slice', [listOfA, intType, intType], listOfA, slice)),
    define(
      'flatten',
      member('list_flatten', [listOf(listOfA)], listOfA, (list: CelList) => flatten(list)),
      member('list_flatten_int', [listOf(dynType), intType], listOf(dynType), flatten),
    ),
    sorting('sort', 'sort', (list) => [list], sort),
    sorting('@sortByAssociatedKeys', 'sortByAssociatedKeys', (list) => [listOfA, list], sortByKeys),
    define('lists.range', global('lists_range', [intType], listOf(intType), range)),
    define('reverse', member('list_reverse', [listOfA], listOfA, reverse)),
    define('distinct', member('list_distinct', [listOfA], listOfA, distinct)),
  ],
}

function sorting(
  name: string,
  id: string,
  params: (list: CelType) => CelType[],
  call: (...lists: never[]) => Value,
): FunctionDeclaration {
  const idType: Readonly<Record<string, string>> = {
    duration: 'google.protobuf.Duration',
    timestamp: 'google.protobuf.Timestamp',
  }
  return define(
    name,
    ...ofEach((type, list, item) => {
      const wanted = params(list)
      return member(`list_${idType[type] ?? type}_${id}`, wanted, wanted.length === 1 ? listOf(item) : listOfA, call)
    }),
  )
}
