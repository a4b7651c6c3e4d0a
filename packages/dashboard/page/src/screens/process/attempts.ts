// What a Process did with its time: waited, tried, paused, tried again. Pure. Only what its status says; attempts that it does not
// tell of are counted, never made up.

import type { ProcessSpec, ProcessStatus } from '@homeostat/executor/protocol'
import type { Span } from '../../parts/waterfall/waterfall.ts'

export interface Attempts {
  readonly spans: readonly Span[]
  /** Earlier attempts that nothing is known of any more. */
  readonly untold: number
}

export function attemptsOf(spec: Partial<ProcessSpec>, status: Partial<ProcessStatus>): Attempts {
  const { phase = 'Waiting', attempt = 0, executor, startedAt, finishedAt, errors, pastAttempts } = status
  const submitted = Date.parse(status.submittedAt ?? '')
  if (Number.isNaN(submitted)) return { spans: [], untold: 0 }
  const spans: Span[] = []
  const past = Array.isArray(pastAttempts) ? pastAttempts : []
  let free = submitted
  const firstPast = past[0]?.attempt ?? attempt
  const untold = Math.max(0, (attempt === 0 ? 1 : Math.min(firstPast, attempt)) - 1)
  const wait = (until: number | undefined, detail?: string) => {
    if (until === undefined || until > free)
      spans.push({
        key: `wait ${spans.length}`,
        label: spans.length === 0 ? 'waited' : 'waited again',
        from: free,
        to: until,
        look: 'wait',
        detail,
      })
  }
  if (untold > 0) free = Date.parse(past[0]?.startedAt ?? startedAt ?? '') || submitted
  for (const one of past) {
    const from = Date.parse(one.startedAt ?? '')
    const to = Date.parse(one.finishedAt)
    if (Number.isNaN(from) || Number.isNaN(to)) continue
    wait(from)
    spans.push({
      key: `attempt ${one.attempt}`,
      label: labelOf(one.attempt, one.executor),
      from,
      to,
      look: 'bad',
      detail: one.error,
    })
    free = to
  }
  const end = finishedAt === undefined ? undefined : Date.parse(finishedAt)
  const started = Date.parse(startedAt ?? '')
  if (Number.isNaN(started)) {
    wait(end, end === undefined ? waitingFor(spec) : errors?.[0])
    return { spans, untold }
  }
  wait(started)
  const look = phase === 'Succeeded' ? 'good' : phase === 'Running' ? 'busy' : 'bad'
  spans.push({
    key: `attempt ${attempt}`,
    label: labelOf(attempt, executor),
    from: started,
    to: end,
    look,
    detail: errors?.[0],
  })
  return { spans, untold }
}

function labelOf(attempt: number, executor: string | undefined): string {
  return executor === undefined ? `attempt ${attempt}` : `attempt ${attempt}, ${executor}`
}

function waitingFor({ conditions }: Partial<ProcessSpec>): string {
  return conditions === undefined ? '' : `for an executor of the type ${conditions.executorType}`
}
