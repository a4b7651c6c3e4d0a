// What CEL itself knows about the costs of its operators and functions, by overload. All else costs 1.

import type { CallEstimate, EstimatedArg } from './call-estimates.ts'
import { regexLength, traversal } from './factors.ts'
import { fixed, plus, type Range, scaled, times, unknownSize } from './ranges.ts'

/** Undefined for an overload whose cost is 1. Operators that look at the costs of their arguments are in estimate.ts. */
export function standardEstimate(
  id: string,
  target: EstimatedArg | undefined,
  args: readonly EstimatedArg[],
): CallEstimate | undefined {
  const first = computed(args[0])
  switch (id) {
    case 'string_format':
      return target === undefined ? undefined : { cost: scaled(computed(target), traversal) }
    case 'string_to_bytes':
      return { cost: scaled(first, traversal), result: { min: first.min, max: first.max * 4 } }
    case 'bytes_to_string':
      return { cost: scaled(first, traversal), result: { min: Math.floor(first.min / 4), max: first.max } }
    case 'strings_quote':
      return { cost: scaled(first, traversal), result: { min: first.min + 2, max: first.max * 2 + 2 } }
    case 'starts_with_string':
    case 'ends_with_string':
      return { cost: scaled(first, traversal) }
    case 'in_list':
      return { cost: computed(args[1]) }
    case 'matches_string': {
      if (target === undefined) return undefined
      return { cost: times(scaled(plus(computed(target), fixed(1)), traversal), scaled(first, regexLength)) }
    }
    case 'contains_string':
      return target === undefined
        ? undefined
        : { cost: times(scaled(computed(target), traversal), scaled(first, traversal)) }
    case 'add_list':
      return { cost: fixed(1), result: plus(first, computed(args[1])) }
    case 'add_string':
    case 'add_bytes': {
      const result = plus(first, computed(args[1]))
      return { cost: scaled(result, traversal), result }
    }
    default:
      return comparesTexts.has(id) ? { cost: comparison(first, computed(args[1])) } : undefined
  }
}

const comparesTexts: ReadonlySet<string> = new Set([
  'equals',
  'not_equals',
  ...['less', 'greater', 'less_equals', 'greater_equals'].flatMap((name) => [`${name}_string`, `${name}_bytes`]),
])

function comparison(a: Range, b: Range): Range {
  const max = Math.min(a.max, b.max)
  return scaled({ min: max > 0 ? 1 : 0, max }, traversal)
}

function computed(arg: EstimatedArg | undefined): Range {
  return arg?.computedSize ?? unknownSize
}
