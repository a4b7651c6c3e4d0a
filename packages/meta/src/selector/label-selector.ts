// Label selectors in Kubernetes' grammar: `app=x,tier in (web,db),!legacy`. The empty one matches everything; `!=` and
// `notin` match an object that has no such label.

import { type LabelRequirement, parseInt64 } from './label-requirement.ts'
import { parseRequirements } from './label-selector-parser.ts'

export interface LabelSelector {
  matches(labels: Readonly<Record<string, string>> | undefined): boolean
  readonly empty: boolean
  readonly requirements: readonly LabelRequirement[]
  /** The canonical text: sorted by key. */
  toString(): string
}

/** Throws a StatusError (400) that says what was expected where. */
export function parseLabelSelector(text: string): LabelSelector {
  return labelSelector(parseRequirements(text))
}

export function labelSelector(given: readonly LabelRequirement[]): LabelSelector {
  const requirements = given.toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
  return {
    requirements,
    empty: requirements.length === 0,
    matches: (labels) => requirements.every((requirement) => holds(requirement, labels)),
    toString: () => requirements.map(formatRequirement).join(','),
  }
}

function holds(
  { key, operator, values }: LabelRequirement,
  labels: Readonly<Record<string, string>> | undefined,
): boolean {
  const value = labels !== undefined && Object.hasOwn(labels, key) ? labels[key] : undefined
  switch (operator) {
    case '=':
    case '==':
    case 'in':
      return value !== undefined && values.includes(value)
    case '!=':
    case 'notin':
      return value === undefined || !values.includes(value)
    case 'exists':
      return value !== undefined
    case '!':
      return value === undefined
    case 'gt':
    case 'lt': {
      const [number, limit] = [parseInt64(value), parseInt64(values[0])]
      if (number === undefined || limit === undefined) return false
      return operator === 'gt' ? number > limit : number < limit
    }
  }
}

function formatRequirement({ key, operator, values }: LabelRequirement): string {
  switch (operator) {
    case 'exists':
      return key
    case '!':
      return `!${key}`
    case 'in':
    case 'notin':
      return `${key} ${operator} (${values.join(',')})`
    case 'gt':
      return `${key}>${values[0]}`
    case 'lt':
      return `${key}<${values[0]}`
    default:
      return `${key}${operator}${values[0]}`
  }
}
