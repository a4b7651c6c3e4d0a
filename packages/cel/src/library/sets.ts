// Lists as sets.

import { define, global, type Library } from '../functions/declaration.ts'
import { boolType, listOf, typeParameter } from '../types/cel-type.ts'
import { contains } from '../values/equals.ts'
import { hashKeyOf } from '../values/hash-key.ts'
import { itemsOf } from '../values/lists.ts'
import type { CelList, Value } from '../values/value.ts'

const list = listOf(typeParameter('T'))

function containsAll(whole: CelList, part: CelList): Value {
  const has = lookup(whole)
  for (const item of itemsOf(part)) {
    const found = has(item)
    if (found !== true) return found
  }
  return true
}

function intersects(a: CelList, b: CelList): Value {
  const has = lookup(b)
  return itemsOf(a).some((item) => has(item) === true)
}

/** By hash where the items have one. */
function lookup(whole: CelList): (item: Value) => Value {
  const hashes = new Set(itemsOf(whole).map(hashKeyOf))
  return (item) => {
    const hash = hashKeyOf(item)
    return (hash !== undefined && hashes.has(hash)) || contains(whole, item)
  }
}

function equivalent(a: CelList, b: CelList): Value {
  const first = containsAll(a, b)
  return first === true ? containsAll(b, a) : first
}

export const setsLibrary: Library = {
  functions: [
    define('sets.contains', global('list_sets_contains_list', [list, list], boolType, containsAll)),
    define('sets.equivalent', global('list_sets_equivalent_list', [list, list], boolType, equivalent)),
    define('sets.intersects', global('list_sets_intersects_list', [list, list], boolType, intersects)),
  ],
}
