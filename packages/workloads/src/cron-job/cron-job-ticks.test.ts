import { describe, expect, it } from 'vitest'
import type { CronJob } from '../kinds.ts'
import { cronJobTicks } from './cron-job-ticks.ts'

function ticksAfter(spec: NonNullable<CronJob['spec']>, from: string, count: number): string[] | string {
  const metadata = { name: 'c', creationTimestamp: '2026-01-01T00:00:30Z' }
  const source = cronJobTicks({ apiVersion: 'batch/v1', kind: 'CronJob', metadata, spec }, 'America/New_York')
  if (typeof source === 'string') return source
  const ticks: string[] = []
  for (let at = source.after(Date.parse(from)); at !== undefined && ticks.length < count; at = source.after(at)) {
    ticks.push(new Date(at).toISOString().slice(0, 16))
  }
  return ticks
}

describe('the ticks of a cron job', () => {
  it.each([
    [{ schedule: '*/5 * * * *', timeZone: 'Etc/UTC' }, ['2026-01-01T00:05', '2026-01-01T00:10']],
    // Without a zone: that of the server.
    [{ schedule: '0 3 * * *' }, ['2026-01-01T08:00', '2026-01-02T08:00']],
    [{ schedule: 'TZ=Asia/Tokyo 0 3 * * *' }, ['2026-01-01T18:00', '2026-01-02T18:00']],
    [{ schedule: '@every 90s' }, ['2026-01-01T00:02', '2026-01-01T00:03']],
    [{ schedule: '0/99 0 * * *', timeZone: 'Etc/UTC' }, ['2026-01-02T00:00', '2026-01-03T00:00']],
    // Two restricted days: one of them is enough. `*/40` restricts, too.
    [{ schedule: '0 0 13 * FRI', timeZone: 'Etc/UTC' }, ['2026-01-02T00:00', '2026-01-09T00:00']],
    [{ schedule: '0 0 */40 * FRI', timeZone: 'Etc/UTC' }, ['2026-01-02T00:00', '2026-01-09T00:00']],
    [{ schedule: '0 0 * * ?', timeZone: 'Etc/UTC' }, ['2026-01-02T00:00', '2026-01-03T00:00']],
    // Days that no year has, and a field without values.
    [{ schedule: '0 0 31 2 *', timeZone: 'Etc/UTC' }, []],
    [{ schedule: ', * * * *', timeZone: 'Etc/UTC' }, []],
    [{ schedule: 'TZ=Mars/Olympus 0 3 * * *' }, 'unknown time zone Mars/Olympus'],
    [{ schedule: '0 3 * *' }, 'expected exactly 5 fields, found 4: 0 3 * *'],
    [{}, 'expected exactly 5 fields, found 0: '],
  ])('%j', (spec, ticks) => {
    expect(ticksAfter(spec, '2026-01-01T00:00:30Z', 2)).toEqual(ticks)
  })

  it('has one tick on each day, also when the clocks change', () => {
    const spec = { schedule: '30 2 * * *', timeZone: 'Europe/Berlin' }
    expect(ticksAfter(spec, '2026-03-27T12:00:00Z', 3)).toEqual([
      '2026-03-28T01:30',
      '2026-03-29T01:00',
      '2026-03-30T00:30',
    ])
    expect(ticksAfter(spec, '2026-10-24T12:00:00Z', 2)).toEqual(['2026-10-25T00:30', '2026-10-26T01:30'])
  })

  it('goes on every half an hour through the hour that comes twice', () => {
    const spec = { schedule: '*/30 * * * *', timeZone: 'Europe/Berlin' }
    expect(ticksAfter(spec, '2026-10-24T23:59:00Z', 5)).toEqual(
      ['00:00', '00:30', '01:00', '01:30', '02:00'].map((time) => `2026-10-25T${time}`),
    )
  })
})
