// Where the bars of a waterfall stand: shares of the time that all of them span. Pure.

import type { Health } from '../health.ts'

export interface Span {
  readonly key: string
  readonly label: string
  /** Milliseconds. An open end is now. */
  readonly from: number
  readonly to: number | undefined
  readonly look: Health | 'wait'
  readonly detail?: string | undefined
}

export interface Bar extends Span {
  /** In percent. */
  readonly left: number
  readonly width: number
  readonly lasted: number
}

/** A bar too thin to be seen is shown all the same. */
const THINNEST = 0.4

export function barsOf(spans: readonly Span[], now: number): Bar[] {
  const ends = spans.map(({ from, to = now }) => Math.max(from, to))
  const first = Math.min(...spans.map(({ from }) => from))
  const all = Math.max(1, Math.max(...ends) - first)
  return spans.map((span, index) => {
    const lasted = (ends[index] ?? span.from) - span.from
    const width = Math.max(THINNEST, (lasted / all) * 100)
    return { ...span, lasted, width, left: Math.min(100 - width, ((span.from - first) / all) * 100) }
  })
}

/** `850 ms`, `12.4 s`, `3m10s`. */
export function lastedText(ms: number): string {
  if (ms < 1000) return `${Math.max(0, Math.round(ms))} ms`
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`
  const minutes = Math.floor(ms / 60_000)
  if (minutes < 60) return `${minutes}m${Math.floor((ms % 60_000) / 1000)}s`
  return `${Math.floor(minutes / 60)}h${minutes % 60}m`
}
