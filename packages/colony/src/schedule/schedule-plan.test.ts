// The steps of a schedule, and what a crash after each of them leads to.

import type { PendingRun, ScheduleSpec, ScheduleStatus } from '@homeostat/executor/schedules'
import { describe, expect, it } from 'vitest'
import { nextStep, runName, type ScheduleRun, type ScheduleStep } from './schedule-plan.ts'
import { firstStatus, sinceOf, ticksOf } from './schedule-ticks.ts'

const UID = '0b5d'
const time = (text: string) => Date.parse(`2026-01-01T${text}Z`)
const WORK = { process: { funcName: 'f', conditions: { executorType: 't' } } }

/** A schedule of every minute since 12:00:00, whose steps are carried out at once. */
class Story {
  status: ScheduleStatus
  readonly runs = new Map<string, ScheduleRun>()
  spec: ScheduleSpec

  constructor(spec: Partial<ScheduleSpec> = {}) {
    this.spec = { ...WORK, ...(spec.cron === undefined && spec.at === undefined && { intervalSeconds: 60 }), ...spec }
    this.status = firstStatus(this.spec, UID, time('12:00:00'))
  }

  step(now: string, byHand?: PendingRun): ScheduleStep {
    const source = ticksOf(this.spec, sinceOf(this.status, 0))
    const ticking = { spec: this.spec, uid: UID, source }
    return nextStep({ ticking, name: 's', status: this.status, runs: [...this.runs.values()], byHand }, time(now))
  }

  /** Carries steps out until there is nothing to do, and says what was made. */
  at(now: string): string {
    const told: string[] = []
    for (;;) {
      const step = this.step(now)
      if (step.do === 'wait') return told.join(', ') || 'nothing'
      if (step.do === 'write') {
        this.status = step.status
        if (step.why === 'skip') told.push(`skips ${step.status.lastTick?.slice(11, 19)}`)
        if (step.missed) told.push('missed some')
      }
      if (step.do === 'remove') for (const { name } of step.runs) this.runs.delete(name)
      if (step.do === 'make') {
        for (const run of step.cancel) this.runs.set(run.name, { ...run, cancel: true })
        this.make(step.pending, now)
        this.status = step.status
        told.push(`runs ${step.pending.time.slice(11, 19)}`)
      }
    }
  }

  make({ name }: PendingRun, now: string): void {
    if (this.runs.has(name)) throw new Error(`${name} is made twice`)
    const run = {
      kind: 'Process',
      name,
      uid: name,
      madeAt: time(now),
      result: undefined,
      finishedAt: undefined,
    } as const
    this.runs.set(name, { ...run, cancel: false })
  }

  end(now: string, result: 'Succeeded' | 'Failed' | 'Cancelled' = 'Succeeded'): void {
    for (const [name, run] of this.runs) {
      if (run.result === undefined) this.runs.set(name, { ...run, result, finishedAt: time(now) })
    }
  }
}

