// What a call costs in the best and in the worst case, besides its arguments, and how large its result can be: by name, as Kubernetes'
// estimator knows functions, then by overload, as CEL does. A definition is accepted or refused by these numbers.

import type { CelType } from '../types/cel-type.ts'
import {
  authorization,
  listCreation,
  longestFormat,
  longestFormatRegex,
  regexLength,
  structCreation,
  traversal,
} from './factors.ts'
import { fixed, plus, type Range, scaled, times, union, unknownSize } from './ranges.ts'

export interface EstimatedArg {
  readonly type: CelType
  /** Computed from the expression, or by the bounds of the type; undefined if neither tells. */
  readonly size: () => Range | undefined
  readonly computedSize: Range | undefined
  /** Of an int literal. */
  readonly int: number | undefined
  /** Of a list: the size of its items by the bounds of the type. */
  readonly itemSize: () => Range
}

export interface CallEstimate {
  readonly cost: Range
  readonly result?: Range
}

type Estimate = (
  target: EstimatedArg | undefined,
  args: readonly EstimatedArg[],
  id: string,
) => CallEstimate | undefined

export const estimateCall = (
  name: string,
  id: string,
  target: EstimatedArg | undefined,
  args: readonly EstimatedArg[],
): CallEstimate | undefined => byOverload(id)?.(target, args, id) ?? byName[name]?.(target, args, id)

const sizeOf = (arg: EstimatedArg | undefined): Range => arg?.size() ?? unknownSize

const one: Estimate = () => ({ cost: fixed(1) })

const firstArg =
  (factor = traversal): Estimate =>
  (_target, args) =>
    args.length >= 1 ? { cost: scaled(sizeOf(args[0]), factor) } : undefined

const walkOfTarget: Estimate = (target) => {
  if (target === undefined) return undefined
  const size = sizeOf(target)
  return { cost: scaled(size, traversal), result: size }
}

const selector: Estimate = (_target, args) => {
  if (args.length !== 1) return undefined
  const size = sizeOf(args[0])
  const requirements = scaled(scaled(size, 0.5), listCreation + structCreation)
  return { cost: plus(plus(fixed(listCreation), scaled(size, traversal)), requirements) }
}

const eachItem: Estimate = (target) => {
  if (target === undefined) return undefined
  const items = target.type.parameters[0]
  if (items === undefined) return { cost: scaled(sizeOf(target), traversal) }
  const isText = items.kind === 'string' || items.kind === 'bytes'
  const itemCost = isText ? plus(fixed(1), scaled(target.itemSize(), traversal)) : fixed(1)
  return { cost: times(sizeOf(target), itemCost) }
}

const replace: Estimate = (target, args) => {
  if (target === undefined || args.length < 2) return undefined
  const size = sizeOf(target)
  const from = sizeOf(args[0])
  const to = sizeOf(args[1])
  const most = replacements(size.max, from.min, to.max <= from.min)
  const least = replacements(size.min, from.max, from.max <= to.min)
  const counts = { min: least.count, max: most.count }
  const kept = { min: least.kept, max: most.kept }
  return { cost: scaled(size, 2 * traversal), result: plus(times(counts, to), kept) }
}

/** How often a text of this size is replaced, and how much of it is kept, in one of the two extreme cases. */
function replacements(size: number, from: number, changesNothing: boolean): { count: number; kept: number } {
  // An empty text is found around every character.
  if (from === 0) return { count: size + 1, kept: size }
  return changesNothing ? { count: 0, kept: size } : { count: Math.ceil(size / from), kept: 0 }
}

const split: Estimate = (target, args) =>
  target === undefined
    ? undefined
    : { cost: scaled(sizeOf(target), 2 * traversal), result: { min: 0, max: args[1]?.int ?? sizeOf(target).max } }

const join: Estimate = (target, args) => {
  if (target === undefined) return undefined
  const count = sizeOf(target)
  let size = target.type.parameters.length > 0 ? times(count, target.itemSize()) : fixed(0)
  if (args.length > 0)
    size = plus(size, times(sizeOf(args[0]), { min: Math.max(0, count.min - 1), max: Math.max(0, count.max - 1) }))
  return { cost: scaled(size, traversal), result: size }
}

const find: Estimate = (target, args) => {
  if (target === undefined || args.length < 1) return undefined
  const size = sizeOf(target)
  const cost = times(scaled(plus(size, fixed(1)), traversal), scaled(sizeOf(args[0]), regexLength))
  return { cost, result: { min: 0, max: size.max } }
}

const url: Estimate = (_target, args) => {
  if (args.length !== 1) return undefined
  return { cost: scaled(sizeOf(args[0]), traversal), result: sizeOf(args[0]) }
}

/** Of an address: 4 or 16 bytes, of which twice the prefix is compared. */
const addressBytes: Range = { min: 4, max: 16 }

const containsAddress =
  (ofText: string, extra: Range): Estimate =>
  (_target, args, id) => {
    const compared = plus(scaled(plus(addressBytes, addressBytes), traversal), extra)
    return { cost: id === ofText ? plus(compared, scaled(sizeOf(args[0]), traversal)) : compared }
  }

