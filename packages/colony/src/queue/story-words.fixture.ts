// How stories say times, Processes and answers.

import type { Attempt } from '@homeostat/executor/protocol'
import type { Due } from './deadlines.ts'
import type { Committed } from './story-world.fixture.ts'

/** Stories happen on one day. */
const DAY = '2026-01-05'

export function parseClock(time: string): number {
  return Date.parse(`${DAY}T${time}Z`)
}

export function clock(ms: number): string {
  return new Date(ms).toISOString().slice(11, -1).replace('.000', '')
}

export function names(all: readonly string[]): string {
  return all.join(' ') || 'nothing'
}

export function describeAttempts(attempts: readonly Attempt[]): string {
  return attempts.map(({ process, attempt }) => `${process}@${attempt}`).join(' ')
}

export function describeDue(due: readonly Due[]): string {
  return due.map(({ process, why }) => `${process.name} ${why}`).join(', ') || 'nothing'
}

export function describeGroups(groups: readonly (readonly [string, readonly string[]])[]): string {
  return groups.map(([executor, processes]) => `${executor}: ${names(processes)}`).join(', ') || 'nobody'
}

/** E.g. `Waiting, attempt 1, retries 1, not before 12:00:01 (out of memory)`. */
export function describeProcess(committed: Committed | undefined): string {
  if (!committed) return 'gone'
  const { status } = committed
  const facts = [
    status.executor === undefined ? status.phase : `${status.phase} by ${status.executor}`,
    `attempt ${status.attempt}`,
    status.retries ? `retries ${status.retries}` : '',
    timeFact('not before', status.notBefore),
    timeFact('wait until', status.waitDeadline),
    timeFact('run until', status.execDeadline),
    ...(status.conditions ?? []).map(({ type, reason }) => `${type} ${reason}`),
  ]
  const errors = status.errors ? ` (${status.errors.join('; ')})` : ''
  return facts.filter((fact) => fact !== '').join(', ') + errors
}

function timeFact(what: string, time: string | undefined): string {
  return time === undefined ? '' : `${what} ${clock(Date.parse(time))}`
}