describe('a schedule', () => {
  it('makes a run for each tick', () => {
    const story = new Story()
    expect(story.status.nextRun).toBe('2026-01-01T12:01:00.000Z')
    expect(story.at('12:00:59')).toBe('nothing')
    expect(story.at('12:01:00')).toBe('runs 12:01:00')
    expect(story.status).toMatchObject({ lastTick: '2026-01-01T12:01:00.000Z', nextRun: '2026-01-01T12:02:00.000Z' })
    expect(story.at('12:01:30')).toBe('nothing')
    expect(story.at('12:02:00')).toBe('runs 12:02:00')
    expect(story.runs.size).toBe(2)
  })

  it('makes nothing twice, whichever step a crash follows', () => {
    const story = new Story()
    const first = story.step('12:01:00')
    expect(first).toMatchObject({ do: 'write', why: 'begin' })
    // A crash before the write: the same again.
    expect(story.step('12:01:01')).toMatchObject({ do: 'write', why: 'begin' })
    if (first.do === 'write') story.status = first.status
    // A crash after it: the run is made, however late it is.
    const make = story.step('12:59:00')
    expect(make).toMatchObject({ do: 'make', pending: { name: runName('s', UID, time('12:01:00')) } })
    // A crash after the run was made, before that was confirmed: the same name, which the server refuses.
    expect(story.step('12:59:01')).toMatchObject({ do: 'make', pending: { name: runName('s', UID, time('12:01:00')) } })
    if (make.do === 'make') story.status = make.status
    expect(story.status.pending).toBeUndefined()
    expect(story.status.lastRun?.name).toBe(runName('s', UID, time('12:01:00')))
  })

  it('runs the last missed tick after a pause, or as many as it may catch up with', () => {
    expect(new Story().at('13:00:30')).toBe('missed some, runs 13:00:00')
    expect(new Story({ catchUp: 3 }).at('12:03:30')).toBe('runs 12:01:00, runs 12:02:00, runs 12:03:00')
    expect(new Story({ startingDeadlineSeconds: 20 }).at('12:03:30')).toBe('nothing')
  })

  it('forbids a run while another is active, and a cancelled one is not', () => {
    const story = new Story({ concurrencyPolicy: 'Forbid' })
    expect(story.at('12:01:00')).toBe('runs 12:01:00')
    expect(story.at('12:02:00')).toBe('skips 12:02:00')
    expect(story.status.skippedTicks).toBe(1)
    for (const [name, run] of story.runs) story.runs.set(name, { ...run, cancel: true })
    expect(story.at('12:03:00')).toBe('runs 12:03:00')
    story.end('12:03:10', 'Cancelled')
    expect(story.at('12:04:00')).toBe('runs 12:04:00')
  })

  it('replaces the active run', () => {
    const story = new Story({ concurrencyPolicy: 'Replace' })
    story.at('12:01:00')
    story.at('12:02:00')
    expect([...story.runs.values()].map(({ cancel }) => cancel)).toEqual([true, false])
  })

  it('does nothing while it is suspended, and makes up for nothing of that time', () => {
    const story = new Story()
    story.spec = { ...story.spec, suspend: true }
    expect(story.at('12:05:00')).toBe('nothing')
    expect(story.status).toMatchObject({ suspended: true })
    expect(story.status.nextRun).toBeUndefined()
    story.spec = { ...story.spec, suspend: false }
    expect(story.at('12:09:30')).toBe('nothing')
    expect(story.status.suspended).toBeUndefined()
    expect(story.at('12:10:30')).toBe('runs 12:10:30')
  })

  it('begins anew when its times change', () => {
    const story = new Story()
    story.at('12:01:00')
    story.spec = { ...WORK, cron: '*/5 * * * *' }
    expect(story.at('12:07:00')).toBe('nothing')
    expect(story.at('12:10:00')).toBe('runs 12:10:00')
  })

  it('runs one time once, and again when that time is changed', () => {
    const story = new Story({ at: '2026-01-01T11:00:00Z' })
    expect(story.at('12:00:00')).toBe('runs 11:00:00')
    expect(story.at('12:30:00')).toBe('nothing')
    expect(story.status.nextRun).toBeUndefined()
    story.spec = { ...WORK, at: '2026-01-01T13:00:00Z' }
    expect(story.at('12:40:00')).toBe('nothing')
    expect(story.at('13:00:00')).toBe('runs 13:00:00')
  })

  it('keeps as many ended runs as it should, for as long as it should', () => {
    const story = new Story({ successfulRunsHistoryLimit: 2, runTtlSeconds: 3600 })
    for (const minute of ['12:01', '12:02', '12:03', '12:04']) {
      story.at(`${minute}:00`)
      story.end(`${minute}:10`, minute === '12:02' ? 'Failed' : 'Succeeded')
    }
    story.at('12:04:30')
    expect([...story.runs.values()].map(({ madeAt }) => new Date(madeAt).toISOString().slice(11, 16))).toEqual([
      '12:02',
      '12:03',
      '12:04',
    ])
    story.spec = { ...story.spec, suspend: true }
    story.at('12:30:00')
    expect(story.step('12:30:00')).toEqual({ do: 'wait', until: time('13:02:10') })
    story.at('13:02:10')
    expect(story.runs.size).toBe(2)
  })

  it('makes a run by hand, which is no tick', () => {
    const story = new Story({ concurrencyPolicy: 'Forbid' })
    const byHand = { name: 'by-hand', time: '2026-01-01T12:00:10.000Z' }
    const begin = story.step('12:00:10', byHand)
    expect(begin).toMatchObject({ do: 'write', why: 'begin', status: { pending: byHand } })
    if (begin.do === 'write') story.status = begin.status
    expect(story.at('12:00:10')).toBe('runs 12:00:10')
    expect(story.status.lastTick).toBeUndefined()
    expect(story.step('12:00:20', { ...byHand, name: 'other' })).toEqual({ do: 'refuse', active: 'by-hand' })
    story.end('12:00:30')
    expect(story.at('12:01:00')).toBe('runs 12:01:00')
  })

  it('names runs by their tick, in the order of time', () => {
    const names = ['12:00:00', '12:00:01', '13:00:00'].map((at) => runName('nightly', UID, time(at)))
    expect([...names].sort()).toEqual(names)
    expect(new Set(names).size).toBe(3)
    expect(runName('x'.repeat(80), UID, time('12:00:00')).length).toBeLessThanOrEqual(63)
  })
})
