// The indexes of an indexed job, which its status writes as ranges: `0-2,5`. Pure.

import type { Pod } from '../kinds.ts'

export const INDEX = 'batch.kubernetes.io/job-completion-index'

export function parseIndexes(text: string | undefined): Set<number> {
  const indexes = new Set<number>()
  for (const range of (text ?? '').split(',').filter((part) => part !== '')) {
    const [first = 0, last = first] = range.split('-').map(Number)
    for (let index = first; index <= last; index++) indexes.add(index)
  }
  return indexes
}

export function formatIndexes(indexes: ReadonlySet<number>): string {
  const sorted = [...indexes].sort((a, b) => a - b)
  const ranges: string[] = []
  for (let at = 0; at < sorted.length; ) {
    const first = sorted[at] as number
    let end = at + 1
    while (sorted[end] === first + end - at) end++
    const last = sorted[end - 1] as number
    ranges.push(first === last ? `${first}` : `${first}-${last}`)
    at = end
  }
  return ranges.join(',')
}

/** Undefined for a pod without an index. */
export function indexOf({ metadata }: Pod): number | undefined {
  const text = metadata.annotations?.[INDEX]
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined
}
