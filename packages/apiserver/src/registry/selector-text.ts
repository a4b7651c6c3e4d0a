// Label selectors of objects in the short form that people read and that Scale carries: `app=web,tier in (a,b)`.

/** From a plain map of labels or a LabelSelector; empty when it selects nothing in particular. */
export function selectorText(selector: unknown): string {
  if (!isRecord(selector)) return ''
  const { matchLabels, matchExpressions } = selector
  if (!isRecord(matchLabels) && !Array.isArray(matchExpressions)) return labelsText(selector)
  const terms: [string, string][] = isRecord(matchLabels) ? labelTerms(matchLabels) : []
  for (const expression of Array.isArray(matchExpressions) ? matchExpressions : []) {
    if (isRecord(expression)) terms.push([String(expression.key), expressionText(expression)])
  }
  return joined(terms)
}

/** A map of labels, sorted by key. */
export function labelsText(labels: unknown): string {
  return isRecord(labels) ? joined(labelTerms(labels)) : ''
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

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
