// What a call costs when it ran, by the sizes of the values it had: by name, as Kubernetes charges, then by overload, as CEL does. All
// else costs 1. The estimate's twin: what changes here changes there.

import { chargedSize } from '../values/size-of.ts'
import { typeNameOf } from '../values/type-of-value.ts'
import { CelList, CelMap, CelTypeValue, type Opaque, type Value } from '../values/value.ts'
import { authorization, listCreation, regexLength, structCreation, traversal } from './factors.ts'

/** A number, or how it is worked out from the arguments, with the target first, and the result. */
export type Charge = number | ((args: readonly Value[], result: Value) => number)

/** With an empty id for a call that may mean several overloads. */
export function chargeOf(name: string, id: string): Charge {
  return chargeByOverload(id) ?? (Object.hasOwn(byName, name) ? byName[name] : undefined) ?? standard[id] ?? 1
}

type Charged = Exclude<Charge, number>

const size = (value: Value | undefined): number => (value === undefined ? 1 : chargedSize(value))

const walk =
  (factor: number): Charged =>
  ([first]) =>
    Math.ceil(size(first) * factor)

const regex: Charged = ([text, pattern]) =>
  Math.ceil((1 + size(text)) * traversal) * Math.ceil(size(pattern) * regexLength)

const selector: Charged = ([, text]) => {
  const length = size(text)
  return (
    listCreation + Math.ceil(length * traversal) + Math.ceil(Math.ceil(length * 0.5) * (listCreation + structCreation))
  )
}

const wholeTree: Charged = ([first]) => (first === undefined ? 0 : traversalOf(first))

/** As if every text in a value were walked through. */
function traversalOf(value: Value): number {
  if (typeof value === 'string') return Math.floor(utf8Length(value) * traversal)
  if (value instanceof Uint8Array) return Math.floor(value.length * traversal)
  let sum = 0
  if (value instanceof CelList) for (let index = 0; index < value.size; index++) sum += traversalOf(value.get(index))
  else if (value instanceof CelMap) {
    for (const key of value.keys()) sum += traversalOf(key) + traversalOf(value.get(key) as Value)
  } else return 1
  return sum
}

function utf8Length(text: string): number {
  let length = text.length
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (unit > 0x7ff) length += unit >= 0xd800 && unit <= 0xdfff ? 1 : 2
    else if (unit > 0x7f) length += 1
  }
  return length
}

const containsAddress =
  (extra: (prefix: number) => number): Charged =>
  ([cidr, other]) => {
    const prefix = size(cidr)
    const parsed = typeof other === 'string' ? Math.ceil(size(other) * traversal) : 0
    return Math.ceil(2 * prefix * traversal) + extra(prefix) + parsed
  }

const validate: Charged = ([format, text]) => {
  const pattern = (format as Opaque & { regexSize?: number }).regexSize ?? 0
  return Math.ceil((1 + size(text)) * traversal) * Math.ceil(pattern * regexLength)
}

const byName: Readonly<Record<string, Charge>> = {
  check: authorization,
  fieldSelector: selector,
  labelSelector: selector,
  isSorted: wholeTree,
  sum: wholeTree,
  max: wholeTree,
  min: wholeTree,
  indexOf: wholeTree,
  lastIndexOf: wholeTree,
  url: walk(traversal),
  lowerAscii: walk(traversal),
  upperAscii: walk(traversal),
  substring: walk(traversal),
  trim: walk(traversal),
  replace: walk(2 * traversal),
  split: walk(2 * traversal),
  join: (_args, result) => Math.ceil(size(result) * 2 * traversal),
  find: regex,
  findAll: regex,
  cidr: walk(traversal),
  isIP: walk(traversal),
  isCIDR: walk(traversal),
  ip: (args) => (typeof args[0] === 'string' ? walk(traversal)(args, null) : 1),
  'ip.isCanonical': walk(2 * traversal),
  containsIP: containsAddress(() => 0),
  containsCIDR: containsAddress((prefix) => Math.ceil(prefix * traversal) + 1),
  quantity: walk(traversal),
  isQuantity: walk(traversal),
  semver: walk(traversal),
  isSemver: walk(traversal),
  validate,
}

const smaller: Charged = ([left, right]) => Math.ceil(Math.min(size(left), size(right)) * traversal)
const both: Charged = ([left, right]) => Math.ceil((size(left) + size(right)) * traversal)

const standard: Readonly<Record<string, Charge>> = {
  starts_with_string: walk(traversal),
  ends_with_string: walk(traversal),
  string_to_bytes: walk(traversal),
  bytes_to_string: walk(traversal),
  strings_quote: walk(traversal),
  string_format: walk(traversal),
  in_list: ([, list]) => size(list),
  ...Object.fromEntries(
    ['less', 'greater', 'less_equals', 'greater_equals'].flatMap((name) => [
      [`${name}_string`, smaller],
      [`${name}_bytes`, smaller],
    ]),
  ),
  add_string: both,
  add_bytes: both,
  matches_string: regex,
  contains_string: ([text, part]) => Math.ceil(size(text) * traversal) * Math.ceil(size(part) * traversal),
}

const allocating = (items: number, factor: number) => Math.trunc(items * factor) + 1 + listCreation

const made: Charged = (_args, result) => allocating(size(result), 1)

const sets =
  (factor: number): Charged =>
  ([left, right]) =>
    1 + size(left) * size(right) * factor

function selfCompared(keys: Value | undefined): number {
  const count = size(keys)
  const first = keys instanceof CelList && count > 0 ? typeNameOf(keys.get(0)) : ''
  return allocating(count * count, first === 'string' || first === 'bytes' ? 2 + traversal : 2)
}

const overloads: Readonly<Record<string, Charge>> = {
  list_sets_contains_list: sets(1),
  list_sets_intersects_list: sets(1),
  list_sets_equivalent_list: sets(2),
  list_slice: made,
  lists_range: ([count]) => allocating(Math.max(0, Number(count)), 1),
  list_reverse: made,
  list_flatten: ([list]) => allocating(size(list), 1),
  list_flatten_int: ([list, depth]) => allocating(size(list), Number(depth)),
  list_distinct: ([list]) => selfCompared(list),
}

function chargeByOverload(id: string): Charge | undefined {
  if (id.endsWith('_sortByAssociatedKeys')) return ([, keys]) => selfCompared(keys)
  if (id.startsWith('list_') && id.endsWith('_sort')) return ([list]) => selfCompared(list)
  return Object.hasOwn(overloads, id) ? overloads[id] : undefined
}

/** Of == and !=: values of libraries cost 1, all others a tenth of the smaller. */
export function equalityCharge(left: Value, right: Value, isEquals: boolean): number {
  if (typeof left === 'number' || typeof left === 'boolean') return Math.min(1, size(right))
  if (isEquals && typeof left === 'object' && left !== null && 'type' in left && !(left instanceof CelTypeValue))
    return 1
  return Math.ceil(Math.min(size(left), size(right)) * traversal)
}
