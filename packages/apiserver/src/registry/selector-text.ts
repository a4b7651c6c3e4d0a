// Label selectors of objects in the short form that people read and that Scale carries: `app=web,tier in (a,b)`.

import { isObject } from '@homeostat/meta'

/** From a plain map of labels or a LabelSelector; empty when it selects nothing in particular. */
export function selectorText(selector: unknown): string {
  if (!isObject(selector)) return ''
  const { matchLabels, matchExpressions } = selector
  if (!isObject(matchLabels) && !Array.isArray(matchExpressions)) return labelsText(selector)
  const terms: [string, string][] = isObject(matchLabels) ? labelTerms(matchLabels) : []
  for (const expression of Array.isArray(matchExpressions) ? matchExpressions : []) {
    if (isObject(expression)) terms.push([String(expression.key), expressionText(expression)])
  }
  return joined(terms)
}

/** A map of labels, sorted by key. */
export function labelsText(labels: unknown): string {
  return isObject(labels) ? joined(labelTerms(labels)) : ''
}

function labelTerms(labels: Record<string, unknown>): [string, string][] {
  return Object.entries(labels)
    .filter(([, value]) => typeof value === 'string')
    .map(([key, value]) => [key, `${key}=${value}`])
}

function expressionText({ key, operator, values }: Record<string, unknown>): string {
  const among = `(${(Array.isArray(values) ? values.map(String) : []).sort().join(',')})`
  switch (operator) {
    case 'In':
      return `${key} in ${among}`
    case 'NotIn':
      return `${key} notin ${among}`
    case 'DoesNotExist':
      return `!${key}`
    default:
      return String(key)
  }
}

function joined(terms: readonly [string, string][]): string {
  return [...terms]
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([, text]) => text)
    .join(',')
}
