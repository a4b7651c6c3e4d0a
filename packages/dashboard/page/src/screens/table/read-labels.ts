// Labels as `kubectl label` takes them: `team=vision old-`. Pure.

export interface ReadLabels {
  /** A merge patch: null removes. */
  readonly labels: Readonly<Record<string, string | null>>
  readonly problem: string | undefined
}

const NAME = /^(?:[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?\/)?[A-Za-z0-9](?:[A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?$/
const VALUE = /^(?:[A-Za-z0-9](?:[A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?)?$/

export function readLabels(text: string): ReadLabels {
  const labels: Record<string, string | null> = {}
  const words = text.split(/\s+/).filter((word) => word !== '')
  if (words.length === 0) return { labels, problem: 'Which labels?' }
  for (const word of words) {
    const at = word.indexOf('=')
    const name = at < 0 ? word.replace(/-$/, '') : word.slice(0, at)
    const value = at < 0 ? null : word.slice(at + 1)
    if (at < 0 && !word.endsWith('-')) return { labels, problem: `${word} is neither NAME=VALUE nor NAME-.` }
    if (!NAME.test(name)) return { labels, problem: `${name} is not the name of a label.` }
    if (value !== null && !VALUE.test(value)) return { labels, problem: `${value} is not the value of a label.` }
    labels[name] = value
  }
  return { labels, problem: undefined }
}