const equality: Estimate = (_target, args) => {
  const [left, right] = args
  if (left === undefined || right === undefined || left.type.kind !== 'opaque' || left.type.name !== right.type.name)
    return undefined
  if (left.type.name === 'kubernetes.NamedFormat') return { cost: scaled({ min: 1, max: longestFormat }, traversal) }
  if (left.type.name === 'kubernetes.URL')
    return { cost: scaled({ min: 1, max: right.computedSize?.max ?? 1 }, traversal) }
  return { cost: fixed(1) }
}

const byName: Readonly<Record<string, Estimate>> = {
  check: () => ({ cost: fixed(authorization) }),
  ...Object.fromEntries(
    [
      ...[
        'serviceAccount',
        'path',
        'group',
        'resource',
        'subresource',
        'namespace',
        'name',
        'allowed',
        'reason',
        'error',
        'errored',
      ],
      ...[
        'masked',
        'prefixLength',
        'family',
        'isUnspecified',
        'isLoopback',
        'isLinkLocalMulticast',
        'isLinkLocalUnicast',
      ],
      ...[
        'isGlobalUnicast',
        'format.named',
        'sign',
        'asInteger',
        'isInteger',
        'asApproximateFloat',
        'isGreaterThan',
        'isLessThan',
      ],
      ...['compareTo', 'add', 'sub', 'major', 'minor', 'patch'],
      ...['getScheme', 'getHostname', 'getHost', 'getPort', 'getEscapedPath', 'getQuery'],
    ].map((name) => [name, one]),
  ),
  fieldSelector: selector,
  labelSelector: selector,
  isSorted: eachItem,
  sum: eachItem,
  max: eachItem,
  min: eachItem,
  indexOf: eachItem,
  lastIndexOf: eachItem,
  url,
  lowerAscii: walkOfTarget,
  upperAscii: walkOfTarget,
  substring: walkOfTarget,
  trim: walkOfTarget,
  replace,
  split,
  join,
  find,
  findAll: find,
  cidr: firstArg(),
  isIP: firstArg(),
  isCIDR: firstArg(),
  ip: (target, args, id) => (id === 'cidr_ip' ? { cost: fixed(1) } : firstArg()(target, args, id)),
  'ip.isCanonical': firstArg(2 * traversal),
  containsIP: containsAddress('cidr_contains_ip_string', fixed(0)),
  containsCIDR: containsAddress('cidr_contains_cidr_string', plus(scaled(addressBytes, traversal), fixed(1))),
  quantity: firstArg(),
  isQuantity: firstArg(),
  semver: firstArg(),
  isSemver: firstArg(),
  validate: (_target, args) => ({ cost: scaled(scaled(sizeOf(args[0]), traversal), longestFormatRegex * regexLength) }),
  '_==_': equality,
}

function allocating(size: Range, factor: number): CallEstimate {
  return { cost: plus(plus(scaled(size, factor), fixed(1)), fixed(listCreation)), result: size }
}

const sorted = (keys: EstimatedArg | undefined, id: string): CallEstimate => {
  const size = sizeOf(keys)
  const isText = id.startsWith('list_string') || id.startsWith('list_bytes')
  return allocating(times(size, size), isText ? 2 + traversal : 2)
}

const sets =
  (factor: number): Estimate =>
  (_target, args) => ({ cost: plus(scaled(times(sizeOf(args[0]), sizeOf(args[1])), factor), fixed(1)) })

const slice: Estimate = (target, args) => {
  const end = args[1]?.int ?? sizeOf(target).max
  const length = Math.max(0, end) - Math.max(0, args[0]?.int ?? 0)
  // Kubernetes counts without a sign: less than nothing is as much as there can be.
  return allocating(fixed(length < 0 ? unknownSize.max : length), 1)
}

const distinct: Estimate = (target) => allocating(times(sizeOf(target), sizeOf(target)), 2)

const overloads: Readonly<Record<string, Estimate>> = {
  list_sets_contains_list: sets(1),
  list_sets_intersects_list: sets(1),
  list_sets_equivalent_list: sets(2),
  list_slice: slice,
  list_flatten: (target) => allocating(sizeOf(target), 1),
  list_flatten_int: (target, args) => allocating(sizeOf(target), Math.max(0, args[0]?.int ?? unknownSize.max)),
  lists_range: (_target, args) => allocating(fixed(Math.max(0, args[0]?.int ?? unknownSize.max)), 1),
  list_reverse: (target) => allocating(sizeOf(target), 1),
  list_distinct: distinct,
}

function byOverload(id: string): Estimate | undefined {
  if (id.endsWith('_sortByAssociatedKeys')) return (_target, args) => sorted(args[0], id)
  if (id.startsWith('list_') && id.endsWith('_sort')) return (target) => sorted(target, id)
  return overloads[id]
}

export function unionOfResults(a: Range | undefined, b: Range | undefined): Range | undefined {
  return a === undefined || b === undefined ? (a ?? b) : union(a, b)
}
